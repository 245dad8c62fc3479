import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("Children ask the store what a root context asks")
struct ChildStatementTests {
    private static func fill(_ context: NSManagedObjectContext) {
        let artists = (0..<4).map { context.make("Artist", ["name": "artist \($0)"]) }
        let tags = (0..<3).map { context.make("Tag", ["name": "tag \($0)"]) }
        for index in 0..<24 {
            let album = context.make(
                "Album", ["title": String(format: "album %02d", index), "performer": artists[index % 4]])
            album.mutableOrderedSetValue(forKey: "tracks").addObjects(
                from: (0..<(index % 3)).map { context.make("Track", ["title": "track \($0)"]) })
            album.mutableOrderedSetValue(forKey: "tags").add(tags[index % 3])
        }
    }

    /// The statements of some work in a context at each depth below the root: on a new store each time, so that nothing
    /// is cached.
    private func statements(_ work: (NSManagedObjectContext) throws -> Void) throws -> [[String]] {
        try (0...3).map { depth in
            let store = try AlbumStore()
            try store.fill(Self.fill)
            var context = store.context()
            for _ in 0..<depth {
                let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                child.parent = context
                context = child
            }
            return try context.performAndWait {
                let recorder = try StatementRecorder(context)
                return try recorder.during { try work(context) }
            }
        }
    }

    private func request(_ change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }) -> NSFetchRequest<
        NSManagedObject
    > {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        change(request)
        return request
    }

    private func expectSame(
        _ count: Int, _ work: (NSManagedObjectContext) throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try statements(work)
        #expect(found[0].count == count, "\(found[0])", sourceLocation: sourceLocation)
        for depth in 1...3 {
            #expect(found[depth] == found[0], "\(depth) levels below", sourceLocation: sourceLocation)
        }
    }

    @Test("a fetch, its count and its IDs")
    func fetching() throws {
        try expectSame(1) { context in
            let albums = try context.fetch(
                request {
                    $0.predicate = NSPredicate(format: "performer.name == 'artist 1'")
                    $0.fetchLimit = 4
                })
            expectEqual(albums.map { $0.text("title") }, ["album 01", "album 05", "album 09", "album 13"])
        }
        try expectSame(1) { context in try expectEqual(context.count(for: request()), 24) }
        try expectSame(1) { context in
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Album")
            ids.resultType = .managedObjectIDResultType
            try expectEqual(context.fetch(ids).count, 24)
        }
        try expectSame(1) { context in
            let names = NSFetchRequest<NSDictionary>(entityName: "Album")
            names.resultType = .dictionaryResultType
            names.propertiesToFetch = ["title"]
            try expectEqual(context.fetch(names).count, 24)
        }
    }

    @Test("prefetched relationships, which cost nothing when they are read")
    func prefetching() throws {
        try expectSame(4) { context in
            let albums = try context.fetch(
                request { $0.relationshipKeyPathsForPrefetching = ["performer", "tracks", "tags"] })
            for (index, album) in albums.enumerated() {
                expectEqual(album.object("performer")?.text("name"), "artist \(index % 4)")
                expectEqual(album.members("tracks", by: "title"), (0..<(index % 3)).map { "track \($0)" })
                expectEqual(album.members("tags", by: "name"), ["tag \(index % 3)"])
            }
        }
    }

    @Test("batches, each when it is needed")
    func batches() throws {
        try expectSame(1 + 5) { context in
            let albums = try context.fetch(request { $0.fetchBatchSize = 5 })
            for (index, album) in albums.enumerated() {
                expectEqual(album.text("title"), String(format: "album %02d", index))
            }
        }
    }

    @Test("properties in part, faults one by one, and contents")
    func faults() throws {
        try expectSame(1 + 1) { context in
            let albums = try context.fetch(request { $0.propertiesToFetch = ["title"] })
            expectEqual(albums.map { $0.text("title") }.count, 24)
            _ = albums[0].value(forKey: "rating")
        }
        try expectSame(1 + 3) { context in
            let albums = try context.fetch(request())
            _ = albums[0].object("performer")?.text("name")
            expectEqual(albums[1].members("tracks", by: "title"), ["track 0"])
        }
    }

    @Test("a save into the parent runs no statement, and reads nothing that the row cache knows")
    func saving() throws {
        let store = try AlbumStore()
        try store.fill(Self.fill)
        let parent = store.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        try child.performAndWait {
            let albums = try child.fetch(request())
            for album in albums { album.setValue("new " + (album.text("title") ?? ""), forKey: "title") }
            child.make("Album", ["title": "another"])
            child.delete(albums[0])
            child.processPendingChanges()
            let recorder = try StatementRecorder(child)
            let saving = try recorder.during { try child.save() }
            // The parent follows the delete rules of what it deletes by itself.
            #expect(saving.allSatisfy { $0.hasPrefix("SELECT") }, "\(saving)")
            #expect(saving.count <= 3, "\(saving)")
        }
        try parent.performAndWait { try parent.save() }
        try parent.performAndWait { try expectEqual(parent.count(for: request()), 24) }
    }
}
