import CoreData

extension Album {
    private static let tracksProperty = ManagedProperty<Set<Track>>("tracks")

    /// The tracks as a set of their class, as a property declared `@NSManaged var tracks: Set<Track>` has it.
    var typedTracks: Set<Track> { self[Self.tracksProperty] }
}
