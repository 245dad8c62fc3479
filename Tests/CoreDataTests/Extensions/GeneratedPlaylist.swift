import CoreData

// The classes that `momc --generate --style self-contained` writes for playlists with ordered songs and unordered fans.

public nonisolated class AccessorSong: NSManagedObject {}
public nonisolated class AccessorFan: NSManagedObject {}
public nonisolated class AccessorPlaylist: NSManagedObject {}

private nonisolated enum PlaylistManagedProperties {
    static let name = ManagedProperty<String?>("name")
    static let fans = ManagedProperty<NSSet?>("fans")
    static let songs = ManagedProperty<NSOrderedSet?>("songs")
}

nonisolated extension AccessorPlaylist {

    public class func fetchRequest() -> NSFetchRequest<AccessorPlaylist> {
        return NSFetchRequest<AccessorPlaylist>(entityName: "Playlist")
    }

    public var name: String? {
        get { self[PlaylistManagedProperties.name] }
        set { self[PlaylistManagedProperties.name] = newValue }
    }
    public var fans: NSSet? {
        get { self[PlaylistManagedProperties.fans] }
        set { self[PlaylistManagedProperties.fans] = newValue }
    }
    public var songs: NSOrderedSet? {
        get { self[PlaylistManagedProperties.songs] }
        set { self[PlaylistManagedProperties.songs] = newValue }
    }

}

// MARK: Generated accessors for fans
nonisolated extension AccessorPlaylist {

    public func addToFans(_ value: AccessorFan) {
        mutableSetValue(forKey: "fans").add(value)
    }

    public func removeFromFans(_ value: AccessorFan) {
        mutableSetValue(forKey: "fans").remove(value)
    }

    public func addToFans(_ values: NSSet) {
        mutableSetValue(forKey: "fans").union(values as! Set<AnyHashable>)
    }

    public func removeFromFans(_ values: NSSet) {
        mutableSetValue(forKey: "fans").minus(values as! Set<AnyHashable>)
    }

}

// MARK: Generated accessors for songs
nonisolated extension AccessorPlaylist {

    public func insertIntoSongs(_ value: AccessorSong, at idx: Int) {
        mutableOrderedSetValue(forKey: "songs").insert(value, at: idx)
    }

    public func removeFromSongs(at idx: Int) {
        mutableOrderedSetValue(forKey: "songs").removeObject(at: idx)
    }

    public func insertIntoSongs(_ values: [AccessorSong], at indexes: NSIndexSet) {
        mutableOrderedSetValue(forKey: "songs").insert(values, at: IndexSet(indexes))
    }

    public func removeFromSongs(at indexes: NSIndexSet) {
        mutableOrderedSetValue(forKey: "songs").removeObjects(at: IndexSet(indexes))
    }

    public func replaceSongs(at idx: Int, with value: AccessorSong) {
        mutableOrderedSetValue(forKey: "songs").replaceObject(at: idx, with: value)
    }

    public func replaceSongs(at indexes: NSIndexSet, with values: [AccessorSong]) {
        mutableOrderedSetValue(forKey: "songs").replaceObjects(at: IndexSet(indexes), with: values)
    }

    public func addToSongs(_ value: AccessorSong) {
        mutableOrderedSetValue(forKey: "songs").add(value)
    }

    public func removeFromSongs(_ value: AccessorSong) {
        mutableOrderedSetValue(forKey: "songs").remove(value)
    }

    public func addToSongs(_ values: NSOrderedSet) {
        mutableOrderedSetValue(forKey: "songs").addObjects(from: values.array)
    }

    public func removeFromSongs(_ values: NSOrderedSet) {
        mutableOrderedSetValue(forKey: "songs").removeObjects(in: values.array)
    }

}

nonisolated extension AccessorPlaylist: Identifiable {

}

nonisolated extension AccessorSong: Identifiable {

}

/// The same methods with the bodies that the build plugin supplies.
struct SuppliedAccessors {
    private static let fans = ManagedRelationship("fans")
    private static let songs = ManagedRelationship("songs")

    static func addToFans(_ playlist: AccessorPlaylist, _ value: AccessorFan) { playlist.add(value, to: fans) }
    static func removeFromFans(_ playlist: AccessorPlaylist, _ value: AccessorFan) {
        playlist.remove(value, from: fans)
    }
    static func addToFans(_ playlist: AccessorPlaylist, _ values: NSSet) { playlist.add(values, to: fans) }
    static func removeFromFans(_ playlist: AccessorPlaylist, _ values: NSSet) { playlist.remove(values, from: fans) }
    static func insert(_ playlist: AccessorPlaylist, _ value: AccessorSong, at index: Int) {
        playlist.insert(value, into: songs, at: index)
    }
    static func insert(_ playlist: AccessorPlaylist, _ values: [AccessorSong], at indexes: NSIndexSet) {
        playlist.insert(values, into: songs, at: indexes)
    }
    static func remove(_ playlist: AccessorPlaylist, at index: Int) { playlist.remove(at: index, from: songs) }
    static func remove(_ playlist: AccessorPlaylist, at indexes: NSIndexSet) {
        playlist.remove(at: indexes, from: songs)
    }
    static func replace(_ playlist: AccessorPlaylist, at index: Int, with value: AccessorSong) {
        playlist.replace(at: index, in: songs, with: value)
    }
    static func replace(_ playlist: AccessorPlaylist, at indexes: NSIndexSet, with values: [AccessorSong]) {
        playlist.replace(at: indexes, in: songs, with: values)
    }
    static func addToSongs(_ playlist: AccessorPlaylist, _ value: AccessorSong) { playlist.add(value, to: songs) }
    static func removeFromSongs(_ playlist: AccessorPlaylist, _ value: AccessorSong) {
        playlist.remove(value, from: songs)
    }
    static func addToSongs(_ playlist: AccessorPlaylist, _ values: NSOrderedSet) { playlist.add(values, to: songs) }
    static func removeFromSongs(_ playlist: AccessorPlaylist, _ values: NSOrderedSet) {
        playlist.remove(values, from: songs)
    }
}
