import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("Prefetching relationships")
struct PrefetchStatementTests {
    private static let albumCount = 20

    /// Twenty albums by four artists, with tracks in order and tags in order; the artists are friends in a ring.
    private func withAlbums(_ body: (StatementRecorder) throws -> Void) throws {
        let store = try AlbumStore()
        try store.fill { context in
            let band = context.make("Band", ["name": "band", "origin": "here"])
            let artists = (0..<4).map { index in
                index % 2 == 0
                    ? context.make("Singer", ["name": "artist \(index)", "memberOf": band])
                    : context.make("Artist", ["name": "artist \(index)"])
            }
            for index in artists.indices {
                artists[index].mutableSetValue(forKey: "friends").add(artists[(index + 1) % 4])
            }
            let tags = (0..<3).map { context.make("Tag", ["name": "tag \($0)"]) }
            for index in 0..<Self.albumCount {
                let album = context.make("Album", ["title": "album \(index)"])
                if index > 0 { album.setValue(artists[index % 4], forKey: "performer") }
                // The order differs from the order of the keys.
                let tracks = (0..<(index % 3)).map { context.make("Track", ["title": "track \($0)"]) }
                album.mutableOrderedSetValue(forKey: "tracks").addObjects(from: tracks.reversed())
                album.mutableOrderedSetValue(forKey: "tags").addObjects(
                    from: index % 2 == 0 ? [tags[2], tags[0]] : [tags[1]])
            }
        }
        try store.read(body)
    }

    private func albums(
        _ context: NSManagedObjectContext, _ paths: [String],
        _ change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
    ) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
        request.sortDescriptors = [
            NSSortDescriptor(key: "title", ascending: true, selector: NSSelectorFromString("localizedStandardCompare:"))
        ]
        request.relationshipKeyPathsForPrefetching = paths
        change(request)
        return try context.fetch(request)
    }

    @Test("a to-one relationship is one statement, and reading its objects none")
    func toOne() throws {
        try withAlbums { recorder in
            var found: [NSManagedObject] = []
            let fetching = try recorder.during { found = try albums(recorder.context, ["performer"]) }
            expectEqual(fetching.count, 2, "\(fetching)")
            let reading = recorder.during {
                expectEqual(
                    found.map { $0.object("performer")?.text("name") },
                    (0..<Self.albumCount).map { $0 == 0 ? nil : "artist \($0 % 4)" })
            }
            expectEmpty(reading, "\(reading)")
            expectEqual(Set(found.compactMap { $0.object("performer") }).filter { $0.entity.name == "Singer" }.count, 2)
        }
    }

    @Test("an ordered relationship through keys and one through a join table are one statement each")
    func toMany() throws {
        try withAlbums { recorder in
            var found: [NSManagedObject] = []
            let fetching = try recorder.during { found = try albums(recorder.context, ["tracks", "tags"]) }
            expectEqual(fetching.count, 3, "\(fetching)")
            let reading = recorder.during {
                for (index, album) in found.enumerated() {
                    expectEqual(
                        album.members("tracks", by: "title"), (0..<(index % 3)).reversed().map { "track \($0)" })
                    expectEqual(album.members("tags", by: "name"), (index % 2 == 0 ? ["tag 2", "tag 0"] : ["tag 1"]))
                }
            }
            expectEmpty(reading, "\(reading)")
        }
    }

    @Test("each step of a key path is one statement; steps that key paths share are taken once")
    func steps() throws {
        try withAlbums { recorder in
            var found: [NSManagedObject] = []
            let fetching = try recorder.during {
                found = try albums(
                    recorder.context, ["performer.friends", "performer.memberOf", "performer.albums.tags"])
            }
            // Album, performer, friends, memberOf, albums, tags.
            expectEqual(fetching.count, 6, "\(fetching.joined(separator: "\n"))")
            let reading = recorder.during {
                expectEqual(found[1].object("performer")?.members("friends", by: "name"), ["artist 0", "artist 2"])
                expectEqual(found[2].object("performer")?.object("memberOf")?.text("origin"), "here")
                expectEqual(
                    found[3].object("performer")?.members("albums", by: "title"),
                    [
                        "album 11", "album 15", "album 19", "album 3", "album 7",
                    ])
                for album in found { _ = album.members("tags", by: "name") }
            }
            // The first album has no performer, so no tags were requested.
            expectEqual(reading.count, 1, "\(reading)")
        }
    }

    @Test("what the context has already is not read again")
    func present() throws {
        try withAlbums { recorder in
            let first = try albums(recorder.context, ["performer", "tracks", "tags"])
            let again = try recorder.during { _ = try albums(recorder.context, ["performer", "tracks", "tags"]) }
            expectEqual(again.count, 1, "\(again)")
            withExtendedLifetime(first) {}
        }
    }

    @Test("unsaved changes of a relationship stay")
    func changes() throws {
        try withAlbums { recorder in
            let album = try albums(recorder.context, [])[2]
            let track = recorder.context.make("Track", ["title": "new", "album": album])
            let found = try albums(recorder.context, ["tracks", "performer"])
            expectEqual(album.members("tracks", by: "title"), ["track 1", "track 0", "new"])
            #expect(track.object("album") === album)
            expectEqual(found.count, Self.albumCount)
            expectContains(found, album)
            let new = recorder.context.make("Album", ["title": "zzz"])
            #expect(try albums(recorder.context, ["tracks", "performer.albums"]).last === new)
        }
    }

    @Test("objects without values get those that lead on in one statement")
    func keysOnly() throws {
        try withAlbums { recorder in
            var found: [NSManagedObject] = []
            let fetching = try recorder.during {
                found = try albums(recorder.context, ["performer", "tracks"]) { $0.includesPropertyValues = false }
            }
            // Keys, rows for the performers' keys, performers, tracks.
            expectEqual(fetching.count, 4, "\(fetching)")
            let reading = recorder.during {
                for album in found {
                    _ = (album.object("performer")?.text("name"), album.members("tracks", by: "title"))
                }
            }
            expectEmpty(reading, "\(reading)")
        }
    }

    @Test(
        "a key path that isn't one of relationships is left out",
        arguments: ["artist", "title", "performer.title", "performer.", ""])
    func unknown(_ path: String) throws {
        try withAlbums { recorder in
            let statements = try recorder.during { _ = try albums(recorder.context, [path, "performer"]) }
            recorder.context.reset()
            try expectEqual(statements, recorder.during { _ = try albums(recorder.context, ["performer"]) })
        }
    }
}
