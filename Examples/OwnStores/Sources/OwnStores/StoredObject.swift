import CoreData

/// An object as the service has it. Predicates and orders see the stored values, whatever a context has changed; a key
/// of a subentity has no value in the others.
final class StoredObject: NSObject {
    let objectID: NSManagedObjectID
    private let record: Record
    private let reader: RecordReader

    init(_ objectID: NSManagedObjectID, _ record: Record, _ reader: RecordReader) {
        self.objectID = objectID
        self.record = record
        self.reader = reader
    }

    /// The stored value of a key; nil for a key of a subentity.
    func storedValue(forKey key: String) -> Any? {
        switch key {
        case "self", "SELF": return self
        case "objectID": return objectID
        case "entity": return objectID.entity
        default: break
        }
        switch objectID.entity.propertiesByName[key] {
        case let attribute as NSAttributeDescription:
            return reader.read { try record.attributes[key]?.value(attribute) }
        case let relationship as NSRelationshipDescription:
            let members = reader.read { try reader.objects(record.relationships[key] ?? []) } ?? []
            if !relationship.isToMany { return members.first }
            return relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
        case nil where !objectID.entity.isKeyInHierarchy(key):
            reader.fail(
                NSError(
                    domain: NSCocoaErrorDomain, code: NSCoreDataError,
                    userInfo: [
                        NSLocalizedDescriptionKey: "The entity \(objectID.entity.name ?? "") has no property \(key)."
                    ]))
            return nil
        default:
            return nil
        }
    }

    /// A stored object equals its ID, so that predicates can compare it with managed objects and their IDs.
    override func isEqual(_ object: Any?) -> Bool {
        objectID.isEqual((object as? StoredObject)?.objectID ?? (object as? NSManagedObject)?.objectID ?? object)
    }

    override var hash: Int { objectID.hash }
}

/// Reads the records that one request needs, each once.
final class RecordReader {
    private let service: any RecordService
    private let objectID: (RecordName) throws -> NSManagedObjectID
    private var known: [RecordName: StoredObject] = [:]
    /// The first error. The value of a key can't throw.
    private(set) var error: (any Error)?

    init(service: any RecordService, objectID: @escaping (RecordName) throws -> NSManagedObjectID) {
        self.service = service
        self.objectID = objectID
    }

    func object(_ record: Record) throws -> StoredObject {
        if let object = known[record.name] { return object }
        let object = StoredObject(try objectID(record.name), record, self)
        known[record.name] = object
        return object
    }

    /// The objects with some names, without those that are gone.
    func objects(_ names: [RecordName]) throws -> [StoredObject] {
        try names.compactMap { name in
            if let object = known[name] { return object }
            return try service.record(name).map(object)
        }
    }

    func read<Value>(_ body: () throws -> Value?) -> Value? {
        do {
            return try body()
        } catch {
            fail(error)
            return nil
        }
    }

    func fail(_ error: any Error) { self.error = self.error ?? error }
}

extension NSEntityDescription {
    /// Whether an entity of the same hierarchy has a property.
    fileprivate func isKeyInHierarchy(_ key: String) -> Bool {
        superentity?.isKeyInHierarchy(key) ?? hasKey(key)
    }

    private func hasKey(_ key: String) -> Bool {
        propertiesByName[key] != nil || subentities.contains { $0.hasKey(key) }
    }
}
