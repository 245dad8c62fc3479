import CoreData
import Testing

@Suite("Options of stores")
struct StoreOptionTests {
    private let folder: TemporaryFolder
    private let model = LibraryModel.make()

    init() throws { folder = try TemporaryFolder() }

    private func makeStore(bookCount: Int = 1) throws -> URL {
        let stack = try TestStack(.sqlite, model: model, folder: folder)
        try on(stack.context) {
            for index in 0..<bookCount {
                stack.context.make("Book", "\(index) " + String(repeating: "long ", count: 200))
            }
            try stack.context.save()
        }
        return stack.url
    }

    @Test("The keys are Apple's")
    func keys() {
        expectEqual(NSSQLiteAnalyzeOption, "NSSQLiteAnalyzeOption")
        expectEqual(NSSQLiteManualVacuumOption, "NSSQLiteManualVacuumOption")
        expectEqual(NSIgnorePersistentStoreVersioningOption, "NSIgnorePersistentStoreVersioningOption")
    }

    // MARK: Adding

    @Test("NSSQLiteAnalyzeOption gives the query planner its statistics, and only if it is true")
    func analyze() throws {
        let url = try makeStore(bookCount: 20)
        _ = try TestStack(.sqlite, model: model, folder: folder, options: [NSSQLiteAnalyzeOption: false])
        #expect(try !SQLiteFile(url).tables().contains("sqlite_stat1"))
        _ = try TestStack(.sqlite, model: model, folder: folder, options: [NSSQLiteAnalyzeOption: true])
        #expect(try !SQLiteFile(url).rows("SELECT * FROM sqlite_stat1 WHERE tbl = 'ZBOOK'").isEmpty)
    }

    @Test("NSSQLiteManualVacuumOption rebuilds the file without free pages")
    func vacuum() throws {
        let url = try makeStore(bookCount: 500)
        do {
            let stack = try TestStack(.sqlite, model: model, folder: folder)
            try on(stack.context) {
                for book in try stack.context.all("Book") { stack.context.delete(book) }
                try stack.context.save()
            }
        }
        func freePages() throws -> Int64? {
            try SQLiteFile(url).rows("PRAGMA freelist_count")[0]["freelist_count"]?.integer
        }
        #expect(try requireValue(try freePages()) > 10)
        _ = try TestStack(.sqlite, model: model, folder: folder, options: [NSSQLiteManualVacuumOption: true])
        try expectEqual(freePages(), 0)
    }

    @Test("NSIgnorePersistentStoreVersioningOption opens a store whose version hashes differ")
    func versioning() throws {
        let url = try makeStore()
        let other = LibraryModel.make()
        other.entitiesByName["Book"]?.versionHashModifier = "2"
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: other)
        let error = thrownError { try coordinator.addPersistentStore(type: .sqlite, at: url) }
        expectEqual(error?.code, 134100)
        let store = try coordinator.addPersistentStore(
            type: .sqlite, at: url, options: [NSIgnorePersistentStoreVersioningOption: true])
        expectEqual(coordinator.persistentStores, [store])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try on(context) { try expectEqual(context.all("Book").count, 1) }
    }

    @Test("NSIgnorePersistentStoreVersioningOption doesn't open a store that lacks a column")
    func missingColumn() throws {
        let url = try makeStore()
        let other = LibraryModel.make()
        let book = try requireValue(other.entitiesByName["Book"])
        book.properties.append(attribute("isbn", .stringAttributeType))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: other)
        let error = thrownError {
            try coordinator.addPersistentStore(
                type: .sqlite, at: url, options: [NSIgnorePersistentStoreVersioningOption: true])
        }
        expectEqual(error?.code, 134020)
    }

    // MARK: Stores that are not open

    /// Another connection that blocks all readers.
    private func lock(_ url: URL) throws -> SQLiteFile {
        let file = try SQLiteFile(creating: url)
        try file.run("PRAGMA journal_mode = DELETE")
        try file.run("BEGIN EXCLUSIVE")
        return file
    }

    private let shortTimeout: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: 0.05]

    @Test("the timeout counts when metadata are read", .timeLimit(.minutes(TestRun.hangMinutes)))
    func metadataTimeout() throws {
        let url = try makeStore()
        let lock = try lock(url)
        let error = thrownError {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                type: .sqlite, at: url, options: shortTimeout)
        }
        expectEqual(error?.code, 134090)
        try lock.run("ROLLBACK")
        _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url, options: shortTimeout)
    }

    @Test("the timeout counts when metadata are written", .timeLimit(.minutes(TestRun.hangMinutes)))
    func setMetadataTimeout() throws {
        let url = try makeStore()
        let lock = try lock(url)
        func write() throws {
            try NSPersistentStoreCoordinator.setMetadata(
                ["own": "value"], type: .sqlite, at: url, options: shortTimeout)
        }
        expectEqual(thrownError { try write() }?.code, 134090)
        try lock.run("ROLLBACK")
        try write()
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        #expect(metadata["own"] as? String == "value")
    }

    @Test("metadata of a store that the options call read-only can't be written")
    func readOnlyMetadata() throws {
        let url = try makeStore()
        let before = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        let error = thrownError {
            try NSPersistentStoreCoordinator.setMetadata(
                ["own": "value"], type: .sqlite, at: url, options: [NSReadOnlyPersistentStoreOption: true])
        }
        expectEqual(error?.code, CocoaError.Code.fileWriteNoPermission.rawValue)
        let after = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
        expectEqual(NSDictionary(dictionary: after), NSDictionary(dictionary: before))
    }

    @Test("pragmas count when metadata are read: a wrong one is an error")
    func pragmas() throws {
        let url = try makeStore()
        func metadata(_ pragmas: [String: String]) throws -> [String: Any] {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(
                type: .sqlite, at: url, options: [NSSQLitePragmasOption: pragmas])
        }
        expectEqual(thrownError { _ = try metadata(["cache_size": "1; DROP TABLE ZBOOK"]) }?.code, 134080)
        #expect(try metadata(["cache_size": "100", "journal_mode": "DELETE"])[NSStoreTypeKey] as? String == "SQLite")
    }

    // MARK: Values of other types

    @Test("A text in place of a Boolean number counts as in NSString: a store is read-only with YES")
    func text() throws {
        let url = try makeStore()
        for (text, isReadOnly) in [("YES", true), ("true", true), ("1", true), ("NO", false), ("", false)] {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try coordinator.addPersistentStore(
                type: .sqlite, at: url, options: [NSReadOnlyPersistentStoreOption: text])
            expectEqual(store.isReadOnly, isReadOnly, "\(text)")
        }
        expectEqual(
            thrownError {
                try NSPersistentStoreCoordinator(managedObjectModel: model).destroyPersistentStore(
                    at: url, type: .sqlite, options: [NSReadOnlyPersistentStoreOption: "YES"])
            }?.code, 513)
    }
}
