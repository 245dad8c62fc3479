import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("The replacement of a store by one that is made from it")
struct StoreReplacementTests {
    private let folder = try! TemporaryFolder()

    private func coordinator(
        _ name: String, journalMode: String = "WAL"
    ) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: AlbumModel.make())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file(name),
            options: [
                NSPersistentStoreTimeoutOption: 0, NSSQLitePragmasOption: ["journal_mode": journalMode],
            ])
        return coordinator
    }

    private func save(_ names: String..., in coordinator: NSPersistentStoreCoordinator) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for name in names {
                let artist = NSEntityDescription.insertNewObject(forEntityName: "Artist", into: context)
                artist.setValue(name, forKey: "name")
                let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: context)
                // Large enough for an external file.
                album.setValue(Data(count: 200_000), forKey: "cover")
            }
            try context.save()
        }
    }

    private func names(_ name: String) throws -> [String] {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = try coordinator(name)
        return try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Artist")
            return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }.sorted()
        }
    }

    private func replace(willReplace: () throws -> Void, byMaking make: () throws -> URL?) throws {
        try SQLiteStoreReplacement(
            at: folder.file("a.sqlite"), options: SQLiteStoreOptions([NSPersistentStoreTimeoutOption: 0])
        ).run(sourceOptions: SQLiteStoreOptions(), willReplace: willReplace, byMaking: make)
    }

    /// The new store has the objects of the old one and a further one.
    private func makeCopy() throws -> URL {
        let copy = folder.file("copies/b.sqlite")
        try FileManager.default.createDirectory(at: folder.file("copies"), withIntermediateDirectories: true)
        try SQLiteStoreCopy(
            from: folder.file("a.sqlite"), options: SQLiteStoreOptions(), to: copy, options: SQLiteStoreOptions()
        ).run()
        try save("Made", in: coordinator("copies/b.sqlite"))
        return copy
    }

    @Test(
        "makes the new store once more if others have written since, and leaves no files",
        arguments: ["WAL", "DELETE"])
    func writtenMeanwhile(journalMode: String) throws {
        let writer = try coordinator("a.sqlite", journalMode: journalMode)
        try save("Ada", in: writer)
        var made = 0
        var replaced = 0
        try replace {
            replaced += 1
            if replaced < 3 { try save("\(replaced)", in: writer) }
        } byMaking: {
            made += 1
            // No other connection can write during the replacement.
            let error = #expect(throws: NSError.self) { try save("Late", in: writer) }
            expectEqual(error?.code, NSPersistentStoreTimeoutError)
            return try makeCopy()
        }
        expectEqual(made, 3)
        try expectEqual(names("a.sqlite"), ["1", "2", "Ada", "Made"])
        expectEmpty(try SQLiteStoreCheck.defects(at: folder.path("a.sqlite"), model: AlbumModel.make()))
    }

    @Test("throws if others write each time, and leaves the store as it is")
    func writtenEachTime() throws {
        let writer = try coordinator("a.sqlite")
        try save("Ada", in: writer)
        var count = 0
        let error = #expect(throws: NSError.self) {
            try replace {
                count += 1
                try save("\(count)", in: writer)
            } byMaking: {
                try makeCopy()
            }
        }
        expectEqual(error?.code, NSPersistentStoreTimeoutError)
        try expectEqual(names("a.sqlite").count, count + 1)
        expectEmpty(try SQLiteStoreCheck.defects(at: folder.path("a.sqlite"), model: AlbumModel.make()))
    }

    @Test("leaves a store for which nothing is made")
    func nothingMade() throws {
        let writer = try coordinator("a.sqlite")
        try save("Ada", in: writer)
        try replace {
            Issue.record("The store is replaced.")
        } byMaking: {
            nil
        }
        try save("Bob", in: writer)
        try expectEqual(names("a.sqlite"), ["Ada", "Bob"])
    }
}
