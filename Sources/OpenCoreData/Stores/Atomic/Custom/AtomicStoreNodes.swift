// SPDX-License-Identifier: Apache-2.0

/// The nodes of an `NSAtomicStore` by object. The recursive lock guards them.
final class AtomicStoreNodes: @unchecked Sendable {
    private let lock = NSRecursiveLock()
    private var nodes: [NSManagedObjectID: NSAtomicStoreCacheNode] = [:]
    /// The nodes of new objects that related objects have asked for.
    private var newNodes: [NSManagedObjectID: NSAtomicStoreCacheNode] = [:]

    var all: Set<NSAtomicStoreCacheNode> { lock.withLock { Set(nodes.values) } }

    subscript(id: NSManagedObjectID) -> NSAtomicStoreCacheNode? { lock.withLock { nodes[id] } }

    func add(_ added: Set<NSAtomicStoreCacheNode>) {
        lock.withLock { for node in added { nodes[node.objectID] = node } }
    }

    func add(_ node: NSAtomicStoreCacheNode) { lock.withLock { nodes[node.objectID] = node } }

    func remove(_ removed: Set<NSAtomicStoreCacheNode>) {
        lock.withLock { for node in removed { nodes[node.objectID] = nil } }
    }

    /// The node of an object, or a new one that a save is going to add.
    func node(orNewFor id: NSManagedObjectID) -> NSAtomicStoreCacheNode {
        lock.withLock {
            if let node = nodes[id] ?? newNodes[id] { return node }
            let node = NSAtomicStoreCacheNode(objectID: id)
            newNodes[id] = node
            return node
        }
    }

    /// Runs the changes of a save. After an error the nodes have their former values.
    func change(_ updated: [NSAtomicStoreCacheNode], _ body: () throws -> Void) throws {
        try lock.withLock {
            let before = nodes
            let values = updated.map { ($0, $0.propertyCache.map(Self.copy)) }
            defer { newNodes = [:] }
            do {
                try body()
            } catch {
                nodes = before
                for (node, values) in values { node.propertyCache = values }
                throw error
            }
        }
    }

    /// A copy of values with copies of the sets that a store may change in place.
    private static func copy(_ values: NSMutableDictionary) -> NSMutableDictionary {
        let copy = NSMutableDictionary(capacity: values.count)
        for (key, value) in values {
            guard let key = key as? NSString else { continue }
            switch value {
            case let set as NSMutableOrderedSet: copy[key] = NSMutableOrderedSet(array: set.array)
            default: copy[key] = value
            }
        }
        return copy
    }
}
