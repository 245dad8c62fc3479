import CoreDataPredicates
import OpenCoreData
import Testing

@Suite("A file that many have written")
struct ConcurrentWritersFileTests {
    private static func makeModel() -> NSManagedObjectModel {
        let item = NSEntityDescription()
        let name = NSAttributeDescription()
        let size = NSAttributeDescription()
        (item.name, name.name, size.name) = ("Item", "name", "size")
        (name.attributeType, size.attributeType) = (.stringAttributeType, .integer64AttributeType)
        item.properties = [name, size]
        item.uniquenessConstraints = [["name"]]
        let model = NSManagedObjectModel()
        model.entities = [item]
        return model
    }

    @Test("its tables and indexes agree after conflicts and violated constraints of eight writers")
    func integrity() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("store.sqlite")
        let first = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
        try first.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let failures = Locked<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { writer in
            do {
                var coordinator = first
                if writer % 2 == 1 {
                    coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
                    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
                }
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                context.mergePolicy =
                    writer < 4 ? NSMergePolicy.mergeByPropertyObjectTrump : NSMergePolicy.mergeByPropertyStoreTrump
                for round in 0..<10 {
                    try context.performAndWait {
                        for index in 0..<5 {
                            let object = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                            object.setValue("\((index + round) % 12)", forKey: "name")
                            object.setValue(writer, forKey: "size")
                        }
                        try context.save()
                    }
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        expectEmpty(failures.withLock { $0 })
        let connection = try SQLiteConnection(path: url.path, mode: .readWrite)
        try expectEqual(connection.pragma("integrity_check"), "ok")
        try expectEqual(connection.integer("SELECT COUNT(*) FROM ZITEM"), 12)
        try expectEqual(connection.integer("SELECT COUNT(DISTINCT ZNAME) FROM ZITEM"), 12)
    }
}
