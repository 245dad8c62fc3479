import CoreData
import Testing

final class CentsPolicy: NSEntityMigrationPolicy {
    struct Negative: Error {}

    func cents(_ price: Double) throws -> Int {
        guard price >= 0 else { throw Negative() }
        return Int((price * 100).rounded())
    }
}

/// Methods of policies that value expressions call, and policies by other names.
@Suite("Functions of migration policies")
struct PolicyFunctionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        NSEntityMigrationPolicy.register("centsForPrice:", of: CentsPolicy.self) { policy, arguments in
            try policy.cents((arguments[0] as? NSNumber)?.doubleValue ?? 0)
        }
        NSEntityMigrationPolicy.register(CentsPolicy.self, as: "Former.PricePolicy")
    }

    private func migrate(
        _ price: Double, policy: String?, value: String = "FUNCTION($entityPolicy, 'centsForPrice:', $source.price)"
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
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
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
    func call(_ name: String) throws { try #expect(migrate(1.25, policy: name) == 125) }

    @Test("A policy is found by a registered name")
    func otherName() throws { try #expect(migrate(1.5, policy: "Former.PricePolicy") == 150) }

    @Test("The error of a method ends the migration")
    func failing() throws {
        #expect(throws: CentsPolicy.Negative.self) { _ = try migrate(-1, policy: "CentsPolicy") }
    }

    @Test("A method that is not registered is an error that names it")
    func missingMethod() throws {
        let error = thrownError {
            _ = try migrate(1, policy: "CentsPolicy", value: "FUNCTION($entityPolicy, 'cents:', $source.price)")
        }
        #expect(error?.code == NSEntityMigrationPolicyError)
        #expect(error?.localizedDescription.contains("cents:") == true)
    }

    @Test("An unknown policy is an error that names similar ones")
    func missingClass() throws {
        let error = thrownError { _ = try migrate(1, policy: "CentPolicy") }
        #expect(error?.code == NSEntityMigrationPolicyError)
        #expect(error?.localizedDescription.contains("CentsPolicy") == true)
    }

    @Test("A value that the attribute can't have is an error that names it")
    func unacceptable() throws {
        let text = thrownError { _ = try migrate(1, policy: nil, value: "'text'") }
        #expect(text?.code == NSMigrationError && text?.userInfo["attribute"] as? String == "cents")
        let large = thrownError { _ = try migrate(1e12, policy: nil, value: "$source.price") }
        #expect(large?.code == NSMigrationError)
    }
}
