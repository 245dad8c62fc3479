import TestSupport
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// The objects that a migration has in memory.
@Suite("Memory of migrations")
struct MigrationMemoryTests {
    final class IdlePolicy: NSEntityMigrationPolicy {}

    private static func model(_ extra: [String]) -> NSManagedObjectModel {
        let book = NSEntityDescription()
        book.name = "Book"
        book.properties = (["title"] + extra).map { name in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .stringAttributeType
            attribute.isOptional = true
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [book]
        return model
    }

    /// The greatest number of registered objects, in both contexts, while 5,000 objects are migrated.
    private func registeredCount(_ prepare: (NSEntityMapping) -> Void) throws -> Int {
        let folder = try TemporaryFolder()
        let (old, new) = (Self.model([]), Self.model(["note"]))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: old)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("old.sqlite"), options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for number in 0..<5000 {
                NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                    .setValue("\(number)", forKey: "title")
            }
            try context.save()
        }
        try coordinator.remove(store)
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        mapping.entityMappings.forEach(prepare)
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        manager.usesStoreSpecificMigrationManager = false
        var greatest = 0
        manager.progressHandler = { [unowned manager] _ in
            guard let migration = manager.migration else { return }
            greatest = max(
                greatest, migration.source.context.registry.objects.count,
                migration.destination.context.registry.objects.count)
        }
        try manager.migrateStore(
            from: folder.file("old.sqlite"), type: .sqlite, mapping: mapping, to: folder.file("new.sqlite"),
            type: .sqlite)
        return greatest
    }

    @Test("Without code of the program, objects of earlier parts leave the memory")
    func released() throws { #expect(try registeredCount { _ in } < 3000) }

    @Test("With a policy of the program, all objects stay")
    func kept() throws {
        try expectEqual(registeredCount { $0.entityMigrationPolicyClassName = "IdlePolicy" }, 5000)
    }

    @Test("With a block in an expression, all objects stay")
    func block() throws {
        let count = try registeredCount { mapping in
            mapping.attributeMappings?.first?.valueExpression = NSExpression(
                block: { object, _, _ in (object as? NSManagedObject)?.value(forKey: "title") ?? NSNull() },
                arguments: [])
        }
        expectEqual(count, 5000)
    }
}
