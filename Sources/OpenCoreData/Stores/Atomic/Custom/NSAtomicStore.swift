// SPDX-License-Identifier: Apache-2.0

/// The base class of custom stores that read and write all their objects at once: a file in any format.
///
/// A subclass overrides `type`, `loadMetadata()`, ``load()``, ``save()`` and ``newReferenceObject(for:)``. The objects
/// are nodes with values (``NSAtomicStoreCacheNode``). Requests, faults and conflicts work as in a store in memory.
///
/// ```swift
/// final class ListStore: NSAtomicStore {
///     override var type: String { "List" }
///
///     override func loadMetadata() throws {
///         metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: "1E2D8A3C-5D4B-4C76-9C0A-1C3C0B8D2F11"]
///     }
///
///     override func load() throws {
///         guard let url, let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName["Item"],
///             let text = try? String(contentsOf: url, encoding: .utf8)
///         else { return }
///         for line in text.split(separator: "\n") {
///             let id = objectID(for: entity, withReferenceObject: String(line))
///             let node = NSAtomicStoreCacheNode(objectID: id)
///             node.setValue(String(line), forKey: "name")
///             addCacheNodes([node])
///         }
///     }
///
///     override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
///         managedObject.value(forKey: "name") ?? UUID().uuidString
///     }
///
///     override func save() throws {
///         let names = cacheNodes().compactMap { $0.value(forKey: "name") as? String }
///         if let url { try names.sorted().joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8) }
///     }
/// }
///
/// NSPersistentStoreCoordinator.registerStoreClass(ListStore.self, forStoreType: "List")
/// ```
///
/// The coordinator calls the store. Its methods run on the thread of the request, never at the same time: a lock of the
/// store guards the nodes.
nonisolated open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
    package final let database = MemoryDatabase(archiveTrust: nil)
    final let nodes = AtomicStoreNodes()
    /// The metadata that the file has.
    final let savedMetadata = Locked<[String: Any]>([:])

    /// Makes a store. The coordinator calls ``NSPersistentStore/loadMetadata()`` and ``load()`` afterwards.
    ///
    /// - Parameters:
    ///   - coordinator: the coordinator to which the store is added.
    ///   - configurationName: the configuration whose entities the store contains; nil for the default configuration.
    ///   - url: the URL of the store.
    ///   - options: the options with which the store is added.
    public required init(
        persistentStoreCoordinator coordinator: NSPersistentStoreCoordinator?, configurationName: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(
            persistentStoreCoordinator: coordinator, configurationName: configurationName, at: url, options: options)
    }

    // MARK: Members to override

    /// Reads the objects and adds their nodes by ``addCacheNodes(_:)``. A subclass must override it.
    ///
    /// Called once, after `loadMetadata()`, when the store is added to its coordinator.
    ///
    /// - Throws: an error that `addPersistentStore(ofType:configurationName:at:options:)` then throws.
    open func load() throws {
        programmingError("\(Swift.type(of: self)) doesn't load its objects.", remedy: "Override load().")
    }

    /// Writes the objects, the nodes of ``cacheNodes()``, and `metadata`. A subclass must override it.
    ///
    /// Called as the last step of a save, when the nodes have the new values.
    ///
    /// - Throws: an error that the context's `save()` then throws; nodes and objects are as before the save.
    open func save() throws {
        programmingError("\(Swift.type(of: self)) doesn't save its objects.", remedy: "Override save().")
    }

    /// A new node with the values of an inserted object.
    ///
    /// Called by a save, on the queue of the object's context. The object has its permanent ID. This class makes an
    /// `NSAtomicStoreCacheNode` and calls ``updateCacheNode(_:from:)``.
    ///
    /// - Parameter managedObject: the inserted object.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = nodes.node(orNewFor: managedObject.objectID)
        updateCacheNode(node, from: managedObject)
        return node
    }

    /// Gives a node the values of a changed object.
    ///
    /// Called by a save, on the queue of the object's context. This class copies the attributes, and the nodes of
    /// related objects.
    ///
    /// - Parameters:
    ///   - node: the node.
    ///   - managedObject: the object with the same ID.
    open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        copyValues(of: managedObject, to: node)
    }

    /// Called by a save before the nodes of deleted objects are removed. This class does nothing.
    ///
    /// - Parameter cacheNodes: the nodes.
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

    /// The reference object of a new object: a number, a string or another value that permanently identifies the object
    /// in the file. A subclass must override it.
    ///
    /// Called when the object gets its permanent ID, on the queue of its context. Two reference objects with the same
    /// description identify the same object of an entity.
    ///
    /// - Parameter managedObject: the inserted object.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        programmingError(
            "\(Swift.type(of: self)) makes no reference objects.", remedy: "Override newReferenceObject(for:).")
    }

    // MARK: Nodes and IDs

    /// The nodes of all objects.
    open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { nodes.all }

    /// Adds nodes: the objects of the file. Called by ``load()``.
    ///
    /// - Parameter cacheNodes: the nodes. A node replaces an earlier node with the same ID.
    open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) { nodes.add(cacheNodes) }

    /// The node of an object; nil if there is none.
    open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? { nodes[objectID] }

    /// The ID of an object.
    ///
    /// - Parameters:
    ///   - entity: the object's own entity.
    ///   - data: the reference object.
    open func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID {
        referenceID(entity, data)
    }

    /// The reference object of an ID of this store. Stops the program for another ID.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any { reference(of: objectID) }
}

extension NSAtomicStore: ClosedStoreOperations {}
