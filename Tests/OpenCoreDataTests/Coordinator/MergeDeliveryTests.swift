import Foundation
import Testing

@testable import OpenCoreData

/// The order in which saves are delivered to other contexts.
@Suite struct MergeDeliveryTests {
    @Test("A save that fails after its number was given keeps no later one from its delivery")
    func aSaveThatFails()
        throws
    {
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "Item"
        let attribute = NSAttributeDescription()
        attribute.name = "name"
        attribute.attributeType = .stringAttributeType
        entity.properties = [attribute]
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let (writer, reader) = (NSManagedObjectContext(.privateQueue), NSManagedObjectContext(.privateQueue))
        for context in [writer, reader] { context.persistentStoreCoordinator = coordinator }
        reader.automaticallyMergesChangesFromParent = true
        let id = try writer.performAndWait {
            let object = NSManagedObject(entity: entity, insertInto: writer)
            object.setValue("old", forKey: "name")
            try writer.save()
            return object.objectID
        }
        let object = reader.performAndWait { reader.object(with: id) }
        let name = { reader.performAndWait { object.value(forKey: "name") as? String } }
        expectEqual(name(), "old")

        let failed = coordinator.mergeDelivery.numberCommit()
        try writer.performAndWait {
            writer.object(with: id).setValue("new", forKey: "name")
            try writer.save()
        }
        expectEqual(name(), "old")
        coordinator.mergeDelivery.skip(commit: failed)
        expectEqual(name(), "new")
    }
}
