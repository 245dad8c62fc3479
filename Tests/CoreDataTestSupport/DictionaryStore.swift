import CoreData

/// A store of a program's own: a property list with a dictionary for each object.
package final class DictionaryStore: NSAtomicStore, @unchecked Sendable {
    package static let storeType = "DictionaryStore"

    package static func register() {
        NSPersistentStoreCoordinator.registerStoreClass(DictionaryStore.self, forStoreType: storeType)
    }

    /// The calls of the store, in order.
    package var calls: [String] = []
    /// The error of the next save.
    package var failure: (any Error)?

    package override var type: String { DictionaryStore.storeType }

    private static func contents(_ url: URL) -> [String: Any]? {
        guard let data = try? Data(contentsOf: url) else { return nil }
        return try? PropertyListSerialization.propertyList(from: data, options: [], format: nil) as? [String: Any]
    }

    package override static func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        guard let metadata = contents(url)?["metadata"] as? [String: Any] else { throw CocoaError(.fileReadNoSuchFile) }
        return metadata
    }

    /// A value as a property list.
    private static func stored(_ value: Any) -> Any {
        switch value {
        case let uuid as UUID: ["uuid": uuid.uuidString]
        case let url as URL: ["url": url.absoluteString]
        case let decimal as NSDecimalNumber: ["decimal": decimal.stringValue]
        case is String, is Data, is Date, is NSNumber: value
        default:
            [
                "archive": (try? NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false))
                    ?? Data()
            ]
        }
    }

    private static func value(_ stored: Any) -> Any? {
        guard let wrapped = stored as? [String: Any], let (key, value) = wrapped.first else { return stored }
        switch key {
        case "uuid": return UUID(uuidString: value as? String ?? "")
        case "url": return URL(string: value as? String ?? "")
        case "decimal": return NSDecimalNumber(string: value as? String)
        default:
            let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: value as? Data ?? Data())
            unarchiver?.requiresSecureCoding = false
            return unarchiver?.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
        }
    }

    package override func loadMetadata() throws {
        calls.append("loadMetadata")
        let stored = url.flatMap(Self.contents)?["metadata"] as? [String: Any]
        metadata = stored ?? [NSStoreTypeKey: type, NSStoreUUIDKey: UUID().uuidString]
    }

    package override func load() throws {
        calls.append("load")
        guard let url, let objects = Self.contents(url)?["objects"] as? [[String: Any]] else { return }
        let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
        var nodes: [String: NSAtomicStoreCacheNode] = [:]
        for object in objects {
            guard let entity = entities[object["entity"] as? String ?? ""], let name = object["id"] as? String else {
                throw CocoaError(.fileReadCorruptFile)
            }
            nodes[name] = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: name))
        }
        for object in objects {
            guard let node = nodes[object["id"] as? String ?? ""] else { continue }
            for (key, value) in object["attributes"] as? [String: Any] ?? [:] {
                node.setValue(Self.value(value), forKey: key)
            }
            for (key, names) in object["relationships"] as? [String: [String]] ?? [:] {
                let related = names.compactMap { nodes[$0] }
                let relationship = node.objectID.entity.relationshipsByName[key]
                if relationship?.isToMany != true {
                    node.setValue(related.first, forKey: key)
                } else if relationship?.isOrdered == true {
                    node.setValue(NSMutableOrderedSet(array: related), forKey: key)
                } else {
                    node.setValue(NSMutableSet(array: related), forKey: key)
                }
            }
        }
        addCacheNodes(Set(nodes.values))
    }

    package override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        calls.append("newReferenceObject")
        return "\(managedObject.entity.name ?? "")/\(UUID().uuidString)"
    }

    package override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        calls.append("newCacheNode")
        let id = managedObject.objectID
        let node = cacheNode(for: id) ?? NSAtomicStoreCacheNode(objectID: id)
        addCacheNodes([node])
        updateCacheNode(node, from: managedObject)
        return node
    }

    package override func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        calls.append("updateCacheNode")
        for key in managedObject.entity.attributesByName.keys {
            node.setValue(managedObject.value(forKey: key), forKey: key)
        }
        for (key, relationship) in managedObject.entity.relationshipsByName {
            let value = managedObject.value(forKey: key)
            if !relationship.isToMany {
                node.setValue((value as? NSManagedObject).map(self.node), forKey: key)
            } else if relationship.isOrdered {
                let members = (value as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
                node.setValue(NSMutableOrderedSet(array: members.map(self.node)), forKey: key)
            } else {
                let members = (value as? NSSet)?.allObjects as? [NSManagedObject] ?? []
                node.setValue(NSMutableSet(array: members.map(self.node)), forKey: key)
            }
        }
    }

    private func node(_ object: NSManagedObject) -> NSAtomicStoreCacheNode {
        if let node = cacheNode(for: object.objectID) { return node }
        let node = NSAtomicStoreCacheNode(objectID: object.objectID)
        addCacheNodes([node])
        return node
    }

    package override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        calls.append("willRemoveCacheNodes")
        super.willRemoveCacheNodes(cacheNodes)
    }

    package override func save() throws {
        calls.append("save")
        if let failure {
            self.failure = nil
            throw failure
        }
        func name(_ node: Any) -> String {
            (node as? NSAtomicStoreCacheNode).map { referenceObject(for: $0.objectID) as? String ?? "" } ?? ""
        }
        let objects: [[String: Any]] = cacheNodes().map { node in
            let entity = node.objectID.entity
            var attributes: [String: Any] = [:]
            for key in entity.attributesByName.keys { attributes[key] = node.value(forKey: key).map(Self.stored) }
            var relationships: [String: [String]] = [:]
            for key in entity.relationshipsByName.keys {
                switch node.value(forKey: key) {
                case let set as NSOrderedSet: relationships[key] = set.array.map(name)
                case let set as NSSet: relationships[key] = set.allObjects.map(name)
                case let other?: relationships[key] = [name(other)]
                case nil: break
                }
            }
            return [
                "id": name(node), "entity": entity.name ?? "", "attributes": attributes, "relationships": relationships,
            ]
        }
        let contents: [String: Any] = ["metadata": metadata ?? [:], "objects": objects]
        guard let url else { return }
        try PropertyListSerialization.data(fromPropertyList: contents, format: .binary, options: 0).write(
            to: url, options: .atomic)
    }
}
