import CoreData
import Testing

class LookUpVehicle: NSManagedObject {}
class LookUpCar: LookUpVehicle {}
private final class HiddenLookUp: NSManagedObject {}
enum LookUpSpace {
    class Rocket: NSManagedObject {}
}
class LookUpOther: NSManagedObject {}

@Suite("Classes of entities")
struct ClassLookUpTests {
    private static func model(_ classes: [(entity: String, class: String?)]) -> NSManagedObjectModel {
        model(
            classes.map { name, className in
                let made = entity(name, [attribute("name", .stringAttributeType)])
                made.managedObjectClassName = className
                return made
            })
    }

    private static func model(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private static func added(_ model: NSManagedObjectModel, configuration: String? = nil) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: configuration, at: nil, options: nil)
    }

    @Test(
        """
        A class is found by its name, with a dot, with its module, nested and private, without being used or \
        registered before
        """,
        arguments: [
            ("LookUpCar", "LookUpCar"), (".LookUpCar", "LookUpCar"), ("CoreDataTests.LookUpCar", "LookUpCar"),
            ("HiddenLookUp", "HiddenLookUp"),
            ("Rocket", "Rocket"), ("CoreDataTests.LookUpSpace.Rocket", "Rocket"),
            ("CoreDataTests.HiddenLookUp", "HiddenLookUp"),
        ])
    func found(name: String, type: String) throws {
        try withStack(.memory, model: Self.model([("Thing", name)])) { stack in
            expectEqual(String(describing: Swift.type(of: stack.context.make("Thing", "a"))), type)
        }
    }

    @Test("A private class is found by the name that Swift prints for it")
    func printedName() throws {
        try withStack(.memory, model: Self.model([("Thing", String(reflecting: HiddenLookUp.self))])) { stack in
            #expect(stack.context.make("Thing", "a") is HiddenLookUp)
        }
    }

    /// The lines that a program writes to its log.
    private static func log(_ result: ExitTest.Result?) throws -> String {
        String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
    }

    @Test("An unknown class is replaced by NSManagedObject, and one warning lists the known classes, the nearest first")
    func unknown() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for _ in 0..<2 {
                try withStack(.sqlite, model: Self.model([("Car", "LookUpCra"), ("Other", "LookUpOther")])) { stack in
                    for _ in 0..<2 { #expect(type(of: stack.context.make("Car", "a")) == NSManagedObject.self) }
                    #expect(stack.context.make("Other", "b") is LookUpOther)
                    try stack.context.save()
                    try expectEqual(stack.context.names("Car"), ["a", "a"])
                }
            }
        }
        let text = try Self.log(result)
        expectContains(
            text,
            """
            Unable to load class named 'LookUpCra' for entity 'Car'. Class not found, using default \
            NSManagedObject instead. Did you mean 'CoreDataTests.LookUpCar'?
            """, "\(text)")
        expectContains(text, "Known classes: CoreDataTests.LookUpCar, ", "\(text)")
        expectContains(text, "NSManagedObject.register(_:)")
        expectEqual(text.components(separatedBy: "Unable to load").count, 2, "\(text)")
    }

    @Test(
        "Several unknown classes are told at once; those of other configurations and of abstract entities don't matter")
    func several() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try Self.added(Self.model([("A", "NoSuchClassA"), ("B", "NoSuchClassB")]))
            let split = Self.model([("C", "NoSuchClassC"), ("D", "LookUpCar")])
            split.entitiesByName["D"].map { split.setEntities([$0], forConfigurationName: "Fine") }
            try Self.added(split, configuration: "Fine")
            let abstract = Self.model([("E", "NoSuchClassE")])
            abstract.entities[0].isAbstract = true
            try Self.added(abstract)
        }
        let text = try Self.log(result)
        expectContains(text, "'NoSuchClassA' (entity 'A'), 'NoSuchClassB' (entity 'B')", "\(text)")
        #expect(!text.contains("NoSuchClassC"))
        #expect(!text.contains("NoSuchClassE"))
    }

    @Test("A class that doesn't inherit from the superentity's is used, with a warning")
    func unrelated() throws {
        let parent = entity("Vehicle")
        let child = entity("Car")
        parent.managedObjectClassName = "LookUpVehicle"
        child.managedObjectClassName = "LookUpOther"
        parent.subentities = [child]
        parent.properties = [attribute("name", .stringAttributeType)]
        try withStack(.memory, model: Self.model([parent, child])) { stack in
            stack.context.make("Car", "a")
            stack.context.make("Vehicle", "b")
            try stack.context.save()
            let all = try stack.context.all("Vehicle")
            expectEqual(Set(all.map { String(describing: type(of: $0)) }), ["LookUpOther", "LookUpVehicle"])
        }
    }

    @Test("A model that names no class, or whose class names were taken away, gets plain objects")
    func plain() throws {
        let model = Self.model([("A", nil), ("B", "NoSuchClassB")])
        model.entitiesByName["B"]?.managedObjectClassName = nil
        try withStack(.memory, model: model) { stack in
            #expect(type(of: stack.context.make("A", "a")) == NSManagedObject.self)
            #expect(type(of: stack.context.make("B", "b")) == NSManagedObject.self)
        }
    }

    @Test("Making an object without a store warns in the same way")
    func withoutStore() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model([("Car", "LookUpCra")]))
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            context.performAndWait { _ = NSEntityDescription.insertNewObject(forEntityName: "Car", into: context) }
        }
        expectContains(try Self.log(result), "Unable to load class named 'LookUpCra' for entity 'Car'.")
    }

    @Test("A class that is registered before the first object is used")
    func registeredLater() throws {
        try withStack(.memory, model: Self.model([("Car", "LaterLookUpCar")])) { stack in
            NSManagedObject.register(LookUpCar.self, as: "LaterLookUpCar")
            #expect(stack.context.make("Car", "a") is LookUpCar)
        }
    }
}
