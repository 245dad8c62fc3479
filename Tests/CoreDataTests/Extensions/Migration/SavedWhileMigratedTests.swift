import CoreData
import Testing

/// A program saves while another one makes a new store from the old one, which then takes its place.
@Suite("Saves during a migration that makes a new store")
struct SavedWhileMigratedTests {
    private static func make(_ version: Int) -> NSManagedObjectModel {
        let added = (1..<version).map { attribute("added\($0)", .integer64AttributeType) }
        return model([entity("Person", [attribute("name", .stringAttributeType)] + added)])
    }

    private func open(
        _ url: URL, _ type: String = NSSQLiteStoreType, version: Int, hasHistory: Bool = false
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.make(version))
        var options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: 0]
        if hasHistory { options[NSPersistentHistoryTrackingKey] = true }
        _ = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// A migration by mapping models through some versions.
    private func migration(_ versions: Int...) throws -> ProgressiveMigration {
        let models = versions.map(Self.make)
        let mappings = try zip(models, models.dropFirst()).map { old, new in
            let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
            // A mapping model that differs from the inferred one is executed by a manager.
            for entity: NSEntityMapping in mapping.entityMappings { entity.userInfo = ["made": "by hand"] }
            return mapping
        }
        return try ProgressiveMigration(
            from: models[0], to: models[models.count - 1], through: models, mappingModels: mappings, bundles: [])
    }

    @Test(
        "A save throws, or the new store has its objects",
        arguments: [NSSQLiteStoreType, NSBinaryStoreType, NSXMLStoreType], [true, false])
    func saves(type: String, isOneStep: Bool) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("People.store")
        let old = try open(url, type, version: 1)
        try on(old) {
            old.make("Person", "Ada")
            try old.save()
        }
        let migration = try isOneStep ? migration(1, 3) : migration(1, 2, 3)
        expectEqual(migration.steps.count, (isOneStep ? 1 : 2))
        var expected: Set<String> = ["Ada"]
        var calls = 0
        try migration.migrateStore(at: url, type: NSPersistentStore.StoreType(rawValue: type)) { _, _ in
            calls += 1
            old.performAndWait {
                old.make("Person", "\(calls)")
                do {
                    try old.save()
                    expected.insert("\(calls)")
                } catch let error as NSError {
                    expectEqual(error.code, NSPersistentStoreTimeoutError, "\(error)")
                    old.rollback()
                }
            }
        }
        #expect(calls > 1)
        let new = try open(url, type, version: 3)
        try on(new) {
            let names = try new.names("Person")
            expectEqual(Set(names), expected)
            expectEqual(names.count, expected.count)
        }
    }

    @Test("The history of a store that a mapping model has migrated begins after the old one, whose tokens expire")
    func history() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("People.sqlite")
        let old = try open(url, version: 1, hasHistory: true)
        var tokens: [NSPersistentHistoryToken?] = []
        try on(old) {
            for name in ["Ada", "Bob", "Cy"] {
                old.make("Person", name)
                try old.save()
                tokens.append(old.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil))
            }
        }
        try migration(1, 2).migrateStore(
            at: url, type: .sqlite, options: [NSPersistentHistoryTrackingKey: true])
        let new = try open(url, version: 2, hasHistory: true)
        func transactions(after token: NSPersistentHistoryToken?) throws -> [NSPersistentHistoryTransaction] {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            let result = try new.execute(request) as? NSPersistentHistoryResult
            return try requireValue(result?.result as? [NSPersistentHistoryTransaction])
        }
        try on(new) {
            let inherited = try transactions(after: nil)
            expectEmpty(inherited)
            new.make("Person", "Dan")
            try new.save()
            let numbers = try transactions(after: nil).map(\.transactionNumber)
            expectEqual(numbers.count, 1)
            #expect(numbers.allSatisfy { $0 > 3 })
            for token in tokens.dropLast() {
                let error = thrownError { _ = try transactions(after: token) }
                expectEqual(error?.code, NSPersistentHistoryTokenExpiredError, "\(String(describing: error))")
            }
        }
    }
}
