// SPDX-License-Identifier: Apache-2.0

/// **Extension.** A to-many relationship of managed objects, by name: accessors such as `addToSongs(_:)` use it.
///
/// ```swift
/// extension Artist {
///     private static let songsRelationship = ManagedRelationship("songs")
///     func addToSongs(_ value: Song) { add(value, to: Artist.songsRelationship) }
/// }
/// ```
///
/// May be used on any thread.
public struct ManagedRelationship: Sendable {
    let property: ManagedProperty<Never>

    /// The relationship's name in the model.
    public var name: String { property.name }

    /// Names a relationship.
    ///
    /// - Parameters:
    ///   - name: the relationship's name in the model.
    ///   - file: the file of the declaration: declarations of equal names don't share a storage.
    ///   - line: the line of the declaration.
    public init(_ name: String, file: StaticString = #fileID, line: UInt = #line) {
        property = ManagedProperty(name, file: file, line: line)
    }
}
