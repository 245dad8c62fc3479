import CoreData
import Synchronization
import Testing

/// Stores that are migrated in stages when they are added.
@Suite("Staged migration")
struct StagedMigrationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var url: URL { folder.file("store") }

    /// Version 1: a name. 2: first and last name besides. 3: without the name. 4: last name is required.
    private static func version(_ number: Int) -> NSManagedObjectModel {
        var attributes: [NSAttributeDescription] = []
        if number < 3 { attributes.append(attribute("name", .stringAttributeType)) }
        if number > 1 {
            attributes.append(attribute("first", .stringAttributeType))
            attributes.append(
                number < 4
                    ? attribute("last", .stringAttributeType)
                    : attribute("last", .stringAttributeType, optional: false, defaultValue: "-"))
        }
        return model([entity("Person", attributes)])
    }

    private static func reference(_ number: Int) -> NSManagedObjectModelReference {
        let model = version(number)
        return NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }

    private static func checksums(_ numbers: Int...) -> [String] { numbers.map { version($0).versionChecksum } }

    /// 1 to 2 by inference, 2 to 3 with the names divided before, 3 to 4 by inference.
    ///
    /// - Parameter namesFirst: whether the first stage names its models, which only SQLite stores contain.
    private static func stages(_ calls: NSMutableArray, namesFirst: Bool = false) -> [NSMigrationStage] {
        let first =
            namesFirst
            ? NSCustomMigrationStage(migratingFrom: reference(1), to: reference(2))
            : NSLightweightMigrationStage(checksums(1, 2))
        let custom = NSCustomMigrationStage(migratingFrom: reference(2), to: reference(3))
        custom.label = "divide names"
        custom.willMigrateHandler = { manager, stage in
            expectEqual(stage.label, "divide names")
            calls.add("will")
            let container = try requireValue(manager.container)
            let context = container.newBackgroundContext()
            try context.performAndWait {
                for person in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")) {
                    let parts = (person.value(forKey: "name") as? String ?? "").components(separatedBy: " ")
                    person.setValue(parts.first, forKey: "first")
                    person.setValue(parts.count > 1 ? parts[1] : nil, forKey: "last")
                }
                try context.save()
            }
        }
        custom.didMigrateHandler = { manager, _ in
            calls.add("did")
            let model = try requireValue(manager.container).managedObjectModel
            expectEqual(model.entitiesByName["Person"]?.attributesByName["name"], nil)
        }
        return [
            first, custom, NSLightweightMigrationStage(checksums(3, 4)),
        ]
    }

    private func open(_ number: Int, _ type: String, _ manager: NSStagedMigrationManager? = nil) throws
        -> NSManagedObjectContext
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.version(number))
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url,
            options: manager.map { [NSPersistentStoreStagedMigrationManagerOptionKey: $0] })
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func makeStore(_ number: Int, _ type: String, _ values: [String: Any]) throws {
        let context = try open(number, type)
        try on(context) {
            context.make("Person").setValuesForKeys(values)
            try context.save()
        }
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        try coordinator.remove(coordinator.persistentStores[0])
    }

    @Test(
        "A store passes all stages from its version on, with their handlers",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func whole(_ type: String) throws {
        try makeStore(1, type, ["name": "Joni Mitchell"])
        let calls = NSMutableArray()
        let manager = NSStagedMigrationManager(Self.stages(calls, namesFirst: type != NSSQLiteStoreType))
        expectEqual(manager.stages.count, 3)
        let context = try open(4, type, manager)
        try on(context) {
            let person = try context.all("Person")[0]
            expectEqual(person.text("first"), "Joni")
            expectEqual(person.text("last"), "Mitchell")
        }
        expectEqual(calls, ["will", "did"])
        expectEqual(manager.container, nil)
    }

    @Test("Stages before the store's version are skipped")
    func skipped() throws {
        try makeStore(3, NSSQLiteStoreType, ["first": "Joni"])
        let calls = NSMutableArray()
        let context = try open(4, NSSQLiteStoreType, NSStagedMigrationManager(Self.stages(calls)))
        try on(context) { try expectEqual(context.all("Person").map { $0.text("last") }, ["-"]) }
        expectEqual(calls.count, 0)
    }

    @Test("The stages may lead beyond the model")
    func stopsAtModel() throws {
        try makeStore(1, NSSQLiteStoreType, ["name": "Joni"])
        let context = try open(2, NSSQLiteStoreType, NSStagedMigrationManager(Self.stages(NSMutableArray())))
        try on(context) { try expectEqual(context.all("Person").map { $0.text("name") }, ["Joni"]) }
    }

    @Test("Lightweight stages may have one version, or versions that don't follow each other", arguments: 0...3)
    func combinations(_ number: Int) throws {
        try makeStore(1, NSSQLiteStoreType, ["name": "Joni Mitchell"])
        let calls = NSMutableArray()
        let custom = try requireValue(Self.stages(calls).first { $0 is NSCustomMigrationStage })
        func lightweight(_ versions: Int...) -> NSMigrationStage {
            NSLightweightMigrationStage(versions.map { Self.version($0).versionChecksum })
        }
        let (stages, target): ([NSMigrationStage], Int) =
            switch number {
            case 0: ([lightweight(1), custom], 3)
            case 1: ([lightweight(1), custom, lightweight(4)], 4)
            case 2: ([lightweight(1, 4), custom], 4)
            default: ([lightweight(1), lightweight(2), custom, lightweight(3, 4)], 4)
            }
        let context = try open(target, NSSQLiteStoreType, NSStagedMigrationManager(stages))
        try on(context) { try expectEqual(context.all("Person").map { $0.text("last") }, ["Mitchell"]) }
        expectEqual(calls, ["will", "did"])
    }

    @Test("An error of a handler ends the migration; the next attempt goes on from there")
    func failingHandler() throws {
        struct Refusal: Error {}
        try makeStore(1, NSSQLiteStoreType, ["name": "Joni Mitchell"])
        let stages = Self.stages(NSMutableArray())
        let custom = try requireValue(stages[1] as? NSCustomMigrationStage)
        let handler = custom.willMigrateHandler
        custom.willMigrateHandler = { _, _ in throw Refusal() }
        #expect(throws: Refusal.self) { try open(4, NSSQLiteStoreType, NSStagedMigrationManager(stages)) }
        // The store is of version 2 now.
        try on(try open(2, NSSQLiteStoreType)) {}
        custom.willMigrateHandler = handler
        let context = try open(4, NSSQLiteStoreType, NSStagedMigrationManager(stages))
        try on(context) { try expectEqual(context.all("Person").map { $0.text("last") }, ["Mitchell"]) }
    }

    @Test(
        "Coordinators that add the store at once migrate it once",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func concurrent(_ type: String) throws {
        try makeStore(1, type, ["name": "Joni Mitchell"])
        let results = Mutex<(names: [String?], calls: Int, errors: [String])>(([], 0, []))
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let calls = NSMutableArray()
            do {
                let context = try open(
                    4, type, NSStagedMigrationManager(Self.stages(calls, namesFirst: type != NSSQLiteStoreType)))
                try context.performAndWait {
                    let names = try context.all("Person").map { $0.text("last") }
                    results.withLock { $0.names += names }
                }
            } catch {
                results.withLock { $0.errors.append("\(error)") }
            }
            results.withLock { $0.calls += calls.count }
        }
        results.withLock { results in
            expectEmpty(results.errors)
            expectEqual(results.names, Array(repeating: "Mitchell", count: 4))
            expectEqual(results.calls, 2)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!files.contains { $0.hasPrefix(".") })
    }

    @Test("A model behind the store's version is refused")
    func backward() throws {
        try makeStore(3, NSSQLiteStoreType, ["first": "Joni"])
        let error = thrownError {
            _ = try open(1, NSSQLiteStoreType, NSStagedMigrationManager(Self.stages(NSMutableArray())))
        }
        expectEqual(error?.code, NSStagedMigrationBackwardMigrationError)
    }

    @Test("A checksum without model is named")
    func unknownChecksum() throws {
        try makeStore(1, NSSQLiteStoreType, ["name": "Joni"])
        let stage = NSLightweightMigrationStage(
            [Self.version(1).versionChecksum, "unknown=", Self.version(2).versionChecksum])
        let error = thrownError { _ = try open(2, NSSQLiteStoreType, NSStagedMigrationManager([stage])) }
        expectEqual(error?.code, NSManagedObjectModelReferenceNotFoundError)
        expectEqual(error?.localizedDescription.contains("unknown="), true)
        try on(try open(1, NSSQLiteStoreType)) {}
    }
}
