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
            #expect(String(describing: Swift.type(of: stack.context.make("Thing", "a"))) == type)
        }
    }

    @Test("A private class is found by the name that Swift prints for it")
    func printedName() throws {
        try withStack(.memory, model: Self.model([("Thing", String(reflecting: HiddenLookUp.self))])) { stack in
            #expect(stack.context.make("Thing", "a") is HiddenLookUp)
        }
    }

    @Test("An unknown class is an error that lists the known ones, the nearest first; no file is made")
    func unknown() throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: Self.model([("Car", "LookUpCra"), ("Other", "LookUpOther")]))
        let error = try #require(
            thrownError {
                _ = try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("a.sqlite"), options: nil)
            })
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSCoreDataError)
        #expect(error.userInfo["entity"] as? String == "Car" && error.userInfo["class"] as? String == "LookUpCra")
        let text = error.localizedDescription
        #expect(
            text.contains(
                "Unable to find the class named 'LookUpCra' for entity 'Car'. Did you mean 'CoreDataTests.LookUpCar'?"),
            "\(text)")
        #expect(text.contains("Known classes: CoreDataTests.LookUpCar, "), "\(text)")
        #expect(text.contains("NSManagedObject.register(_:)"))
        let known = try #require(error.userInfo["knownClasses"] as? [String])
        #expect(known.first == "CoreDataTests.LookUpCar")
        #expect(known.contains("CoreDataTests.LookUpOther") && known.contains("CoreDataTests.LookUpVehicle"))
        #expect(try folder.contents.isEmpty && coordinator.persistentStores.isEmpty)
    }

    @Test(
        "Several unknown classes are told at once; those of other configurations and of abstract entities don't matter")
    func several() throws {
        let both = try #require(
            thrownError { try Self.added(Self.model([("A", "NoSuchClassA"), ("B", "NoSuchClassB")])) })
        #expect(both.localizedDescription.contains("'NoSuchClassA' (entity 'A'), 'NoSuchClassB' (entity 'B')"))
        let split = Self.model([("A", "NoSuchClassA"), ("B", "LookUpCar")])
        split.entitiesByName["B"].map { split.setEntities([$0], forConfigurationName: "Fine") }
        try Self.added(split, configuration: "Fine")
        let abstract = Self.model([("A", "NoSuchClassA")])
        abstract.entities[0].isAbstract = true
        try Self.added(abstract)
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
            #expect(Set(all.map { String(describing: type(of: $0)) }) == ["LookUpOther", "LookUpVehicle"])
        }
    }

    @Test("A model that names no class, or whose class names were taken away, gets plain objects")
    func plain() throws {
        let model = Self.model([("A", nil), ("B", "NoSuchClassB")])
        model.entitiesByName["B"]?.managedObjectClassName = nil
        try withStack(.memory, model: model) { stack in
            #expect(
                type(of: stack.context.make("A", "a")) == NSManagedObject.self
                    && type(of: stack.context.make("B", "b")) == NSManagedObject.self)
        }
    }

    @Test("Making an object without a store stops with the same text")
    func withoutStore() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model([("Car", "LookUpCra")]))
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            context.performAndWait { _ = NSEntityDescription.insertNewObject(forEntityName: "Car", into: context) }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(
            text.contains(
                "Unable to find the class named 'LookUpCra' for entity 'Car'. Did you mean 'CoreDataTests.LookUpCar'?"),
            "\(text)")
    }
}
