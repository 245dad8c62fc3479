// SPDX-License-Identifier: Apache-2.0

/// The identity of a store in object IDs; it outlives the store.
@usableFromInline package final class StoreIdentity: @unchecked Sendable {
    private struct State: @unchecked Sendable {
        var uuid: String
        /// The address of the store, which its `deinit` removes: a weak reference would make each retain and release of
        /// the store slower.
        var address: MemoryAddress?
        /// The identity of the store that has taken the place of this one.
        var successor: StoreIdentity?
    }

    /// Unique among the stores of the process that are in use. Changes only before the first request of the store.
    @inlinable @inline(__always) package var ordinal: Int { currentOrdinal }
    // The getter is inlined: another module reads a stored property with a check of exclusivity, even an unchecked one.
    @exclusivity(unchecked) @usableFromInline private(set) var currentOrdinal: Int
    /// The layouts of the objects' entities, whose model the identity keeps; nil before ``keep(_:)``.
    @exclusivity(unchecked) @usableFromInline unowned(unsafe) private(set) var layouts: ModelLayout?
    @exclusivity(unchecked) private var model: NSManagedObjectModel?
    /// The row cache of the store, for look-ups that don't ask the store: it is empty once the store is closed. Nil for
    /// a store whose rows must be asked for.
    @inlinable @inline(__always) package var rowCache: RowCache? { currentRowCache }
    @exclusivity(unchecked) @usableFromInline private(set) var currentRowCache: RowCache?
    private let state: Locked<State>
    private let referenceTable = Locked<ReferenceTable?>(nil)

    private static let ordinals = Locked<Int>(0)

    package init(uuid: String) {
        currentOrdinal = Self.ordinals.withLock {
            $0 += 1
            return $0
        }
        state = Locked(State(uuid: uuid))
    }

    /// Keeps the model of the store's objects for their IDs, which then needn't: a model has weak references to it, so
    /// that each retain and release of it takes the runtime's long way.
    ///
    /// Call it before the first request of the store.
    package func keep(_ layouts: ModelLayout) {
        model = layouts.managedObjectModel
        self.layouts = layouts
    }

    /// Sets the row cache, in which contexts look rows up without asking the store. Call it before the first request of
    /// the store.
    package func setRowCache(_ cache: RowCache) { currentRowCache = cache }

    /// Whether the identity keeps the model of layouts.
    @inlinable @inline(__always)
    func keeps(_ other: ModelLayout) -> Bool { layouts === other }

    /// Takes the place of another identity: the IDs with the other one name objects of this store from now on.
    ///
    /// Call it before the first request of this store, with exclusive access to the coordinator. The keys of both
    /// stores are the same.
    package func replace(_ other: StoreIdentity) {
        currentOrdinal = other.ordinal
        other.state.withLock { $0.successor = self }
    }

    package var uuid: String {
        get {
            let (uuid, successor) = state.withLock { ($0.uuid, $0.successor) }
            return successor?.uuid ?? uuid
        }
        set { state.withLock { $0.uuid = newValue } }
    }

    /// The reference objects of the store's IDs; nil for a store whose IDs have numbers alone.
    package var references: ReferenceTable? {
        get { referenceTable.withLock { $0 } }
        set { referenceTable.withLock { $0 = newValue } }
    }

    /// The store that has the identity, if it exists: an `NSPersistentStore`.
    package var owner: AnyObject? {
        get {
            let (owner, successor) = state.withLock { state -> (AnyObject?, StoreIdentity?) in
                (state.address.flatMap { tryRetain($0, as: AnyObject.self) }, state.successor)
            }
            return successor?.owner ?? owner
        }
        set {
            let address = newValue.map { MemoryAddress($0) }
            state.withLock { $0.address = address }
        }
    }

    /// Called by the `deinit` of the store.
    package func removeStore() { state.withLock { $0.address = nil } }
}
