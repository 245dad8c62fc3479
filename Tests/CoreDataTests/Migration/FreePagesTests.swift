import CoreData
import Testing

/// The space that a lightweight migration needs temporarily.
@Suite("Space after a lightweight migration")
struct FreePagesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var url: URL { folder.file("store.sqlite") }

    /// The old version has a number, and covers.
    private static func version(isOld: Bool) -> NSManagedObjectModel {
        let attributes = [attribute("name", .stringAttributeType), attribute("text", .stringAttributeType)]
        guard isOld else { return model([entity("Song", attributes)]) }
        let cover = entity("Cover", [attribute("name", .stringAttributeType), attribute("text", .stringAttributeType)])
        return model([entity("Song", attributes + [attribute("number", .integer64AttributeType)]), cover])
    }

    private func open(_ model: NSManagedObjectModel, _ options: [AnyHashable: Any]? = nil) throws
        -> NSManagedObjectContext
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func close(_ context: NSManagedObjectContext) throws {
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// A store with rows of 3,000 bytes.
    private func makeStore() throws {
        let context = try open(Self.version(isOld: true))
        try on(context) {
            let text = String(repeating: "x", count: 3000)
            for number in 0..<2000 { context.make("Song", "\(number)", ["text": text, "number": number]) }
            for number in 0..<1000 { context.make("Cover", "\(number)", ["text": text]) }
            try context.save()
        }
        try close(context)
    }

    /// The rows of a table are written again, since a column is removed.
    private func migrate(_ options: [AnyHashable: Any] = [:]) throws {
        let context = try open(
            Self.version(isOld: false), LightweightMigrationTests.options.merging(options) { $1 })
        try on(context) {
            try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Song")), 2000)
        }
        try close(context)
    }

    private func pragma(_ name: String) throws -> Int64 {
        try requireValue(try SQLiteFile(url).rows("PRAGMA \(name)")[0][name]?.integer)
    }

    @Test("The file is as large as its rows")
    func givenBack() throws {
        try makeStore()
        let before = try pragma("page_count")
        try migrate()
        try #expect(pragma("freelist_count") * 10 < pragma("page_count"))
        try #expect(pragma("page_count") < before)
        try expectEqual(SQLiteFile(url).rows("PRAGMA integrity_check")[0]["integrity_check"]?.text, "ok")
    }

    @Test("A file without incremental vacuum keeps its free pages, and is whole")
    func noVacuum() throws {
        try makeStore()
        let file = try SQLiteFile(creating: url)
        for statement in ["PRAGMA journal_mode = DELETE", "PRAGMA auto_vacuum = 0", "VACUUM"] {
            try file.run(statement)
        }
        try migrate()
        try #expect(pragma("freelist_count") > 0)
        try expectEqual(pragma("auto_vacuum"), 0)
        try expectEqual(SQLiteFile(url).rows("PRAGMA integrity_check")[0]["integrity_check"]?.text, "ok")
    }

    @Test("Deferred work gives the space back when it is finished")
    func deferred() throws {
        try makeStore()
        try migrate([NSPersistentStoreDeferredLightweightMigrationOptionKey: true])
        let context = try open(Self.version(isOld: false))
        try context.persistentStoreCoordinator?.finishDeferredLightweightMigration()
        try close(context)
        try #expect(pragma("freelist_count") * 10 < pragma("page_count"))
        try expectEqual(SQLiteFile(url).columns(of: "ZSONG").contains("ZNUMBER"), false)
    }
}
