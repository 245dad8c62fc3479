// SPDX-License-Identifier: Apache-2.0

/// Finds the objects of one entity that IDs in a snapshot name.
///
/// A client may have changed the entity's name in a URI: an ID names an object of its entity, or of a subentity, alone.
struct SnapshotLookup {
    private let context: NSManagedObjectContext
    private let entity: String
    /// The objects that were fetched together, by their IDs.
    private var fetched: [NSManagedObjectID: NSManagedObject] = [:]
    /// The IDs for which the common fetch has found no object of the entity.
    private var missing: Set<NSManagedObjectID> = []

    init(context: NSManagedObjectContext, entity: String) {
        self.context = context
        self.entity = entity
    }

    /// Fetches the objects of some URIs that aren't in the context, by one statement for all. `object(uri:)` finds them
    /// afterwards. Nothing happens for IDs that need no statement, so that custom stores needn't know the predicate.
    ///
    /// - Throws: the error of a store that can't be asked.
    mutating func fetch(uris: [String]) throws {
        let ids = uris.compactMap { id(uri: $0) }.filter { needsStatement($0) }
        guard ids.count > 1 else { return }
        // An ID with the name of a superentity isn't equal to the ID of its object.
        missing.formUnion(ids.filter { $0.entity.subentities.isEmpty })
        for object in try objects(ids) {
            fetched[object.objectID] = object
            missing.remove(object.objectID)
        }
    }

    /// Whether the object of an ID, which was not fetched yet, may be in its store alone.
    private func needsStatement(_ id: NSManagedObjectID) -> Bool {
        guard fetched[id] == nil, !missing.contains(id), id.persistentStore is any MeasuredStore else { return false }
        return context.registeredObject(for: id)?.isFault ?? true
    }

    /// The object with an ID; nil for an ID of another store or entity, and for an ID without a row.
    ///
    /// - Throws: the error of a store that can't be asked.
    func object(uri: String) throws -> NSManagedObject? {
        guard let id = id(uri: uri), !missing.contains(id) else { return nil }
        let present = fetched[id] ?? context.registeredObject(for: id)
        if let present, !isKind(present.entity) { return nil }
        // A context with a parent makes the object before it reads the row: of the entity that the ID has.
        if present == nil, context.parent != nil { return try fetchedObject(id) }
        do {
            let found = try context.existingObject(with: present?.objectID ?? id)
            return isKind(found.entity) ? found : nil
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            switch error.code {
            case NSManagedObjectReferentialIntegrityError: return nil
            // The row belongs to another entity than the ID names, or it is damaged. A fetch that reads only the rows
            // of the relationship's entity finds out which.
            case CocoaError.Code.fileReadCorruptFile.rawValue: return try fetchedObject(id)
            default: throw error
            }
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

    /// The object of the entity with an ID. A fetch finds a row by its key alone.
    private func fetchedObject(_ id: NSManagedObjectID) throws -> NSManagedObject? {
        try objects([id]).first { $0.entity.isKindOf(entity: id.entity) }
    }

    /// The objects of the entity with some IDs, with their values.
    private func objects(_ ids: [NSManagedObjectID]) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSComparisonPredicate(
            leftExpression: NSExpression.expressionForEvaluatedObject(),
            rightExpression: NSExpression(forConstantValue: ids), modifier: .direct, type: .in)
        request.returnsObjectsAsFaults = false
        // The context has its own unsaved objects at hand. Only a fetch finds the unsaved objects of its parents.
        request.includesPendingChanges = context.parent != nil
        return try context.fetch(request)
    }

    /// The ID of a URI; nil for a text that isn't the URI of an ID, and for the ID of another store or entity.
    private func id(uri: String) -> NSManagedObjectID? {
        guard let url = URL(string: uri), url.scheme == "x-coredata",
            let id = coordinator?.managedObjectID(forURIRepresentation: url), !id.isTemporaryID, isKind(id.entity)
        else { return nil }
        return id
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
