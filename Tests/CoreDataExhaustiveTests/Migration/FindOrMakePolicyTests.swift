import CoreData
import TestSupport
import Testing

/// Makes a car and its maker, or takes the maker that an earlier car has made. Subclasses look for it in their ways.
class MakerFindingPolicy: NSEntityMigrationPolicy {
    func maker(named name: String, _ manager: NSMigrationManager) throws -> NSManagedObject? { nil }
    func didMake(_ maker: NSManagedObject, named name: String, _ manager: NSMigrationManager) {}

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let maker = try findOrMake(sInstance, manager)
        let cars = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        cars.first?.setValue(maker, forKey: "maker")
    }

    fileprivate func findOrMake(_ car: NSManagedObject, _ manager: NSMigrationManager) throws -> NSManagedObject {
        let name = car.text("maker") ?? ""
        if let found = try maker(named: name, manager) { return found }
        let made = NSEntityDescription.insertNewObject(forEntityName: "Maker", into: manager.destinationContext)
        made.setValue(name, forKey: "name")
        didMake(made, named: name, manager)
        return made
    }

    fileprivate static func first(_ objects: Set<NSManagedObject>, _ name: String) -> NSManagedObject? {
        objects.first { $0.entity.name == "Maker" && $0.text("name") == name }
    }
}

/// Makes makers alone, so that a look through all objects is short.
class MakerAlonePolicy: MakerFindingPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let maker = try findOrMake(sInstance, manager)
        manager.associate(sourceInstance: sInstance, withDestinationInstance: maker, for: mapping)
    }
}

final class RegisteredMakerPolicy: MakerAlonePolicy {
    override func maker(named name: String, _ manager: NSMigrationManager) -> NSManagedObject? {
        Self.first(manager.destinationContext.registeredObjects, name)
    }
}

final class InsertedMakerPolicy: MakerAlonePolicy {
    override func maker(named name: String, _ manager: NSMigrationManager) -> NSManagedObject? {
        Self.first(manager.destinationContext.insertedObjects, name)
    }
}

final class RememberedMakerPolicy: MakerFindingPolicy {
    override func maker(named name: String, _ manager: NSMigrationManager) -> NSManagedObject? {
        manager.userInfo?[name] as? NSManagedObject
    }
    override func didMake(_ maker: NSManagedObject, named name: String, _ manager: NSMigrationManager) {
        manager.userInfo = (manager.userInfo ?? [:]).merging([name: maker]) { $1 }
    }
}

final class FetchedMakerPolicy: MakerFindingPolicy {
    override func maker(named name: String, _ manager: NSMigrationManager) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Maker")
        request.predicate = NSPredicate(format: "name == %@", name)
        return try manager.destinationContext.fetch(request).first
    }
}

/// Finds a maker by the ID that it had when it was made.
final class IdentifiedMakerPolicy: MakerFindingPolicy {
    override func maker(named name: String, _ manager: NSMigrationManager) -> NSManagedObject? {
        (manager.userInfo?[name] as? NSManagedObjectID).map(manager.destinationContext.object(with:))
    }
    override func didMake(_ maker: NSManagedObject, named name: String, _ manager: NSMigrationManager) {
        manager.userInfo = (manager.userInfo ?? [:]).merging([name: maker.objectID]) { $1 }
    }
}

/// Looks at all objects when the last method is called.
final class LookingPolicy: NSEntityMigrationPolicy {
    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        let context = manager.destinationContext
        let cars = context.registeredObjects
        expectEqual(cars.count, 1001)
        expectEqual(context.insertedObjects, cars)
        #expect(cars.allSatisfy { !$0.isFault && $0.isInserted && $0.objectID.isTemporaryID })
        expectEqual(Set(cars.map { $0.text("name") }).count, 1001)
        expectEqual(manager.sourceContext.registeredObjects.count, 1001)
        let sources = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: nil)
        expectEqual(Set(sources), manager.sourceContext.registeredObjects)
        expectEqual(Set(sources.map { $0.text("name") }).count, 1001)
    }
}

/// Writes a note into each source object in the first pass, and reads it in the second.
final class SourceNotingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        sInstance.setValue("seen", forKey: "maker")
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }
    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let sources = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [dInstance])
        expectEqual(sources.map { $0.text("maker") }, ["seen"])
    }
}

/// Saves the new objects itself, and deletes every other one.
final class SavingPolicy: NSEntityMigrationPolicy {
    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        let context = manager.destinationContext
        try context.save()
        let cars = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil)
        for car in cars where car.text("name")?.hasSuffix("1") == true { context.delete(car) }
    }
    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let sources = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [dInstance])
        expectEqual(sources.map { $0.text("name") }, [dInstance.text("name")])
    }
}

/// Policies that look for the objects that were made before, in the contexts of the manager.
@Suite("Policies that find or make objects")
struct FindOrMakePolicyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let makerNames = ["Alfa", "BMW", "Citroën", "Daf", "Edsel", "Fiat", "Gaz"]

    private static func car(_ mappings: Int, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
        let car = entity("Car", properties)
        car.isAbstract = true
        car.subentities = (0..<mappings).map { entity("Car\($0)") }
        return car
    }

    private static func oldModel(_ mappings: Int) -> NSManagedObjectModel {
        let car = car(mappings, [attribute("name", .stringAttributeType), attribute("maker", .stringAttributeType)])
        return model([car] + car.subentities)
    }

    private static func newModel(_ mappings: Int) -> NSManagedObjectModel {
        let maker = entity("Maker", [attribute("name", .stringAttributeType)])
        let (owner, cars) = (toOne("maker", maker), NSRelationshipDescription())
        let car = car(mappings, [attribute("name", .stringAttributeType), owner])
        cars.name = "cars"
        cars.destinationEntity = car
        cars.maxCount = 0
        cars.isOptional = true
        pair(owner, cars)
        maker.properties.append(cars)
        maker.uniquenessConstraints = [["name"]]
        return model([maker, car] + car.subentities)
    }

    private func open(_ model: NSManagedObjectModel, _ name: String) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file(name), options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Makes a store with cars of several entities, and migrates it.
    private func migrate(_ policy: AnyClass, count: Int, mappings: Int = 1) throws {
        let old = Self.oldModel(mappings)
        let source = try open(old, "old.sqlite")
        try on(source) {
            for number in 0..<count {
                source.make("Car\(number % mappings)", "\(number)", ["maker": Self.makerNames[number % 7]])
            }
            try source.save()
        }
        let model = NSMappingModel()
        model.entityMappings = (0..<mappings).map { number in
            let name = NSPropertyMapping()
            name.name = "name"
            name.valueExpression = NSExpression(format: "$source.name")
            let mapping = NSEntityMapping()
            mapping.name = "Car\(number)ToCar\(number)"
            mapping.mappingType = .customEntityMappingType
            mapping.sourceEntityName = "Car\(number)"
            mapping.destinationEntityName = "Car\(number)"
            mapping.attributeMappings = [name]
            mapping.relationshipMappings = []
            mapping.entityMigrationPolicyClassName = NSStringFromClass(policy)
            mapping.sourceExpression = NSExpression(
                format: """
                    FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'Car\(number)', \
                    'TRUEPREDICATE'), FUNCTION($manager, 'valueForKeyPath:', 'sourceContext'), NO)
                    """)
            return mapping
        }
        try NSMigrationManager(sourceModel: old, destinationModel: Self.newModel(mappings)).migrateStore(
            from: folder.file("old.sqlite"), sourceType: NSSQLiteStoreType, options: nil, with: model,
            toDestinationURL: folder.file("new.sqlite"), destinationType: NSSQLiteStoreType, destinationOptions: nil)
    }

    /// The names of the makers in the new store, and the numbers of their cars.
    private func makers(_ mappings: Int = 1) throws -> (names: [String], carCounts: [Int]) {
        let context = try open(Self.newModel(mappings), "new.sqlite")
        var result: (names: [String], carCounts: [Int]) = ([], [])
        try on(context) {
            let all = try context.all("Maker").sorted { ($0.text("name") ?? "") < ($1.text("name") ?? "") }
            result = (all.map { $0.text("name") ?? "" }, all.map { $0.objects("cars").count })
        }
        return result
    }

    /// A number of objects, and of the mappings that share them.
    struct Size: Sendable {
        let count: Int
        let mappings: Int
    }

    private static let sizes =
        [1, 1000, 1001].flatMap { count in [1, 2, 10].map { Size(count: count, mappings: $0) } }
        + (TestRun.isLong ? (3...9).map { Size(count: 1001, mappings: $0) } : [])
        + (TestRun.isLong ? [1, 10].map { Size(count: 100_000, mappings: $0) } : [])

    private func check(_ policy: AnyClass, _ size: Size, makesCars: Bool = true) throws {
        let (count, mappings) = (size.count, size.mappings)
        try migrate(policy, count: count, mappings: mappings)
        let (names, carCounts) = try makers(mappings)
        expectEqual(names, Array(Self.makerNames.prefix(count)))
        let expected = (0..<min(7, count)).map { makesCars ? (count - $0 + 6) / 7 : 0 }
        expectEqual(carCounts, expected)
    }

    @Test("An object is found among the registered objects of the new context", arguments: sizes)
    func registered(_ size: Size) throws {
        try check(RegisteredMakerPolicy.self, size, makesCars: false)
    }

    @Test("An object is found among the inserted objects of the new context", arguments: sizes)
    func inserted(_ size: Size) throws {
        try check(InsertedMakerPolicy.self, size, makesCars: false)
    }

    @Test("An object that the manager's userInfo retains has its values", arguments: sizes)
    func remembered(_ size: Size) throws {
        try check(RememberedMakerPolicy.self, size)
    }

    @Test("An object is found by a fetch in the new context", arguments: sizes)
    func fetched(_ size: Size) throws { try check(FetchedMakerPolicy.self, size) }

    @Test("An object is found by its temporary ID", arguments: sizes)
    func identified(_ size: Size) throws { try check(IdentifiedMakerPolicy.self, size) }

    @Test("All objects are registered until the end, the new ones unsaved and with values")
    func everything() throws { try migrate(LookingPolicy.self, count: 1001) }

    @Test("The changes that a policy makes in source objects stay until the end")
    func changedSources() throws { try migrate(SourceNotingPolicy.self, count: 1001) }

    @Test("A policy may save the new context and delete objects")
    func savingPolicy() throws {
        try migrate(SavingPolicy.self, count: 1001)
        let context = try open(Self.newModel(1), "new.sqlite")
        try on(context) { try expectEqual(context.names("Car").count, 1001 - 100) }
    }
}
