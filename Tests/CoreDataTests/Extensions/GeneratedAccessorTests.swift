import CoreData
import Testing

@Suite("Generated accessors")
struct GeneratedAccessorTests {
    /// The origin of the methods' bodies.
    enum Style: CaseIterable { case generated, supplied }

    private func makeModel() -> NSManagedObjectModel {
        let playlist = entity("Playlist")
        let song = entity("Song")
        let fan = entity("Fan")
        let songs = toMany("songs", song, ordered: true)
        let playlists = toMany("playlists", playlist)
        pair(songs, playlists)
        let fans = toMany("fans", fan)
        let favourite = toOne("playlist", playlist)
        pair(fans, favourite)
        playlist.properties = [attribute("name", .stringAttributeType), songs, fans]
        song.properties = [attribute("name", .stringAttributeType), playlists]
        fan.properties = [attribute("name", .stringAttributeType), favourite]
        playlist.managedObjectClassName = _typeName(AccessorPlaylist.self, qualified: true)
        song.managedObjectClassName = _typeName(AccessorSong.self, qualified: true)
        fan.managedObjectClassName = _typeName(AccessorFan.self, qualified: true)
        return model([playlist, song, fan])
    }

    private func withPlaylist(_ body: (TestStack, AccessorPlaylist, [AccessorSong], [AccessorFan]) throws -> Void)
        throws
    {
        try withStack(.sqlite, model: makeModel()) { stack in
            let playlist = AccessorPlaylist(context: stack.context)
            playlist.name = "p"
            let songs = ["a", "b", "c", "d"].map { stack.context.make("Song", $0) as! AccessorSong }
            let fans = ["x", "y", "z"].map { stack.context.make("Fan", $0) as! AccessorFan }
            try body(stack, playlist, songs, fans)
        }
    }

    @Test(
        "add to and remove from an unordered relationship, one object and sets of them, inverse and all",
        arguments: Style.allCases)
    func unordered(_ style: Style) throws {
        try withPlaylist { stack, playlist, _, fans in
            let some = NSSet(array: [fans[1], fans[2]])
            if style == .generated {
                playlist.addToFans(fans[0])
            } else {
                SuppliedAccessors.addToFans(playlist, fans[0])
            }
            expectEqual(playlist.names("fans"), ["x"])
            expectEqual(fans[0].object("playlist"), playlist)
            if style == .generated { playlist.addToFans(some) } else { SuppliedAccessors.addToFans(playlist, some) }
            expectEqual(playlist.names("fans"), ["x", "y", "z"])
            expectEqual(playlist.fans?.count, 3)
            try stack.context.save()
            expectFalse(playlist.hasChanges)
            if style == .generated {
                playlist.removeFromFans(fans[0])
            } else {
                SuppliedAccessors.removeFromFans(playlist, fans[0])
            }
            expectEqual(playlist.names("fans"), ["y", "z"])
            expectEqual(fans[0].object("playlist"), nil)
            expectTrue(playlist.hasChanges)
            if style == .generated {
                playlist.removeFromFans(some)
            } else {
                SuppliedAccessors.removeFromFans(playlist, some)
            }
            expectEqual(playlist.names("fans"), [])
            expectEqual(fans[2].object("playlist"), nil)
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.one("Playlist", "p").names("fans"), []) }
        }
    }

    @Test("insert, replace and remove in an ordered relationship by indexes", arguments: Style.allCases)
    func ordered(_ style: Style) throws {
        try withPlaylist { stack, playlist, songs, _ in
            func names() -> [String] { playlist.names("songs") }
            let isGenerated = style == .generated
            if isGenerated {
                playlist.insertIntoSongs(songs[0], at: 0)
            } else {
                SuppliedAccessors.insert(playlist, songs[0], at: 0)
            }
            if isGenerated {
                playlist.insertIntoSongs(songs[1], at: 0)
            } else {
                SuppliedAccessors.insert(playlist, songs[1], at: 0)
            }
            expectEqual(names(), ["b", "a"])
            expectEqual(songs[1].names("playlists"), ["p"])
            let outer = NSMutableIndexSet(index: 0)
            outer.add(3)
            if isGenerated {
                playlist.insertIntoSongs([songs[2], songs[3]], at: outer)
            } else {
                SuppliedAccessors.insert(playlist, [songs[2], songs[3]], at: outer)
            }
            expectEqual(names(), ["c", "b", "a", "d"])
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.one("Playlist", "p").names("songs"), ["c", "b", "a", "d"]) }
            if isGenerated { playlist.removeFromSongs(at: 1) } else { SuppliedAccessors.remove(playlist, at: 1) }
            expectEqual(names(), ["c", "a", "d"])
            expectEqual(songs[1].names("playlists"), [])
            if isGenerated {
                playlist.replaceSongs(at: 0, with: songs[1])
            } else {
                SuppliedAccessors.replace(playlist, at: 0, with: songs[1])
            }
            expectEqual(names(), ["b", "a", "d"])
            expectEqual(songs[2].names("playlists"), [])
            let two = NSIndexSet(indexesIn: NSRange(location: 1, length: 2))
            let new = stack.context.make("Song", "e") as! AccessorSong
            if isGenerated {
                playlist.replaceSongs(at: two, with: [songs[2], new])
            } else {
                SuppliedAccessors.replace(playlist, at: two, with: [songs[2], new])
            }
            expectEqual(names(), ["b", "c", "e"])
            if isGenerated { playlist.removeFromSongs(at: two) } else { SuppliedAccessors.remove(playlist, at: two) }
            expectEqual(names(), ["b"])
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.one("Playlist", "p").names("songs"), ["b"]) }
        }
    }

    @Test("add to and remove from an ordered relationship, one object and ordered sets", arguments: Style.allCases)
    func orderedMembers(_ style: Style) throws {
        try withPlaylist { stack, playlist, songs, _ in
            let isGenerated = style == .generated
            let some = NSOrderedSet(array: [songs[3], songs[0]])
            if isGenerated { playlist.addToSongs(songs[0]) } else { SuppliedAccessors.addToSongs(playlist, songs[0]) }
            if isGenerated { playlist.addToSongs(some) } else { SuppliedAccessors.addToSongs(playlist, some) }
            expectEqual(playlist.names("songs"), ["a", "d"])
            expectEqual(songs[3].names("playlists"), ["p"])
            if isGenerated {
                playlist.removeFromSongs(songs[0])
            } else {
                SuppliedAccessors.removeFromSongs(playlist, songs[0])
            }
            expectEqual(playlist.names("songs"), ["d"])
            if isGenerated { playlist.removeFromSongs(some) } else { SuppliedAccessors.removeFromSongs(playlist, some) }
            expectEqual(playlist.names("songs"), [])
            expectEqual(songs[3].names("playlists"), [])
            try stack.context.save()
        }
    }

    @Test("come with typed fetch requests, identities and key paths")
    func requests() throws {
        try withPlaylist { stack, playlist, songs, fans in
            playlist.addToSongs(NSOrderedSet(array: songs))
            playlist.addToFans(NSSet(array: fans))
            try stack.context.save()
            let request: NSFetchRequest<AccessorPlaylist> = AccessorPlaylist.fetchRequest()
            request.sortDescriptors = [NSSortDescriptor(keyPath: \AccessorPlaylist.name, ascending: true)]
            request.relationshipKeyPathsForPrefetching = ["songs"]
            let found = try stack.context.fetch(request)
            expectEqual(found.map(\.name), ["p"])
            expectEqual(found.first?.id, playlist.id)
            expectEqual(NSExpression(forKeyPath: \AccessorPlaylist.songs).keyPath, "songs")
            expectEqual(NSExpression(forKeyPath: \AccessorPlaylist.fans).keyPath, "fans")
            let names = found.first?.value(forKeyPath: "songs.name") as? NSOrderedSet
            expectEqual(names.map { $0.array as? [String] }, ["a", "b", "c", "d"])
        }
    }
}
