// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The registered objects of one entity hierarchy and one store in a context, by primary key (temporary keys are
/// negative).
///
/// The table contains addresses, not references: an object unregisters itself in its `deinit`, which may run on any
/// thread. New objects are appended to a list; the next look-up adds them to the index by key. Look-ups and
/// registrations run on the context's queue. The table's lock guards everything. An address in the table always points
/// to allocated memory, because the `deinit` of the object takes the lock to remove it.
final class IdentityTable: @unchecked Sendable {
    let handle: ContextHandle
    /// Nil for objects that are in no store yet.
    let store: StoreIdentity?
    /// Whether the store did not belong to the context's coordinator when the table was made. Its objects have no rows
    /// here.
    let isForeign: Bool
    /// Whether the store is a custom store that is told of registrations.
    private let isObserved: Bool
    private let state = Mutex(State())

    private struct State: ~Copyable {
        var table = KeyTable<Void>()
        /// The model of the objects, retained since the first registration: an object retains its table, and so its
        /// model.
        var model: RetainedModel?
        /// Objects that are not in the index yet; nil for a removed one.
        var unindexed: ContiguousArray<MemoryAddress?> = []
        var removedCount = 0

        var isEmpty: Bool { table.count == 0 && removedCount == unindexed.count }

        mutating func indexObjects() {
            guard !unindexed.isEmpty else { return }
            table.reserve(table.count + unindexed.count - removedCount)
            for case let address? in unindexed {
                Unmanaged<NSManagedObject>.fromOpaque(address.pointer)._withUnsafeGuaranteedRef { object in
                    object.unindexedPosition = -1
                    table.set(address, for: object.primaryKey)
                }
            }
            // Mostly the objects of one fetch: a short list is kept for the next one.
            unindexed.removeAll(keepingCapacity: unindexed.count <= 64)
            removedCount = 0
        }
    }

    init(handle: ContextHandle, store: StoreIdentity?, isForeign: Bool = false) {
        self.handle = handle
        self.store = store
        self.isForeign = isForeign
        isObserved = !isForeign && store?.store is NSIncrementalStore
    }

    subscript(key: Int64) -> NSManagedObject? {
        state.withLock { state -> NSManagedObject? in
            state.indexObjects()
            guard let address = state.table[key] else { return nil }
            return tryRetain(address, as: NSManagedObject.self)
        }
    }

    /// The keys without a registered object.
    func missing(_ keys: [Int64]) -> [Int64] {
        state.withLock { state in
            if state.isEmpty { return keys }
            state.indexObjects()
            var missing: [Int64] = []
            for key in keys where state.table[key] == nil { missing.append(key) }
            return missing
        }
    }

    /// The registered objects of some keys, by position; nil if there is none.
    func objects(_ keys: some Collection<Int64> & Sendable) -> [NSManagedObject?]? {
        state.withLock { state in
            if state.isEmpty { return nil }
            state.indexObjects()
            var objects: [NSManagedObject?]?
            for (index, key) in keys.enumerated() {
                guard let address = state.table[key], let object = tryRetain(address, as: NSManagedObject.self) else {
                    continue
                }
                if objects == nil { objects = Array(repeating: nil, count: keys.count) }
                objects?[index] = object
            }
            return objects
        }
    }

    /// The registered objects of some references, each of which occurs once. For a reference without an object a new
    /// fault is made, and registered.
    ///
    /// - Parameters:
    ///   - model: the layouts of the references.
    ///   - resolve: the object of a reference whose registered object is of another entity.
    func objects(
        _ references: [ObjectReference], model: ModelLayout, resolving resolve: (ObjectReference) -> NSManagedObject
    ) -> [NSManagedObject] {
        var others: [Int] = []
        var objects = objects(references, model: model, &others)
        for index in others where !model[references[index].layout].contains(objects[index].layoutNumber) {
            objects[index] = resolve(references[index])
        }
        return objects
    }

    /// - Parameter others: gets the positions of registered objects whose entity differs from the entity of their
    ///   references.
    private func objects(_ references: [ObjectReference], model: ModelLayout, _ others: inout [Int])
        -> [NSManagedObject]
    {
        if isObserved || handle.retained != nil {
            return references.enumerated().map { index, reference in
                if let object = self[reference.key] {
                    if object.layoutNumber != reference.layout { others.append(index) }
                    return object
                }
                var new = NewObjects(1, of: model[reference.layout], in: self)
                let object = new.makeFault(key: reference.key)
                registerMissing(object)
                return object
            }
        }
        return [NSManagedObject](unsafeUninitializedCapacity: references.count) { target, count in
            // The objects are made outside of the lock, which their initializers may use.
            var missing: [Int] = []
            state.withLock { state in
                state.indexObjects()
                for (index, reference) in references.enumerated() {
                    if let address = state.table[reference.key],
                        let object = tryRetain(address, as: NSManagedObject.self)
                    {
                        if object.layoutNumber != reference.layout { others.append(index) }
                        (target.baseAddress.unsafelyUnwrapped + index).initialize(to: object)
                    } else {
                        if missing.isEmpty { missing.reserveCapacity(references.count) }
                        missing.append(index)
                    }
                }
            }
            // The objects come in runs of one entity.
            var rest = missing[...]
            while let first = rest.first {
                let number = references[first].layout
                let run = rest.prefix { references[$0].layout == number }
                var new = NewObjects(run.count, of: model[number], in: self)
                for index in run {
                    (target.baseAddress.unsafelyUnwrapped + index).initialize(
                        to: new.makeFault(key: references[index].key))
                }
                rest = rest[run.endIndex...]
            }
            count = references.count
            guard let first = missing.first else { return }
            let model = target[first].layout.model.retainedModel
            state.withLock { state in
                if state.model == nil { state.model = model }
                state.table.reserve(state.table.count + missing.count)
                for index in missing { state.table.set(MemoryAddress(target[index]), for: references[index].key) }
            }
        }
    }

    /// Adds an object, which has its key and is not in the table.
    @inline(__always)
    func register(_ object: NSManagedObject) {
        handle.retain(object)
        let address = MemoryAddress(object)
        let index = state.withLock { state in
            if state.model == nil { state.model = object.layout.model.retainedModel }
            state.unindexed.append(address)
            return state.unindexed.count - 1
        }
        object.unindexedPosition = Int32(truncatingIfNeeded: index)
        if isObserved { didRegister(object) }
    }

    /// Adds an object that has its key, after a look-up has found no object. The look-up has indexed the table, so the
    /// object goes into the index.
    @inline(__always)
    func registerMissing(_ object: NSManagedObject) {
        handle.retain(object)
        let address = MemoryAddress(object)
        let key = object.primaryKey
        state.withLock { state in
            if state.model == nil { state.model = object.layout.model.retainedModel }
            state.table.set(address, for: key)
        }
        if isObserved { didRegister(object) }
    }

    /// Makes room for new objects that are registered in parts.
    func reserveCapacity(_ count: Int) {
        state.withLock { $0.unindexed.reserveCapacity($0.unindexed.count + count) }
    }

    /// Adds new objects under one lock.
    func register(_ new: UnsafeBufferPointer<NSManagedObject>) {
        guard let first = new.first else { return }
        let model = first.layout.model.retainedModel
        if handle.retained != nil { for object in new { handle.retain(object) } }
        // An address is read instead of a class instance, so that nothing is retained.
        new.withMemoryRebound(to: UnsafeRawPointer.self) { addresses in
            let list = MemoryAddressList(addresses)
            state.withLock { state in
                if state.model == nil { state.model = model }
                for address in list.addresses {
                    let index = Int32(truncatingIfNeeded: state.unindexed.count)
                    Unmanaged<NSManagedObject>.fromOpaque(address)._withUnsafeGuaranteedRef {
                        $0.unindexedPosition = index
                    }
                    state.unindexed.append(MemoryAddress(address))
                }
            }
        }
        if isObserved { for object in new { didRegister(object) } }
    }

    var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// The violated invariants; for tests, on the context's queue.
    ///
    /// - The index is a sound `KeyTable` (see `KeyTable.checkInvariants()`).
    /// - An object in the index has the key under which it is found, and its table is this one.
    /// - An object in the list of unindexed objects knows its position there, and its table is this one; an object in
    ///   the index has the position -1.
    /// - `removedCount` counts the removed entries of the list.
    /// - A table with objects keeps their model.
    func checkInvariants() -> [String] {
        // Released after the lock: the deinit of an object takes it.
        var living: [NSManagedObject] = []
        defer { living.removeAll() }
        return state.withLock { state in
            var violations = state.table.checkInvariants()
            func check(_ isSatisfied: Bool, _ invariant: @autoclosure () -> String) {
                if !isSatisfied { violations.append(invariant()) }
            }
            state.table.forEachEntry { key, address, _ in
                guard let object = tryRetain(address, as: NSManagedObject.self) else { return }
                living.append(object)
                check(object.primaryKey == key, "an object with the key \(object.primaryKey) is indexed as \(key)")
                check(object.table === self, "the indexed object \(key) has another table")
                check(object.unindexedPosition == -1, "the object \(key) is in the index and in the list")
            }
            for (position, entry) in state.unindexed.enumerated() {
                guard let entry, let object = tryRetain(entry, as: NSManagedObject.self) else { continue }
                living.append(object)
                check(
                    Int(object.unindexedPosition) == position,
                    "the object at \(position) of the list has the position \(object.unindexedPosition)")
                check(object.table === self, "the listed object \(object.primaryKey) has another table")
            }
            check(
                state.unindexed.count { $0 == nil } == state.removedCount,
                "\(state.removedCount) removed entries are counted")
            check(state.isEmpty || state.model != nil, "a table with objects doesn't keep their model")
            return violations
        }
    }

    /// Whether an object of any of the buffers' rows is registered.
    func containsAny(of buffers: [RowBuffer]) -> Bool {
        state.withLock { state in
            if state.isEmpty { return false }
            state.indexObjects()
            return buffers.contains { buffer in
                (0..<buffer.count).contains { state.table[buffer[$0].primaryKey] != nil }
            }
        }
    }

    /// Removes an object, unless another one is registered under its key.
    func unregister(_ object: NSManagedObject) {
        let address = MemoryAddress(object)
        state.withLock { state in
            let index = Int(object.unindexedPosition)
            if index >= 0, index < state.unindexed.count, state.unindexed[index] == address {
                state.unindexed[index] = nil
                state.removedCount += 1
                if state.removedCount == state.unindexed.count {
                    state.unindexed.removeAll()
                    state.removedCount = 0
                }
            } else {
                state.table.remove(object.primaryKey, ifHolding: address)
            }
        }
        if isObserved { didUnregister(object) }
    }

    // MARK: Custom stores

    /// Tells the store that an object is used.
    @inline(never)
    private func didRegister(_ object: NSManagedObject) {
        (store?.store as? NSIncrementalStore)?.managedObjectContextDidRegisterObjects(with: [id(of: object)])
    }

    @inline(never)
    private func didUnregister(_ object: NSManagedObject) {
        (store?.store as? NSIncrementalStore)?.managedObjectContextDidUnregisterObjects(with: [id(of: object)])
    }

    /// The ID, made without the object: its `deinit` may run.
    private func id(of object: NSManagedObject) -> NSManagedObjectID {
        NSManagedObjectID(layout: object.layout, store: store, key: object.primaryKey)
    }

    /// The registered objects that are not being deallocated.
    var all: [NSManagedObject] {
        state.withLock { state in
            state.indexObjects()
            var result: [NSManagedObject] = []
            result.reserveCapacity(state.table.count)
            state.table.forEachEntry { _, address, _ in
                if let object = tryRetain(address, as: NSManagedObject.self) { result.append(object) }
            }
            return result
        }
    }
}
