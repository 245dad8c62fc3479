import CoreData

/// What the arms of our framework share: the model, and a stack on a file.
enum CoreDataStack {
    /// A new context on the store at `url`, with nothing cached.
    static func context(at url: URL, className: String, options: [AnyHashable: Any]? = nil) throws
        -> NSManagedObjectContext
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model(className: className))
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    static func model(className: String) -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Record"
        entity.managedObjectClassName = className
        entity.properties = Workload.columns.map { name in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .integer64AttributeType
            attribute.defaultValue = 0
            attribute.isOptional = false
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }
}
