/// **Extension.** A to-many relationship of managed objects by name: what the bodies of `addToSongs(_:)` and its kin
/// use.
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
    ///   - file: where the relationship is declared: equal names of two entities don't share what one of them
    ///     remembers.
    ///   - line: the line of the declaration.
    public init(_ name: String, file: StaticString = #fileID, line: UInt = #line) {
        property = ManagedProperty(name, file: file, line: line)
    }
}
