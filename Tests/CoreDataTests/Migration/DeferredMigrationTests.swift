import CoreData
import Testing

/// Lightweight migrations that leave work for later.
@Suite("Deferred migration")
struct DeferredMigrationTests {
    private let folder: TemporaryFolder
    private static let key = NSPersistentStoreDeferredLightweightMigrationOptionKey

    init() throws { folder = try TemporaryFolder() }

    private static let kind = StoreKind.tables
    private var url: URL { Self.kind.url("store.sqlite", in: folder) }

    /// Checks the file of a SQLite store.
    private func onFile(_ body: (SQLiteFile) throws -> Void) throws {
        if Self.kind == .sqlite { try body(SQLiteFile(url)) }
    }

    private static func old() -> NSManagedObjectModel {
        model([
            entity(
                "Song",
                [
                    attribute("name", .stringAttributeType), attribute("first", .stringAttributeType),
                    attribute("second", .integer16AttributeType),
                ]), entity("Zone", [attribute("name", .stringAttributeType)]),
        ])
    }
    private static func new() -> NSManagedObjectModel {
        model([
            entity("Song", [attribute("name", .stringAttributeType), attribute("note", .stringAttributeType)])
        ])
    }

    private func open(_ model: NSManagedObjectModel, isDeferred: Bool = true) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        var options = LightweightMigrationTests.options
        options[Self.key] = NSNumber(value: isDeferred)
        try coordinator.addPersistentStore(
            ofType: Self.kind.type, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func migrated() throws -> NSManagedObjectContext {
        let context = try open(Self.old())
        try on(context) {
            context.make("Song", "Blue", ["first": "1", "second": 2])
            context.make("Zone", "gone")
            try context.save()
        }
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        try coordinator.remove(coordinator.persistentStores[0])
        return try open(Self.new())
    }

    private func isPending(_ context: NSManagedObjectContext) throws -> Bool {
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        let metadata = coordinator.metadata(for: coordinator.persistentStores[0])
        return (metadata[Self.key] as? NSNumber)?.boolValue ?? false
    }

    @Test("A table that is written again has its indexes, though the former one is left for later")
    func indexes() throws {
        func version(_ type: NSAttributeType) -> NSManagedObjectModel {
            let name = attribute("name", .stringAttributeType)
            let song = entity("Song", [name, attribute("minutes", type)])
            song.indexes = [
                NSFetchIndexDescription(
                    name: "byName",
                    elements: [NSFetchIndexElementDescription(property: name, collationType: .binary)])
            ]
            return model([song])
        }
        let old = try open(version(.doubleAttributeType))
        try on(old) {
            old.make("Song", "Blue")
            try old.save()
        }
        let coordinator = try requireValue(old.persistentStoreCoordinator)
        try coordinator.remove(coordinator.persistentStores[0])
        let context = try open(version(.integer16AttributeType))
        try on(context) { try expectEqual(context.names("Song"), ["Blue"]) }
        try onFile {
            try expectEqual(
                $0.rows("SELECT tbl_name FROM sqlite_master WHERE name = 'Z_Song_byName'"),
                [["tbl_name": .text("ZSONG")]])
        }
    }

    @Test("The store is usable at once, and the work is done later in one call")
    func whole() throws {
        let context = try migrated()
        try expectTrue(isPending(context))
        try onFile { try expectContains($0.columns(of: "ZSONG"), "ZFIRST") }
        try on(context) {
            try expectEqual(context.names("Song"), ["Blue"])
            context.make("Song", "Green", ["note": "new"])
            try context.save()
            try context.persistentStoreCoordinator?.finishDeferredLightweightMigration()
            context.make("Song", "Red")
            try context.save()
            context.refreshAllObjects()
            try expectEqual(context.names("Song"), ["Blue", "Green", "Red"])
        }
        try expectFalse(isPending(context))
        try onFile { file in
            try expectEqual(Set(file.columns(of: "ZSONG")), ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME", "ZNOTE"])
            try #expect(!file.tables().contains { $0.contains("MIGRATED") || $0 == "ZZONE" })
            try expectEqual(file.rows("PRAGMA integrity_check")[0]["integrity_check"]?.text, "ok")
        }
    }

    @Test("The work is done in parts")
    func parts() throws {
        let context = try migrated()
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        var parts = 0
        while try isPending(context) {
            try coordinator.finishDeferredLightweightMigrationTask()
            parts += 1
        }
        // Two columns and a table.
        expectEqual(parts, 3)
        try onFile { try expectEqual(Set($0.columns(of: "ZSONG")), ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME", "ZNOTE"]) }
    }

    @Test("The work survives closing, and another migration does it before it begins")
    func nextMigration() throws {
        let context = try migrated()
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        try coordinator.remove(coordinator.persistentStores[0])
        let reopened = try open(Self.new())
        try expectTrue(isPending(reopened))
        let second = try requireValue(reopened.persistentStoreCoordinator)
        try second.remove(second.persistentStores[0])
        // "first" comes back, as a number.
        let next = model([
            entity("Song", [attribute("name", .stringAttributeType), attribute("first", .integer64AttributeType)])
        ])
        let last = try open(next, isDeferred: false)
        try on(last) {
            let song = try last.one("Song", "Blue")
            #expect(song.value(forKey: "first") == nil)
        }
        try expectFalse(isPending(last))
        try onFile { try expectEqual(Set($0.columns(of: "ZSONG")), ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME", "ZFIRST"]) }
    }

    @Test("A migration without work for later is complete")
    func nothingLeft() throws {
        let context = try open(model([entity("Song", [attribute("name", .stringAttributeType)])]))
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        try coordinator.remove(coordinator.persistentStores[0])
        try expectFalse(isPending(open(Self.new())))
    }
}
