extension NSEntityDescription {
    /// The entity with a name in the model of a context's coordinator.
    public class func entity(forEntityName entityName: String, in context: NSManagedObjectContext)
        -> NSEntityDescription?
    {
        guard let coordinator = context.persistentStoreCoordinator else {
            programmingError(
                "+entityForName: could not locate an NSManagedObjectModel for entity name '\(entityName)'.",
                remedy: "Set the context's persistentStoreCoordinator first.")
        }
        return coordinator.managedObjectModel.entitiesByName[entityName]
    }

    /// A new object of the named entity, inserted into a context; its class is the one that the model names.
    ///
    /// Stops the program for a name that the model doesn't have.
    public class func insertNewObject(forEntityName entityName: String, into context: NSManagedObjectContext)
        -> NSManagedObject
    {
        guard let entity = entity(forEntityName: entityName, in: context) else {
            let known = context.persistentStoreCoordinator?.managedObjectModel.entitiesByName.keys.sorted() ?? []
            programmingError(
                """
                +entityForName: could not find an entity named '\(entityName)' in this \
                model.\(NearestNames.question(for: entityName, in: known))
                """,
                remedy: "The model has: \(known.joined(separator: ", ")).")
        }
        return entity.entityLayout.classBinding.managedObjectClass.init(entity: entity, insertInto: context)
    }
}

extension NSManagedObjectContext {
    /// The entity that the context's model has for a class.
    final func entityDescription(for type: NSManagedObject.Type) -> NSEntityDescription {
        if let last = lastEntity, last.type == type { return last.entity }
        guard let coordinator = persistentStoreCoordinator else { return type.entity() }
        if let layout = coordinator.layouts.layout(for: type) {
            lastEntity = (type, layout.entity)
            return layout.entity
        }
        programmingError(
            """
            No NSEntityDescription in the context's model is represented by the class \
            \(ManagedObjectClasses.name(of: type)).
            """,
            remedy: """
                Name the class in the entity's managedObjectClassName, or insert by \
                NSEntityDescription.insertNewObject(forEntityName:into:).
                """
        )
    }
}
