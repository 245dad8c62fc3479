// SPDX-License-Identifier: Apache-2.0

/// Finds the objects that IDs in a snapshot name.
struct SnapshotLookup {
    let context: NSManagedObjectContext
    let entity: String

    /// The object with an ID; nil for an ID of another store or entity, and for one without a row.
    ///
    /// - Throws: the error of a store that can't be asked.
    func object(uri: String) throws -> NSManagedObject? {
        guard let url = URL(string: uri), url.scheme == "x-coredata",
            let id = coordinator?.managedObjectID(forURIRepresentation: url), !id.isTemporaryID, isKind(id.entity)
        else { return nil }
        do {
            return try context.existingObject(with: id)
        } catch let error as NSError
            where error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectReferentialIntegrityError
        {
            return nil
        }
    }

    /// The object with a value of a unique attribute; nil if there is none, or more than one.
    func object(_ key: String, _ value: NSObject?) throws -> NSManagedObject? {
        guard let value else { return nil }
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: key), rightExpression: NSExpression(forConstantValue: value),
            modifier: .direct, type: .equalTo)
        request.fetchLimit = 2
        let found = try context.fetch(request)
        return found.count == 1 ? found[0] : nil
    }

    private var coordinator: NSPersistentStoreCoordinator? {
        var context: NSManagedObjectContext = context
        while let parent = context.parent { context = parent }
        return context.persistentStoreCoordinator
    }

    private func isKind(_ wanted: NSEntityDescription) -> Bool {
        var present: NSEntityDescription? = wanted
        while let some = present, some.name != entity { present = some.superentity }
        return present != nil
    }
}
