import CoreData

/// A store of two tags and a book that records its calls. Used on one queue at a time.
final class CallStore: NSIncrementalStore, @unchecked Sendable {
    static let storeType = "Calls"

    var calls: [String] = []
    var contexts: [NSManagedObjectContext] = []
    var lastFetch: NSFetchRequest<any NSFetchRequestResult>?
    /// The error of the next save.
    var failure: (any Error)?
    /// The end of all names.
    var suffix = ""
    /// Runs once after the values of an object were read, before they are returned.
    var afterReading: (() throws -> Void)?
    /// The reference objects of the objects that contexts use.
    var registered: [String] = []

    override var type: String { CallStore.storeType }

    override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: url?.host ?? ""]
    }

    private func name(_ id: NSManagedObjectID) -> String { "\(referenceObject(for: id))" }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        if let fetch = request as? NSFetchRequest<any NSFetchRequestResult>, let entity = fetch.entity {
            if let context { contexts.append(context) }
            lastFetch = fetch
            let ids = ["a", "b"].map { newObjectID(for: entity, referenceObject: $0) }
            switch fetch.resultType {
            case .countResultType:
                calls.append("fetch count \(entity.name ?? "")")
                return [NSNumber(value: ids.count)]
            case .managedObjectIDResultType:
                calls.append("fetch IDs \(entity.name ?? "")")
                return ids
            case .dictionaryResultType:
                calls.append("fetch dictionaries \(entity.name ?? "")")
                return [["name": "a"], ["name": "b"]]
            default:
                calls.append("fetch objects \(entity.name ?? "")")
                return ids.compactMap { context?.object(with: $0) }
            }
        }
        guard let save = request as? NSSaveChangesRequest else {
            calls.append("\(Swift.type(of: request))")
            return NSNumber(value: 2)
        }
        if let failure {
            self.failure = nil
            throw failure
        }
        func names(_ objects: Set<NSManagedObject>?) -> String {
            (objects ?? []).compactMap { $0.value(forKey: "name") as? String }.sorted().joined(separator: " ")
        }
        calls.append(
            "save +[\(names(save.insertedObjects))] *[\(names(save.updatedObjects))] "
                + "-\(save.deletedObjects?.count ?? 0) =\(save.lockedObjects?.count ?? 0)")
        return [Any]()
    }

    override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws
        -> NSIncrementalStoreNode
    {
        calls.append("values \(name(objectID))")
        contexts.append(context)
        let node = NSIncrementalStoreNode(
            objectID: objectID, withValues: ["name": name(objectID) + suffix], version: UInt64(1 + suffix.count))
        if let action = afterReading {
            afterReading = nil
            try action()
        }
        return node
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        calls.append("members \(relationship.name) of \(name(objectID))")
        guard relationship.isToMany, relationship.name == "books", let book = relationship.destinationEntity else {
            return relationship.isToMany ? [NSManagedObjectID]() : NSNull()
        }
        return name(objectID) != "a" ? [] : [newObjectID(for: book, referenceObject: "book of a")]
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        calls.append("IDs for \(array.count)")
        return array.map { newObjectID(for: $0.entity, referenceObject: $0.value(forKey: "name") ?? "") }
    }

    override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
        registered += objectIDs.map(name)
    }

    override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
        for name in objectIDs.map(name) {
            if let index = registered.firstIndex(of: name) { registered.remove(at: index) }
        }
    }
}

/// A store whose metadata lacks its UUID.
final class NamelessStore: NSIncrementalStore, @unchecked Sendable {
    override var type: String { "Nameless" }

    override func loadMetadata() throws { metadata = [NSStoreTypeKey: type] }
}
