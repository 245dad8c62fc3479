// SPDX-License-Identifier: Apache-2.0

extension NSEntityDescription {
    /// The entity with a name in the model of a context's coordinator.
    ///
    /// Stops the program for a context without a coordinator. May be called on any queue.
    ///
    /// - Parameters:
    ///   - entityName: the entity's name.
    ///   - context: a context with a coordinator, or with a parent that has one.
    /// - Returns: nil if the model has no such entity.
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

    /// Makes an object of an entity, and inserts it into a context.
    ///
    /// ```swift
    /// func saveNewBook(_ title: String, in context: NSManagedObjectContext) throws {
    ///     let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
    ///     book.setValue(title, forKey: "title")
    ///     try context.save()
    /// }
    /// ```
    ///
    /// The class of the object is the entity's `managedObjectClassName`. The object has the default values of its
    /// attributes, a temporary ID, and `awakeFromInsert()` was called. No SQL runs before
    /// ``NSManagedObjectContext/save()``, which writes `INSERT INTO ZBOOK(…) VALUES(…)`. Call it on the context's
    /// queue.
    ///
    /// Stops the program if the model has no entity of the name, if the entity is abstract, and for a context without a
    /// coordinator.
    ///
    /// - Parameters:
    ///   - entityName: the entity's name.
    ///   - context: the context that the object is inserted into.
    /// - Returns: the new object.
    public class func insertNewObject(forEntityName entityName: String, into context: NSManagedObjectContext)
        -> NSManagedObject
    {
        guard let entity = entity(forEntityName: entityName, in: context) else {
            let known = context.persistentStoreCoordinator?.managedObjectModel.entitiesByName.keys.sorted() ?? []
            programmingError(
                """
                +entityForName: could not find an entity named '\(entityName)' in this \
                model.\(NearestNames.suggestion(for: entityName, in: known))
                """,
                remedy: "The model has: \(known.joined(separator: ", ")).")
        }
        return entity.entityLayout.classBinding.managedObjectClass.init(entity: entity, insertInto: context)
    }
}

extension NSManagedObjectContext {
    /// The entity of a class in the context's model.
    final func entityDescription(for type: NSManagedObject.Type) -> NSEntityDescription {
        if let last = registry.lastEntity(of: type) { return last }
        guard let coordinator = persistentStoreCoordinator else { return type.entity() }
        if let entity = registry.entity(of: type, in: coordinator) { return entity }
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
