import Synchronization

/// The objects that a context knows of one entity hierarchy in one store, by primary key (temporary ones are negative).
///
/// Holds addresses, not references: an object leaves the table in its `deinit`, which may run on any thread. The
/// table's lock guards the addresses.
final class IdentityTable: @unchecked Sendable {
    let handle: ContextHandle
    /// Nil for objects that no store has yet.
    let store: StoreIdentity?
    private let objects: Mutex<KeyTable>

    init(handle: ContextHandle, store: StoreIdentity?) {
        self.handle = handle
        self.store = store
        objects = Mutex(KeyTable())
    }

    @inline(__always)
    subscript(key: Int64) -> NSManagedObject? {
        objects.withLock { table -> NSManagedObject? in
            guard let address = table[key] else { return nil }
            return tryRetain(address, as: NSManagedObject.self)
        }
    }

    @inline(__always)
    func register(_ object: NSManagedObject, key: Int64) {
        let address = KeyTable.Address(object)
        objects.withLock { $0.set(address, for: key) }
    }

    func unregister(_ key: Int64, address: KeyTable.Address) {
        objects.withLock { $0.remove(key, ifHolding: address) }
    }

    @inline(__always)
    func isKnown(_ key: Int64) -> Bool { objects.withLock { $0[key] != nil } }

    func reserve(_ additional: Int) {
        objects.withLock { $0.reserve($0.count + additional) }
    }

    /// All objects that are alive now.
    var all: [NSManagedObject] {
        objects.withLock { table in
            var result: [NSManagedObject] = []
            result.reserveCapacity(table.count)
            table.forEach { _, address in
                if let object = tryRetain(address, as: NSManagedObject.self) { result.append(object) }
            }
            return result
        }
    }
}

/// What objects hold of their context: it outlives the context and then says so.
///
/// `context` is set to nil when the context goes; it is read and written on the context's queue.
final class ContextHandle: @unchecked Sendable {
    unowned(unsafe) var context: NSManagedObjectContext?
    /// Keeps stores alive as long as objects of them are.
    var coordinator: NSPersistentStoreCoordinator?

    init() {}
}

/// A store as object IDs know it: its identifier and ordinal outlive the store.
final class StoreIdentity: @unchecked Sendable {
    /// Unique in the process.
    let ordinal: Int
    private let state: Mutex<(uuid: String, store: WeakStore)>

    private struct WeakStore { weak var store: NSPersistentStore? }

    private static let ordinals = Mutex<Int>(0)

    init(uuid: String) {
        ordinal = Self.ordinals.withLock { $0 += 1; return $0 }
        state = Mutex((uuid, WeakStore(store: nil)))
    }

    var uuid: String {
        get { state.withLock { $0.uuid } }
        set { state.withLock { $0.uuid = newValue } }
    }

    var store: NSPersistentStore? {
        get { state.withLock { $0.store.store } }
        set { state.withLock { $0.store.store = newValue } }
    }
}
