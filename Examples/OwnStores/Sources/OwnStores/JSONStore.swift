import CoreData

/// A store that is a JSON file: read when the store is added, written as a whole by each save.
///
/// A save is refused if another program has written the file since this store has read or written it. Only a lock
/// around the comparison and the writing would make that safe from programs that write at the same moment.
public final class JSONStore: NSAtomicStore, @unchecked Sendable {
    public static let storeType = "JSON"

    private struct Contents: Codable {
        var identifier: String
        /// Another number after each save.
        var revision: Int
        var records: [Record]
    }

    /// The revision that this store has read or written. Only the framework's calls use it, one at a time.
    private var revision = 0
    /// The greatest number of an object.
    private var lastNumber: Int64 = 0

    private static func contents(_ url: URL) throws -> Contents? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try decoder.decode(Contents.self, from: Data(contentsOf: url))
    }

    /// JSON has no infinite numbers.
    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return decoder
    }

    public override var type: String { Self.storeType }

    public override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        guard let contents = try contents(url) else { throw CocoaError(.fileReadNoSuchFile) }
        return [NSStoreTypeKey: storeType, NSStoreUUIDKey: contents.identifier]
    }

    public override func loadMetadata() throws {
        let known = try url.flatMap(Self.contents)?.identifier
        metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: known ?? UUID().uuidString]
    }

    public override func load() throws {
        guard let url, let contents = try Self.contents(url), let coordinator = persistentStoreCoordinator else {
            return
        }
        revision = contents.revision
        let entities = coordinator.managedObjectModel.entitiesByName
        var nodes: [RecordName: NSAtomicStoreCacheNode] = [:]
        for record in contents.records {
            guard let entity = entities[record.name.entity], let number = Int64(record.name.id) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            lastNumber = max(lastNumber, number)
            nodes[record.name] = NSAtomicStoreCacheNode(
                objectID: objectID(for: entity, withReferenceObject: NSNumber(value: number)))
        }
        for record in contents.records {
            guard let node = nodes[record.name] else { continue }
            for (key, attribute) in node.objectID.entity.attributesByName {
                if let value = record.attributes[key] { node.setValue(try value.value(attribute), forKey: key) }
            }
            for (key, names) in record.relationships {
                guard let relationship = node.objectID.entity.relationshipsByName[key] else { continue }
                let related = names.compactMap { nodes[$0] }
                if !relationship.isToMany {
                    node.setValue(related.first, forKey: key)
                } else if relationship.isOrdered {
                    node.setValue(NSMutableOrderedSet(array: related), forKey: key)
                } else {
                    node.setValue(NSMutableSet(array: related), forKey: key)
                }
            }
        }
        addCacheNodes(Set(nodes.values))
    }

    public override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        lastNumber += 1
        return NSNumber(value: lastNumber)
    }

    public override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = cacheNode(for: managedObject.objectID) ?? addNode(managedObject.objectID)
        updateCacheNode(node, from: managedObject)
        return node
    }

    public override func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        for (key, attribute) in managedObject.entity.attributesByName where !attribute.isTransient {
            node.setValue(managedObject.value(forKey: key), forKey: key)
        }
        for (key, relationship) in managedObject.entity.relationshipsByName where !relationship.isTransient {
            switch managedObject.value(forKey: key) {
            case let set as NSOrderedSet:
                node.setValue(NSMutableOrderedSet(array: nodes(set.array)), forKey: key)
            case let set as NSSet:
                node.setValue(NSMutableSet(array: nodes(set.allObjects)), forKey: key)
            case let object as NSManagedObject: node.setValue(self.node(object), forKey: key)
            default: node.setValue(relationship.isToMany ? NSMutableSet() : nil, forKey: key)
            }
        }
    }

    private func nodes(_ members: [Any]) -> [NSAtomicStoreCacheNode] {
        members.compactMap { ($0 as? NSManagedObject).flatMap(node) }
    }

    /// The node of an object. The node of another new object is added before its turn. A fault may be of an object that
    /// the file doesn't have: it has no node.
    private func node(_ object: NSManagedObject) -> NSAtomicStoreCacheNode? {
        if let known = cacheNode(for: object.objectID) { return known }
        return object.isInserted ? addNode(object.objectID) : nil
    }

    private func addNode(_ id: NSManagedObjectID) -> NSAtomicStoreCacheNode {
        let node = NSAtomicStoreCacheNode(objectID: id)
        addCacheNodes([node])
        return node
    }

    public override func save() throws {
        guard let url else { return }
        if let contents = try Self.contents(url), contents.revision != revision {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSPersistentStoreSaveError,
                userInfo: [NSLocalizedFailureReasonErrorKey: "The file was written by somebody else."])
        }
        func name(_ node: NSAtomicStoreCacheNode) -> RecordName {
            RecordName(
                entity: node.objectID.entity.name ?? "", id: "\(referenceObject(for: node.objectID))")
        }
        let records = try cacheNodes().map { node in
            var record = Record(name(node))
            for (key, attribute) in node.objectID.entity.attributesByName {
                if let value = node.value(forKey: key) { record.attributes[key] = try RecordValue(value, attribute) }
            }
            for key in node.objectID.entity.relationshipsByName.keys {
                let members: [Any]
                switch node.value(forKey: key) {
                case let set as NSOrderedSet: members = set.array
                case let set as NSSet: members = set.allObjects
                case let one?: members = [one]
                case nil: continue
                }
                record.relationships[key] = members.compactMap { ($0 as? NSAtomicStoreCacheNode).map(name) }
            }
            return record
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let contents = Contents(
            identifier: identifier, revision: revision + 1,
            records: records.sorted { (Int64($0.name.id) ?? 0) < (Int64($1.name.id) ?? 0) })
        try encoder.encode(contents).write(to: url, options: .atomic)
        revision = contents.revision
    }
}
