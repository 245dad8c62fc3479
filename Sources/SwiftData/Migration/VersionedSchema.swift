// SPDX-License-Identifier: Apache-2.0

/// A version of a schema: its models and its number.
///
/// ```swift
/// enum NotesV1: VersionedSchema {
///     static let versionIdentifier = Schema.Version(1, 0, 0)
///     static var models: [any PersistentModel.Type] { [Note.self] }
///
///     @Model final class Note {
///         var title: String
///         init(title: String) { self.title = title }
///     }
/// }
/// ```
///
/// Each version declares its classes. Classes of two versions may have the same name: a context uses the classes of its
/// container's schema.
public protocol VersionedSchema: SendableMetatype {
    /// The classes of the models.
    static var models: [any PersistentModel.Type] { get }
    /// The version.
    static var versionIdentifier: Schema.Version { get }
}
