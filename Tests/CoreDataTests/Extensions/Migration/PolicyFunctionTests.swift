import CoreData
import Testing

final class CentsPolicy: NSEntityMigrationPolicy {
    struct Negative: Error {}

    func cents(_ price: Double) throws -> Int {
        guard price >= 0 else { throw Negative() }
        return Int((price * 100).rounded())
    }
}

final class RateManager: NSMigrationManager, @unchecked Sendable {
    struct Unknown: Error {}
    var rate: Double?

    func converted(_ price: Double) throws -> Int {
        guard let rate else { throw Unknown() }
        return Int((price * rate).rounded())
    }
}

/// Methods of policies and managers that value expressions call, and policies by other names.
@Suite("Functions of migration policies")
struct PolicyFunctionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        NSEntityMigrationPolicy.register("centsForPrice:", of: CentsPolicy.self) { policy, arguments in
            try policy.cents((arguments[0] as? NSNumber)?.doubleValue ?? 0)
        }
        NSEntityMigrationPolicy.register(CentsPolicy.self, as: "Former.PricePolicy")
        NSMigrationManager.register("convertedPrice:", of: RateManager.self) { manager, arguments in
            try manager.converted((arguments[0] as? NSNumber)?.doubleValue ?? 0)
        }
    }

    private func migrate(
        _ price: Double, policy: String?, value: String = "FUNCTION($entityPolicy, 'centsForPrice:', $source.price)",
        manager: (NSManagedObjectModel, NSManagedObjectModel) -> NSMigrationManager = {
            NSMigrationManager(sourceModel: $0, destinationModel: $1)
        }
    ) throws -> Int64? {
        let old = model([entity("Book", [attribute("price", .doubleAttributeType)])])
        let new = model([entity("Book", [attribute("cents", .integer32AttributeType)])])
        let source = folder.file("\(UUID()).old")
        let destination = folder.file("\(UUID()).new")
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: old)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: source)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            context.make("Book").setValue(price, forKey: "price")
            try context.save()
        }
        let cents = NSPropertyMapping()
        cents.name = "cents"
        cents.valueExpression = NSExpression(format: value)
        let mapping = NSEntityMapping()
        mapping.mappingType = .customEntityMappingType
        mapping.sourceEntityName = "Book"
        mapping.destinationEntityName = "Book"
        mapping.attributeMappings = [cents]
        mapping.entityMigrationPolicyClassName = policy
        let mappingModel = NSMappingModel()
        mappingModel.entityMappings = [mapping]
        try manager(old, new).migrateStore(
            from: source, type: .sqlite, mapping: mappingModel, to: destination, type: .sqlite)
        let made = NSPersistentStoreCoordinator(managedObjectModel: new)
        try made.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: destination)
        let after = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        after.persistentStoreCoordinator = made
        var result: Int64?
        try on(after) { result = try after.all("Book").first?.number("cents") }
        return result
    }

    @Test(
        "An expression calls a registered method",
        arguments: ["CentsPolicy", "CoreDataTests.CentsPolicy", ".CentsPolicy"])
    func call(_ name: String) throws { try expectEqual(migrate(1.25, policy: name), 125) }

    private static let conversion = "FUNCTION($manager, 'convertedPrice:', $source.price)"

    private func migrate(rate: Double?, value: String = conversion) throws -> Int64? {
        try migrate(2, policy: nil, value: value) { old, new in
            let manager = RateManager(sourceModel: old, destinationModel: new)
            manager.rate = rate
            return manager
        }
    }

    @Test("An expression calls a registered method of the manager")
    func managerCall() throws { try expectEqual(migrate(rate: 1.5), 3) }

    @Test("The error of a manager's method ends the migration")
    func failingManager() throws {
        #expect(throws: RateManager.Unknown.self) { _ = try migrate(rate: nil) }
    }

    @Test("An argument has the type that a method takes, or is an error")
    func arguments() throws {
        let given: [Any?] = [NSNumber(value: 7), "text", nil, NSNull()]
        try expectEqual(NSMigrationManager.argument(0, of: given) as Int, 7)
        try expectEqual(NSMigrationManager.argument(0, of: given) as Double?, 7)
        try expectEqual(NSMigrationManager.argument(0, of: given) as NSNumber, 7)
        #expect(try NSMigrationManager.argument(0, of: given) as Bool)
        try expectEqual(NSMigrationManager.argument(1, of: given) as String, "text")
        #expect(try NSMigrationManager.argument(1, of: given) as Any? as? String == "text")
        for position in [2, 3, 4] { try expectEqual(NSMigrationManager.argument(position, of: given) as String?, nil) }
        let error = thrownError { _ = try NSMigrationManager.argument(1, of: given) as Int }
        expectEqual(error?.code, NSMigrationError)
        #expect(thrownError { _ = try NSMigrationManager.argument(2, of: given) as String } != nil)
    }

    @Test("A method that a manager doesn't have is an error that names similar ones")
    func missingManagerMethod() throws {
        let error = thrownError {
            _ = try migrate(rate: 1, value: "FUNCTION($manager, 'convertedPrize:', $source.price)")
        }
        expectEqual(error?.code, NSMigrationError)
        expectEqual(error?.localizedDescription.contains("RateManager"), true)
        expectEqual(error?.localizedDescription.contains("convertedPrice:"), true)
    }

    @Test("A policy is found by a registered name")
    func otherName() throws { try expectEqual(migrate(1.5, policy: "Former.PricePolicy"), 150) }

    @Test("The error of a method ends the migration")
    func failing() throws {
        #expect(throws: CentsPolicy.Negative.self) { _ = try migrate(-1, policy: "CentsPolicy") }
    }

    @Test("A method that is not registered is an error that names it")
    func missingMethod() throws {
        let error = thrownError {
            _ = try migrate(1, policy: "CentsPolicy", value: "FUNCTION($entityPolicy, 'cents:', $source.price)")
        }
        expectEqual(error?.code, NSEntityMigrationPolicyError)
        expectEqual(error?.localizedDescription.contains("cents:"), true)
    }

    @Test("An unknown policy is an error that names similar ones")
    func missingClass() throws {
        let error = thrownError { _ = try migrate(1, policy: "CentPolicy") }
        expectEqual(error?.code, NSEntityMigrationPolicyError)
        expectEqual(error?.localizedDescription.contains("CentsPolicy"), true)
    }

    @Test("A mapping model for another version is an error that names the entity and its side")
    func otherVersion() throws {
        let old = model([entity("Book", [attribute("price", .doubleAttributeType)])])
        let new = model([entity("Book", [attribute("cents", .integer32AttributeType)])])
        let source = folder.file("\(UUID()).old")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: old)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: source)
        let mapping = NSEntityMapping()
        mapping.name = "BookToBook"
        mapping.mappingType = .customEntityMappingType
        mapping.sourceEntityName = "Book"
        mapping.sourceEntityVersionHash = new.entityVersionHashesByName["Book"]
        mapping.destinationEntityName = "Book"
        let mappingModel = NSMappingModel()
        mappingModel.entityMappings = [mapping]
        let destination = folder.file("\(UUID()).new")
        let error = thrownError {
            try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
                from: source, type: .sqlite, mapping: mappingModel, to: destination, type: .sqlite)
        }
        expectEqual(error?.code, NSMigrationError)
        expectEqual(
            error?.localizedFailureReason,
            "“BookToBook” was made for another version of the source entity Book.")
        expectFalse(FileManager.default.fileExists(atPath: destination.path))
    }

    @Test("A value that the attribute can't have is an error that names it")
    func unacceptable() throws {
        let text = thrownError { _ = try migrate(1, policy: nil, value: "'text'") }
        expectEqual(text?.code, NSMigrationError)
        #expect(text?.userInfo["attribute"] as? String == "cents")
        let large = thrownError { _ = try migrate(1e12, policy: nil, value: "$source.price") }
        expectEqual(large?.code, NSMigrationError)
    }
}
