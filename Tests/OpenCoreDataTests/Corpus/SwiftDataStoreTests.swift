import OpenCoreData
import Testing

@testable import CoreDataStores

@Suite("Stores that SwiftData has made", .enabled(if: Corpus.isPresent, "the corpus is not at hand"))
struct SwiftDataStoreTests {
    let folder = try! TemporaryFolder()

    private func hashes(of store: URL) throws -> [String: Data]? {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: store)[
            NSStoreModelVersionHashesKey] as? [String: Data]
    }

    @Test("The cached model has the hashes of the metadata", arguments: Corpus.storesOfSwiftData)
    func hashes(path: String) throws {
        let url = URL(fileURLWithPath: try Corpus.copy(path, into: folder))
        let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
        try expectEqual(hashes(of: url), model.entityVersionHashesByName)
        #expect(
            model.entities.contains { $0.attributesByName.values.contains { $0 is NSCompositeAttributeDescription } })
    }

    @Test("Composite values are those of the columns", arguments: Corpus.storesOfSwiftData)
    func values(path: String) throws {
        let copy = try Corpus.copy(path, into: folder)
        let stack = try RealStack(copy)
        let connection = try SQLiteConnection(path: copy, mode: .readWrite)
        let statement = try connection.statement("SELECT Z_PK, ZPERSON, ZYEAR FROM ZCOCKTAIL")
        var rows: [Int64: [String?]] = [:]
        while try statement.step() {
            rows[statement.int64(at: 0)] = [statement.text(at: 1), statement.text(at: 2)]
        }
        statement.reset()
        try stack.context.performAndWait {
            let cocktails = try stack.objects(of: try requireValue(stack.model.entitiesByName["Cocktail"]))
            expectEqual(cocktails.count, rows.count)
            for cocktail in cocktails {
                let author = cocktail.value(forKey: "author") as? [String: Any]
                let key = Int64(cocktail.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0
                expectEqual([author?["person"] as? String, author?["year"] as? String], rows[key])
            }
        }
    }

    @Test("A changed element is saved into its column, and nothing else changes", arguments: Corpus.storesOfSwiftData)
    func change(path: String) throws {
        let copy = try Corpus.copy(path, into: folder)
        let before = try FileContents(copy)
        var key = ""
        do {
            // Without the option a store with a history is read-only.
            let stack = try RealStack(copy, options: [NSPersistentHistoryTrackingKey: true as NSNumber])
            try stack.context.performAndWait {
                let cocktails = try stack.objects(of: try requireValue(stack.model.entitiesByName["Cocktail"]))
                let cocktail = try requireValue(cocktails.first { $0.value(forKey: "author") != nil })
                var author = try requireValue(cocktail.value(forKey: "author") as? [String: Any])
                author["person"] = "Ada"
                cocktail.setValue(author, forKey: "author")
                try stack.context.save()
                key = String(cocktail.objectID.uriRepresentation().lastPathComponent.dropFirst())
            }
        }
        let after = try FileContents(copy)
        expectEqual(after.integrity, "ok")
        expectEqual(after.cells["ZCOCKTAIL/\(key)/ZPERSON"], "'Ada'")
        let counters = [16001, 16002, 16003].map { "Z_PRIMARYKEY/\($0)/Z_MAX" }
        expectEqual(after.changes(since: before), ["ZCOCKTAIL/\(key)/ZPERSON", "ZCOCKTAIL/\(key)/Z_OPT"] + counters)
    }

    @Test("A store made here from the model has the same tables", arguments: Corpus.storesOfSwiftData)
    func tables(path: String) throws {
        let theirs = try Corpus.copy(path, into: folder)
        let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: URL(fileURLWithPath: theirs))
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        let url = folder.url.appendingPathComponent("Made.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.remove(
            coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url))
        try expectEqual(Self.tables(url.path), Self.tables(theirs))
        try expectEqual(hashes(of: url), hashes(of: URL(fileURLWithPath: theirs)))
    }

    /// The SQL of the tables of entities and of many-to-many relationships.
    private static func tables(_ path: String) throws -> [String] {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        let statement = try connection.statement(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%' AND sql IS NOT NULL ORDER BY name")
        var tables: [String] = []
        while try statement.step() { tables.append(statement.text(at: 0) ?? "") }
        statement.reset()
        return tables
    }
}
