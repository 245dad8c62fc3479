import OpenCoreData

/// An open store with a context.
final class Stack {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    init(_ url: URL, _ storeType: String, options: [String: Any] = [:]) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: FaultModel.make())
        var all: [String: Any] = [NSPersistentStoreTimeoutOption: 5]
        if storeType == NSSQLiteStoreType { all[NSPersistentHistoryTrackingKey] = true }
        try coordinator.addPersistentStore(
            ofType: storeType, configurationName: nil, at: url, options: all.merging(options) { $1 })
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
    }

    /// Runs a block on the queue of the context.
    func perform<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        try context.performAndWait { try body(context) }
    }

    /// Closes the store.
    func close() throws {
        try perform { $0.reset() }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
}

extension NSManagedObjectContext {
    func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    func all(_ entity: String, where predicate: NSPredicate? = nil) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        return try fetch(request)
    }
}

extension NSManagedObject {
    func number(_ key: String) -> Int { (value(forKey: key) as? NSNumber)?.intValue ?? Int.min }
}
