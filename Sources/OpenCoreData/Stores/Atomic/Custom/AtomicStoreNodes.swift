// SPDX-License-Identifier: Apache-2.0

/// The nodes of an `NSAtomicStore` by object. The recursive lock guards them.
final class AtomicStoreNodes: @unchecked Sendable {
    private let lock = NSRecursiveLock()
    private var nodes: [NSManagedObjectID: NSAtomicStoreCacheNode] = [:]
    /// The nodes of new objects that related objects have asked for.
    private var newNodes: [NSManagedObjectID: NSAtomicStoreCacheNode] = [:]

    // Nodes of related objects refer to each other: each would keep the others, and a long chain of them would end in a
    // recursion as deep as the chain.
    deinit { Self.removeValues(of: Array(nodes.values)) }

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
    ///
    /// Nodes that are no longer of the store have no values after it.
    func change(_ updated: [NSAtomicStoreCacheNode], _ body: () throws -> Void) throws {
        try lock.withLock {
            let before = nodes
            let values = updated.map { ($0, $0.propertyCache.map(Self.copy)) }
            var gone: [NSAtomicStoreCacheNode] = []
            defer {
                gone += newNodes.values.filter { nodes[$0.objectID] !== $0 }
                newNodes = [:]
                Self.removeValues(of: gone)
            }
            do {
                try body()
                gone = before.values.filter { nodes[$0.objectID] !== $0 }
            } catch {
                gone = nodes.values.filter { before[$0.objectID] !== $0 }
                nodes = before
                for (node, values) in values { node.propertyCache = values }
                throw error
            }
        }
    }

    private static func removeValues(of nodes: [NSAtomicStoreCacheNode]) {
        for node in nodes { node.propertyCache = nil }
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
