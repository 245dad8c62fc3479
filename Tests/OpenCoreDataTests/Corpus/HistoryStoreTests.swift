import OpenCoreData
import Testing

@testable import CoreDataStores

/// A history that Apple's framework has recorded is read here, and goes on here.
@Suite("Stores with a history of Apple's", .enabled(if: Corpus.isPresent, "the corpus is not at hand"))
struct HistoryStoreTests {
    let folder = try! TemporaryFolder()
    private static var option: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true as NSNumber] }

    private func result<T>(_ request: NSPersistentHistoryChangeRequest, _ stack: RealStack) throws -> T? {
        (try stack.context.execute(request) as? NSPersistentHistoryResult)?.result as? T
    }

    @Test("Its changes are read, with and without the option", arguments: Corpus.storesOfSwiftData, [true, false])
    func reading(path: String, isTracking: Bool) throws {
        let copy = try Corpus.copy(path, into: folder)
        let stack = try RealStack(copy, options: isTracking ? Self.option : nil)
        try stack.context.performAndWait {
            let all: [NSPersistentHistoryTransaction]? = try result(.fetchHistory(after: Date.distantPast), stack)
            let transaction = try requireValue(all?.first)
            expectEqual(all?.count, 1)
            expectEqual(transaction.author, nil)
            expectEqual(transaction.contextName, nil)
            expectEqual(transaction.processID, "MetaCocktailsSwiftData")
            expectTrue(transaction.bundleID.hasSuffix(".MetaCocktailsSwiftData"))
            let changes = try requireValue(transaction.changes)
            expectEqual(changes.count, 2772)
            #expect(changes.allSatisfy { $0.changeType == .insert })
            let counts = Dictionary(grouping: changes) { $0.changedObjectID.entity.name }.mapValues(\.count)
            expectEqual(counts, ["Cocktail": 416, "Garnish": 77, "Ingredient": 1884, "IngredientBase": 395])
            let ids = Set(changes.map(\.changedObjectID))
            let cocktails = try stack.objects(of: try requireValue(stack.model.entitiesByName["Cocktail"]))
            expectEqual(ids.count, 2772)
            #expect(cocktails.allSatisfy { ids.contains($0.objectID) })
        }
    }

    @Test("A save goes on where Apple's framework ended", arguments: Corpus.storesOfSwiftData)
    func continuing(path: String) throws {
        let copy = try Corpus.copy(path, into: folder)
        let stack = try RealStack(copy, options: Self.option)
        try stack.context.performAndWait {
            let entity = try requireValue(stack.model.entitiesByName["Garnish"])
            let garnish = try requireValue(try stack.objects(of: entity).first)
            let token = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
            stack.context.transactionAuthor = "here"
            garnish.setValue("Lime", forKey: "name")
            try stack.context.save()
            let new: [NSPersistentHistoryTransaction]? = try result(.fetchHistory(after: token), stack)
            let transaction = try requireValue(new?.first)
            expectEqual(new?.count, 1)
            expectEqual(transaction.transactionNumber, 2)
            expectEqual(transaction.author, "here")
            let change = try requireValue(transaction.changes?.first)
            expectEqual(transaction.changes?.count, 1)
            expectEqual(change.changeID, 2773)
            expectEqual(change.changeType, .update)
            expectEqual(change.changedObjectID, garnish.objectID)
            expectEqual(change.updatedProperties?.map(\.name), ["name"])
        }
    }

    @Test("The tables and indexes made here have Apple's text", arguments: Corpus.storesOfSwiftData)
    func tables(path: String) throws {
        let theirs = try Corpus.copy(path, into: folder)
        let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: URL(fileURLWithPath: theirs))
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        let url = folder.url.appendingPathComponent("Made.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.remove(
            coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: Self.option))
        let ours = try Self.definitions(url.path)
        expectEqual(ours.count, 11)
        try expectEqual(ours, Self.definitions(theirs))
    }

    /// The SQL of the history's tables and indexes.
    private static func definitions(_ path: String) throws -> [String] {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        let statement = try connection.statement(
            """
            SELECT sql FROM sqlite_master WHERE tbl_name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING') \
            AND sql IS NOT NULL ORDER BY name
            """)
        var found: [String] = []
        while try statement.step() { found.append(statement.text(at: 0) ?? "") }
        statement.reset()
        return found
    }
}
