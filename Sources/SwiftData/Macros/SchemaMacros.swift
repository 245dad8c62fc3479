// SPDX-License-Identifier: Apache-2.0

/// Makes combinations of properties unique, in the body of a model.
///
/// ```swift
/// #Unique<Song>([\.title, \.album])
/// ```
///
/// - Parameter constraints: the key paths of each combination.
@freestanding(declaration)
public macro Unique<T>(_ constraints: [PartialKeyPath<T>]...) =
    #externalMacro(module: "SwiftDataMacros", type: "UniqueConstraintsMacro") where T: PersistentModel

/// Gives a model binary indexes, in its body.
///
/// ```swift
/// #Index<Song>([\.title], [\.album, \.track])
/// ```
///
/// - Parameter indices: the key paths of each index.
@freestanding(declaration)
public macro Index<T>(_ indices: [PartialKeyPath<T>]...) =
    #externalMacro(module: "SwiftDataMacros", type: "IndexMacro") where T: PersistentModel

/// Gives a model indexes of any kind, in its body.
///
/// - Parameter indices: the kind and the key paths of each index.
@freestanding(declaration)
public macro Index<T>(_ indices: Schema.Index<T>.Types<T>...) =
    #externalMacro(module: "SwiftDataMacros", type: "IndexMacro") where T: PersistentModel
