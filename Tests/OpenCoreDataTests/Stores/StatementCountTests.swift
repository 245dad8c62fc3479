import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// How many statements the SQLite store runs for what a context asks.
@Suite("Statements per operation")
struct StatementCountTests {
    /// A store of one artist with five albums.
    private func withAlbums(_ body: (StatementRecorder) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: AlbumModel.make())
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url.appendingPathComponent("a.sqlite"))
        func context() -> NSManagedObjectContext {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return context
        }
        let filling = context()
        try filling.performAndWait {
            let artist = NSEntityDescription.insertNewObject(forEntityName: "Artist", into: filling)
            for index in 0..<5 {
                let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: filling)
                album.setValue("album \(index)", forKey: "title")
                album.setValue(artist, forKey: "performer")
            }
            try filling.save()
            filling.reset()
        }
        let reading = context()
        try reading.performAndWait { try body(StatementRecorder(reading)) }
    }

    private func albums(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Album"))
    }

    @Test("a fetch is one statement, and reading what it fetched is none")
    func fetching() throws {
        try withAlbums { recorder in
            var found: [NSManagedObject] = []
            let fetch = try recorder.during { found = try albums(recorder.context) }
            expectEqual(fetch.count, 1, "\(fetch)")
            // The recorder has the select, not the statement that passes its rows to a function.
            expectTrue(fetch.allSatisfy { $0.hasPrefix("SELECT 0, t0.") || $0.hasPrefix("SELECT t0.") }, "\(fetch)")
            let reading = recorder.during { for album in found { _ = album.value(forKey: "title") } }
            expectEmpty(reading, "\(reading)")
        }
    }

    @Test("a count is one statement")
    func counting() throws {
        try withAlbums { recorder in
            let statements = try recorder.during {
                _ = try recorder.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Album"))
            }
            try #require(statements.count == 1, "\(statements)")
            expectContains(statements[0], "COUNT(", "\(statements)")
        }
    }

    @Test("a to-one destination is one statement once, a set one for its members and none for each")
    func relationships() throws {
        try withAlbums { recorder in
            let found = try albums(recorder.context)
            let toOne = recorder.during {
                for album in found { _ = (album.value(forKey: "performer") as? NSManagedObject)?.value(forKey: "name") }
            }
            expectEqual(toOne.count, 1, "\(toOne)")
            let artist = try requireValue(found[0].value(forKey: "performer") as? NSManagedObject)
            let toMany = recorder.during {
                for album in artist.value(forKey: "albums") as? Set<NSManagedObject> ?? [] {
                    _ = album.value(forKey: "title")
                }
            }
            expectEqual(toMany.count, 1, "\(toMany)")
        }
    }

    @Test("faults whose rows another context holds cost no statement, even after that context fetched again and went")
    func otherContexts() throws {
        try withAlbums { recorder in
            let found = try albums(recorder.context)
            do {
                let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                other.persistentStoreCoordinator = recorder.context.persistentStoreCoordinator
                other.performAndWait { _ = try? albums(other) }
            }
            let reading = recorder.during { for album in found { _ = album.value(forKey: "title") } }
            expectEmpty(reading, "\(reading)")
        }
    }

    @Test("saving one change is one transaction with one update")
    func saving() throws {
        try withAlbums { recorder in
            try albums(recorder.context)[0].setValue("changed", forKey: "title")
            let statements = try recorder.during { try recorder.context.save() }
            expectEqual(statements.filter { $0.hasPrefix("UPDATE ZALBUM") }.count, 1, "\(statements)")
            expectEqual(statements.filter { $0.hasPrefix("BEGIN") }.count, 1, "\(statements)")
            expectEqual(statements.filter { $0 == "COMMIT" }.count, 1, "\(statements)")
        }
    }

    @Test("a save that changes nothing writes nothing")
    func unchanged() throws {
        try withAlbums { recorder in
            let album = try albums(recorder.context)[0]
            album.setValue(album.value(forKey: "title"), forKey: "title")
            let statements = try recorder.during { try recorder.context.save() }
            #expect(!statements.contains { $0.hasPrefix("UPDATE") || $0.hasPrefix("INSERT") }, "\(statements)")
        }
    }
}
