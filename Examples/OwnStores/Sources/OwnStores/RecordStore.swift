import CoreData

/// A store that reads and writes the records of a service.
///
/// The service knows entities and names alone: the store evaluates predicates and sorts in memory.
public final class RecordStore: NSIncrementalStore, @unchecked Sendable {
    public static let storeType = "Records"

    /// Finds the service of a URL.
    public typealias Services = @Sendable (URL) -> any RecordService

    private static let registration = Registration()

    /// The function that finds services, for all stores of the process.
    private final class Registration: @unchecked Sendable {
        private let lock = NSLock()
        private var services: Services?

        var current: Services? {
            get { lock.withLock { services } }
            set { lock.withLock { services = newValue } }
        }
    }

    /// Registers the store type.
    ///
    /// - Parameter services: finds the service of a store's URL.
    public static func register(services: @escaping Services) {
        registration.current = services
        NSPersistentStoreCoordinator.registerStoreClass(RecordStore.self, forStoreType: storeType)
    }

    /// The records that the store has read, by object. They have the versions that a save sends.
    private let known = KnownRecords()

    private func service() throws -> any RecordService {
        guard let url, let services = Self.registration.current else { throw CocoaError(.fileNoSuchFile) }
        return services(url)
    }

    public override var type: String { Self.storeType }

    public override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: try service().identifier()]
    }

    // MARK: Names

    private func name(_ id: NSManagedObjectID) -> RecordName {
        RecordName(entity: id.entity.name ?? "", id: "\(referenceObject(for: id))")
    }

    private func objectID(_ name: RecordName) throws -> NSManagedObjectID {
        guard let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[name.entity] else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return newObjectID(for: entity, referenceObject: name.id)
    }

    public override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { newObjectID(for: $0.entity, referenceObject: UUID().uuidString) }
    }

    // MARK: Values

    public override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext)
        throws -> NSIncrementalStoreNode
    {
        let record = try record(objectID)
        var values: [String: Any] = [:]
        for (key, attribute) in objectID.entity.attributesByName {
            values[key] = try record.attributes[key]?.value(attribute)
        }
        for (key, relationship) in objectID.entity.relationshipsByName where !relationship.isToMany {
            values[key] = try members(of: relationship, in: record).first ?? NSNull()
        }
        return NSIncrementalStoreNode(objectID: objectID, withValues: values, version: record.version)
    }

    public override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        // An object without a record has no destinations: it isn't saved yet, or no longer there.
        guard let record = try service().record(name(objectID)) else { return [NSManagedObjectID]() }
        return try members(of: relationship, in: record)
    }

    private func record(_ id: NSManagedObjectID) throws -> Record {
        guard let record = try service().record(name(id)) else {
            throw NSError(domain: NSCocoaErrorDomain, code: NSManagedObjectReferentialIntegrityError)
        }
        known.didRead(id, record.version)
        return record
    }

    private func members(of relationship: NSRelationshipDescription, in record: Record) throws -> [NSManagedObjectID] {
        try (record.relationships[relationship.name] ?? []).map(objectID)
    }

    // MARK: Requests

    public override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws
        -> Any
    {
        if let fetch = request as? NSFetchRequest<any NSFetchRequestResult>, let context {
            return try results(fetch, context)
        }
        if let save = request as? NSSaveChangesRequest {
            try write(save)
            return [Any]()
        }
        throw NSError(domain: NSCocoaErrorDomain, code: NSPersistentStoreUnsupportedRequestTypeError)
    }

    private func results(_ fetch: NSFetchRequest<any NSFetchRequestResult>, _ context: NSManagedObjectContext) throws
        -> [Any]
    {
        guard let entity = fetch.entity else { throw CocoaError(.featureUnsupported) }
        let reader = RecordReader(service: try service()) { try self.objectID($0) }
        var objects: [StoredObject] = []
        for entity in fetch.includesSubentities ? entity.withSubentities : [entity] {
            for record in try service().records(of: entity.name ?? "") {
                let object = try reader.object(record)
                if fetch.predicate?.evaluate(with: object) ?? true { objects.append(object) }
            }
        }
        if let sort = fetch.sortDescriptors, !sort.isEmpty { objects = objects.sorted(by: sort) }
        // A key of the predicate or of the order may have met an error.
        if let error = reader.error { throw error }
        switch fetch.resultType {
        case .managedObjectResultType: return fetch.range(objects).map { context.object(with: $0.objectID) }
        case .managedObjectIDResultType: return fetch.range(objects).map(\.objectID)
        case .countResultType: return [NSNumber(value: fetch.range(objects).count)]
        default: return fetch.range(try fetch.dictionaries(objects))
        }
    }

    private func write(_ save: NSSaveChangesRequest) throws {
        func records(_ objects: Set<NSManagedObject>?) throws -> [Record] {
            try (objects ?? []).map { object in
                var record = try Record(object, name: name)
                record.version = known[object.objectID] ?? 1
                return record
            }
        }
        var changes = RecordChanges()
        changes.inserted = try records(save.insertedObjects)
        changes.updated = try records(save.updatedObjects)
        changes.locked = try records(save.lockedObjects)
        // The values of a deleted object are not sent.
        changes.deleted = try (save.deletedObjects ?? []).map { object in
            var record = Record(name(object.objectID))
            // An object that was deleted as a fault is deleted in every version.
            record.version = try known[object.objectID] ?? service().record(record.name)?.version ?? 0
            return record
        }
        let conflicts = Set(try service().write(changes))
        guard conflicts.isEmpty else {
            let objects = (save.updatedObjects ?? []).union(save.lockedObjects ?? []).union(save.deletedObjects ?? [])
            let list = objects.filter { conflicts.contains(name($0.objectID)) }.map {
                NSMergeConflict(
                    source: $0, newVersion: 0, oldVersion: Int(known[$0.objectID] ?? 0), cachedSnapshot: nil,
                    persistedSnapshot: nil)
            }
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSManagedObjectMergeError, userInfo: ["conflictList": list])
        }
        for object in save.insertedObjects ?? [] { known[object.objectID] = 1 }
        for object in save.updatedObjects ?? [] { known[object.objectID] = (known[object.objectID] ?? 1) + 1 }
        for object in save.deletedObjects ?? [] { known[object.objectID] = nil }
    }
}

/// The versions of records by object. The lock guards them.
private final class KnownRecords: @unchecked Sendable {
    private let lock = NSLock()
    private var versions: [NSManagedObjectID: UInt64] = [:]

    /// Records a version that was read. Reads at the same time may end in another order.
    func didRead(_ id: NSManagedObjectID, _ version: UInt64) {
        lock.withLock { versions[id] = max(version, versions[id] ?? 0) }
    }

    subscript(id: NSManagedObjectID) -> UInt64? {
        get { lock.withLock { versions[id] } }
        set { lock.withLock { versions[id] = newValue } }
    }
}

extension NSEntityDescription {
    /// The entity, its subentities and theirs.
    fileprivate var withSubentities: [NSEntityDescription] { [self] + subentities.flatMap(\.withSubentities) }
}

extension [StoredObject] {
    fileprivate func sorted(by descriptors: [NSSortDescriptor]) -> [StoredObject] {
        sorted { left, right in
            for descriptor in descriptors {
                let order = descriptor.compare(left, to: right)
                if order != .orderedSame { return order == .orderedAscending }
            }
            return false
        }
    }
}

extension NSFetchRequest<any NSFetchRequestResult> {
    fileprivate func range<Element>(_ elements: [Element]) -> [Element] {
        let rest = elements.dropFirst(fetchOffset)
        return Array(fetchLimit > 0 ? rest.prefix(fetchLimit) : rest)
    }

    /// The values of properties. This store computes no expressions.
    fileprivate func dictionaries(_ objects: [StoredObject]) throws -> [NSDictionary] {
        let keys = try (propertiesToFetch ?? entity?.attributesByName.values.filter { !$0.isTransient } ?? []).map {
            guard !($0 is NSExpressionDescription), let key = $0 as? String ?? ($0 as? NSPropertyDescription)?.name
            else { throw CocoaError(.featureUnsupported) }
            return key
        }
        guard propertiesToGroupBy?.isEmpty != false else { throw CocoaError(.featureUnsupported) }
        var results: [NSDictionary] = []
        for object in objects {
            let values = NSMutableDictionary()
            for key in keys {
                let value = object.value(forKeyPath: key)
                if let value = (value as? StoredObject)?.objectID ?? value { values[NSString(string: key)] = value }
            }
            if !returnsDistinctResults || !results.contains(values) { results.append(values) }
        }
        return results
    }
}
