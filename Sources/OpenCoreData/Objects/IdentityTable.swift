import Synchronization

/// The objects that a context knows of one entity hierarchy in one store, by primary key (temporary ones are negative).
///
/// Holds addresses, not references: an object leaves the table in its `deinit`, which may run on any thread. New
/// objects are only noted; they are listed by key when the first look-up comes. Look-ups and new objects are the
/// business of the context's queue. The table's lock guards everything; an address that is in the table is that of an
/// object whose memory is there, since its `deinit` takes the lock to leave.
final class IdentityTable: @unchecked Sendable {
    let handle: ContextHandle
    /// Nil for objects that no store has yet.
    let store: StoreIdentity?
    private let state = Mutex(State())

    private struct State: ~Copyable {
        var table = KeyTable()
        /// Objects that are not listed yet; nil where one has gone.
        var noted: ContiguousArray<KeyTable.Address?> = []
        var removedCount = 0

        var isEmpty: Bool { table.count == 0 && removedCount == noted.count }

        mutating func listNoted() {
            guard !noted.isEmpty else { return }
            for case let address? in noted {
                Unmanaged<NSManagedObject>.fromOpaque(address.pointer)._withUnsafeGuaranteedRef { object in
                    object.noteIndex = -1
                    table.set(address, for: object.primaryKey)
                }
            }
            noted.removeAll()
            removedCount = 0
        }
    }

    init(handle: ContextHandle, store: StoreIdentity?) {
        self.handle = handle
        self.store = store
    }

    subscript(key: Int64) -> NSManagedObject? {
        state.withLock { state -> NSManagedObject? in
            state.listNoted()
            guard let address = state.table[key] else { return nil }
            return tryRetain(address, as: NSManagedObject.self)
        }
    }

    /// Adds an object, which has its key and isn't in the table.
    @inline(__always)
    func register(_ object: NSManagedObject) {
        if handle.retained != nil { handle.retained?[ObjectIdentifier(object)] = object }
        let address = KeyTable.Address(object)
        let index = state.withLock { state in
            state.noted.append(address)
            return state.noted.count - 1
        }
        object.noteIndex = Int32(truncatingIfNeeded: index)
    }

    /// Adds new objects under one lock.
    func register(_ new: UnsafeBufferPointer<NSManagedObject>) {
        if handle.retained != nil { for object in new { handle.retained?[ObjectIdentifier(object)] = object } }
        // A class instance is its address in memory: read as such, nothing is retained.
        new.withMemoryRebound(to: UnsafeRawPointer.self) { addresses in
            let list = KeyTable.AddressList(addresses)
            state.withLock { state in
                state.noted.reserveCapacity(state.noted.count + list.addresses.count)
                for address in list.addresses {
                    let index = Int32(truncatingIfNeeded: state.noted.count)
                    Unmanaged<NSManagedObject>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.noteIndex = index }
                    state.noted.append(KeyTable.Address(address))
                }
            }
        }
    }

    var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// Whether an object of any of the buffers' rows is registered.
    func knowsAny(of buffers: [RowBuffer]) -> Bool {
        state.withLock { state in
            if state.isEmpty { return false }
            state.listNoted()
            return buffers.contains { buffer in
                (0..<buffer.count).contains { state.table[buffer[$0].primaryKey] != nil }
            }
        }
    }

    /// Removes an object, if it is still the one that its key names.
    func unregister(_ object: NSManagedObject) {
        let address = KeyTable.Address(object)
        state.withLock { state in
            let index = Int(object.noteIndex)
            if index >= 0, index < state.noted.count, state.noted[index] == address {
                state.noted[index] = nil
                state.removedCount += 1
                if state.removedCount == state.noted.count {
                    state.noted.removeAll()
                    state.removedCount = 0
                }
            } else {
                state.table.remove(object.primaryKey, ifHolding: address)
            }
        }
    }

    /// All objects that are alive now.
    var all: [NSManagedObject] {
        state.withLock { state in
            state.listNoted()
            var result: [NSManagedObject] = []
            result.reserveCapacity(state.table.count)
            state.table.forEachEntry { _, address in
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
    /// How old cached rows may be, in seconds; negative for any age.
    var stalenessInterval: TimeInterval = -1
    /// That of the context's parent.
    var parent: ContextHandle?
    /// False if the context has no unsaved changes; may be read on any thread.
    let mayHaveChanges = Atomic<Bool>(false)
    /// The context's name, which messages may ask for on any thread.
    let name = Mutex<String?>(nil)
    /// Whether the context is pinned to a query generation, or to be pinned; may be read on any thread.
    let mayBePinned = Atomic<Bool>(false)
    /// The registered objects, if the context keeps them all. Touched on the context's queue alone.
    @exclusivity(unchecked) var retained: [ObjectIdentifier: NSManagedObject]?
    /// Who observes the context and its objects.
    let observers = ChangeObservers()

    init() {}

    /// Whether any context above may know other values than the store.
    var ancestorsMayHaveChanges: Bool {
        var next = parent
        while let handle = next {
            if handle.mayHaveChanges.load(ordering: .relaxed) { return true }
            next = handle.parent
        }
        return false
    }
}

/// A store as object IDs know it: its identifier and ordinal outlive the store.
final class StoreIdentity: @unchecked Sendable {
    /// Unique in the process.
    let ordinal: Int
    private let state: Mutex<(uuid: String, store: WeakStore)>

    private struct WeakStore { weak var store: NSPersistentStore? }

    private static let ordinals = Mutex<Int>(0)

    init(uuid: String) {
        ordinal = Self.ordinals.withLock {
            $0 += 1
            return $0
        }
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
