import CoreData
import Testing

/// Chains of versions between which stores are migrated.
@Suite("Progressive migration")
struct ProgressiveMigrationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var url: URL { folder.file("store") }

    /// 1: the number is a text; 2: a text and a number; 3: a number; 4: the number has another name. Between 1 and 3,
    /// and between 1 and 4, nothing can be inferred.
    private static func version(_ number: Int) -> NSManagedObjectModel {
        let text = attribute("value", .stringAttributeType)
        let integer = attribute("value", .integer64AttributeType)
        let temporary = attribute("amount", .integer64AttributeType)
        let renamed = attribute("amount", .integer64AttributeType)
        renamed.renamingIdentifier = "value"
        switch number {
        case 1: return model([entity("Item", [text])])
        case 2: return model([entity("Item", [text, temporary])])
        case 3: return model([entity("Item", [integer])])
        default: return model([entity("Item", [renamed])])
        }
    }

    /// From version 2 to 3: the number takes the place of the text.
    private static func mapping() -> NSMappingModel {
        let value = NSPropertyMapping()
        value.name = "value"
        value.valueExpression = NSExpression(format: "CAST($source.value, 'NSNumber')")
        let entity = NSEntityMapping()
        entity.mappingType = .transformEntityMappingType
        entity.sourceEntityName = "Item"
        entity.destinationEntityName = "Item"
        entity.sourceEntityVersionHash = version(2).entityVersionHashesByName["Item"]
        entity.destinationEntityVersionHash = version(3).entityVersionHashesByName["Item"]
        entity.attributeMappings = [value]
        let model = NSMappingModel()
        model.entityMappings = [entity]
        return model
    }

    private func open(_ number: Int, _ type: NSPersistentStore.StoreType) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.version(number))
        try coordinator.addPersistentStore(type: type, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func makeStore(_ type: NSPersistentStore.StoreType) throws {
        let context = try open(1, type)
        try on(context) {
            context.make("Item").setValue("17", forKey: "value")
            try context.save()
        }
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        try coordinator.remove(coordinator.persistentStores[0])
    }

    @Test("The chain is the shortest of inferred and mapped steps", arguments: [1, 2, 3])
    func chain(_ start: Int) throws {
        let migration = try ProgressiveMigration(
            from: Self.version(start), to: Self.version(4), through: (1...4).map(Self.version),
            mappingModels: [Self.mapping()], bundles: [])
        expectEqual(migration.steps.map(\.isInferred), [true, false, true].suffix(4 - start))
    }

    @Test(
        "A store passes the whole chain",
        arguments: [NSPersistentStore.StoreType.sqlite, .xml, .binary].map(\.rawValue) + [DictionaryStore.storeType])
    func store(_ name: String) throws {
        DictionaryStore.register()
        let type = NSPersistentStore.StoreType(rawValue: name)
        try makeStore(type)
        let migration = try ProgressiveMigration(
            ofPersistentStoreAt: url, type: type, to: Self.version(4), through: (1...4).map(Self.version),
            mappingModels: [Self.mapping()], bundles: [])
        var progress: [Bool: [Float]] = [:]
        try migration.migrateStore(at: url, type: type) { step, part in
            progress[step.isInferred, default: []].append(part)
        }
        expectEqual(progress[false]?.first, 0)
        expectEqual(progress[false]?.last, 1)
        #expect((progress[true]?.filter { $0 == 0 }.count ?? 0) >= 2)
        let context = try open(4, type)
        try on(context) { try expectEqual(context.all("Item").map { $0.number("amount") }, [17]) }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!files.contains { $0.hasPrefix(".") })
        // There is nothing left to do.
        let again = try ProgressiveMigration(
            ofPersistentStoreAt: url, type: type, to: Self.version(4), through: [], bundles: [])
        expectEmpty(again.steps)
    }

    @Test("A step that fails leaves the store as it was")
    func failure() throws {
        struct Refusal: Error {}
        try makeStore(.sqlite)
        let migration = try ProgressiveMigration(
            ofPersistentStoreAt: url, type: .sqlite, to: Self.version(4), through: (1...4).map(Self.version),
            mappingModels: [Self.mapping()], bundles: [])
        #expect(throws: Refusal.self) {
            try migration.migrateStore(at: url, type: .sqlite) { step, _ in
                if !step.isInferred { throw Refusal() }
            }
        }
        let context = try open(1, .sqlite)
        try on(context) { try expectEqual(context.all("Item").map { $0.text("value") }, ["17"]) }
    }

    @Test("Without a chain the error names what can't be inferred")
    func noChain() throws {
        let error = thrownError {
            _ = try ProgressiveMigration(
                from: Self.version(1), to: Self.version(3), through: (1...4).map(Self.version), bundles: [])
        }
        expectEqual(error?.code, NSMigrationMissingMappingModelError)
        expectEqual(error?.localizedDescription.contains("incompatible"), true)
    }
}
