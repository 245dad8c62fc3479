import CoreData

/// A store of a simulation: SQLite without a file.
enum SimulatedStore {
    static func open(_ model: NSManagedObjectModel) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"),
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        return coordinator
    }

    static func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        return context
    }
}

/// The end of a simulated process.
struct SimulatedCrash: Error {}

/// A finding: the stores, or what a replica did, aren't as the rules say.
struct Finding: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
