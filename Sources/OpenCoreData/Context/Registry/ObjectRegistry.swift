// SPDX-License-Identifier: Apache-2.0

/// The registered objects of a context: one object for each ID.
///
/// Used on the context's queue alone.
final class ObjectRegistry {
    private struct TableKey: Hashable {
        let store: Int
        let root: UInt32
    }

    private let handle: ContextHandle
    /// The identity tables of objects without a store, by the number of the root entity's layout.
    private var unsavedTables: [UInt32: IdentityTable] = [:]
    /// The identity table that was used last: objects come mostly in runs of one entity.
    @exclusivity(unchecked) private var lastUnsavedTable: (root: UInt32, table: IdentityTable)?
    /// The identity tables of saved objects, by store and root entity.
    private var storedTables: [TableKey: IdentityTable] = [:]
    /// The table of stored objects that was used last, and its key.
    @exclusivity(unchecked) private var lastStoredTable: IdentityTable?
    @exclusivity(unchecked) private var lastStoredKey = TableKey(store: -1, root: 0)
    /// The class that was instantiated last, and its entity: objects come mostly in runs of one class.
    private var lastEntity: (type: NSManagedObject.Type, entity: NSEntityDescription)?
    /// The mutable ordered sets of large relationships that were used last. They keep their owners and the members.
    private var keptOrderedSets: [RelationshipMutableOrderedSet] = []

    init(handle: ContextHandle) { self.handle = handle }

    /// Whether no object was registered since the context was made or reset.
    var isEmpty: Bool { storedTables.isEmpty && unsavedTables.isEmpty }

    /// Whether objects of a store were registered since the context was made or reset.
    var hasStoredObjects: Bool { !storedTables.isEmpty }

    /// The identity tables of all objects.
    var tables: [IdentityTable] { Array(unsavedTables.values) + Array(storedTables.values) }

    /// All registered objects that are alive.
    var objects: [NSManagedObject] { tables.flatMap(\.all) }

    // MARK: Identity tables

    /// The identity table of objects without a store.
    func unsavedTable(root: UInt32) -> IdentityTable {
        if let last = lastUnsavedTable, last.root == root { return last.table }
        let table = unsavedTables[root] ?? IdentityTable(handle: handle, store: nil)
        unsavedTables[root] = table
        lastUnsavedTable = (root, table)
        return table
    }

    /// The identity table of the objects of a store.
    func table(store: StoreIdentity, root: UInt32) -> IdentityTable {
        let key = TableKey(store: store.ordinal, root: root)
        if key == lastStoredKey, let last = lastStoredTable { return last }
        let known = storedTables[key].flatMap { $0.isForeign ? nil : $0 }
        let table = known ?? IdentityTable(handle: handle, store: store)
        storedTables[key] = table
        setLastStored(table, key)
        return table
    }

    /// The table of the objects of one entity whose keys belong to rows of other entities.
    ///
    /// - Parameter store: nil for objects that are in no store yet.
    func misnamedTable(of store: StoreIdentity?, layout: EntityLayout) -> IdentityTable {
        guard let store else {
            let table = unsavedTables[~layout.number] ?? IdentityTable(handle: handle, store: nil)
            unsavedTables[~layout.number] = table
            return table
        }
        let key = TableKey(store: store.ordinal, root: ~layout.number)
        let table = storedTables[key] ?? IdentityTable(handle: handle, store: store)
        storedTables[key] = table
        return table
    }

    /// The same table, if it was made already.
    func knownMisnamedTable(of store: StoreIdentity, layout: EntityLayout) -> IdentityTable? {
        storedTables[TableKey(store: store.ordinal, root: ~layout.number)]
    }

    private func setLastStored(_ table: IdentityTable?, _ key: TableKey = TableKey(store: -1, root: 0)) {
        lastStoredTable = table
        lastStoredKey = key
    }

    /// The identity table of stored objects that was used last, if a permanent ID of the context's model belongs to it.
    /// Retains nothing.
    @inline(__always)
    func lastStoredTable(of id: NSManagedObjectID) -> Unmanaged<IdentityTable>? {
        guard !id.isTemporary, let store = id.storeIdentity?.ordinal else { return nil }
        let (root, number) = id.unretainedLayout._withUnsafeGuaranteedRef { ($0.root, $0.number) }
        guard TableKey(store: store, root: root) == lastStoredKey, handle.layoutNumbers.contains(number) else {
            return nil
        }
        return lastStoredTable.unretained
    }

    /// The identity table that an ID belongs to.
    func table(for id: NSManagedObjectID) -> IdentityTable { table(for: id, root: layout(of: id).root) }

    /// The identity table that an ID belongs to, whose root entity is known.
    func table(for id: NSManagedObjectID, root: UInt32) -> IdentityTable {
        guard !id.isTemporary, let store = id.storeIdentity else { return unsavedTable(root: root) }
        let key = TableKey(store: store.ordinal, root: root)
        if key == lastStoredKey, let last = lastStoredTable { return last }
        if let known = storedTables[key], !known.isForeign {
            setLastStored(known, key)
            return known
        }
        // The ID may come from another coordinator that has opened the same store.
        let stores = handle.coordinator?.persistentStores ?? []
        if stores.contains(where: { $0.identity === store }) { return table(store: store, root: root) }
        if let same = stores.first(where: { $0.identity.uuid == store.uuid }) {
            return table(store: same.identity, root: root)
        }
        // A store that was removed has the objects that the context has read.
        if let known = storedTables[key] { return known }
        let foreign = IdentityTable(handle: handle, store: store, isForeign: true)
        storedTables[key] = foreign
        return foreign
    }

    // MARK: Entities

    /// The layout of an ID in the model of the context. An ID of another copy of the model is found by entity name.
    func layout(of id: NSManagedObjectID) -> EntityLayout {
        if handle.layoutNumbers.contains(id.unretainedLayout._withUnsafeGuaranteedRef({ $0.number })) {
            return id.layout
        }
        guard let model = handle.coordinator?.layouts else { return id.layout }
        return model.byName[id.layout.name] ?? id.layout
    }

    /// The entity of a class in the model of a coordinator; nil if there is none.
    func entity(of type: NSManagedObject.Type, in coordinator: NSPersistentStoreCoordinator) -> NSEntityDescription? {
        guard let layout = coordinator.layouts.layout(for: type) else { return nil }
        lastEntity = (type, layout.entity)
        return layout.entity
    }

    /// The entity of a class, if it is the class of the last call of `entity(of:in:)`.
    func lastEntity(of type: NSManagedObject.Type) -> NSEntityDescription? {
        if let last = lastEntity, last.type == type { return last.entity }
        return nil
    }

    /// Forgets the entity that was used last: another coordinator may have another model.
    func removeLastEntity() { lastEntity = nil }

    // MARK: Retaining objects

    /// Whether the context retains all registered objects, not only those with unsaved changes.
    var retainsObjects: Bool {
        get { handle.retained != nil }
        set { if newValue != retainsObjects { handle.setRetained(newValue ? objects : nil) } }
    }

    /// The number of mutable ordered sets that are kept.
    private static let keptOrderedSetLimit = 4
    /// The number of members from which on a mutable ordered set is kept, because making it again costs more.
    private static let keptMemberCount = 64

    /// Keeps a mutable ordered set that was made or changed, since programs ask for it before each change and making
    /// one takes time for each member. Only few sets are kept: until newer sets take their place, or the context is
    /// reset.
    func keep(_ set: RelationshipMutableOrderedSet) {
        guard keptOrderedSets.last !== set, set.memberCount >= Self.keptMemberCount else { return }
        keptOrderedSets.removeAll { $0 === set }
        if keptOrderedSets.count == Self.keptOrderedSetLimit { keptOrderedSets.removeFirst() }
        keptOrderedSets.append(set)
    }

    /// Forgets all mutable ordered sets.
    func removeKeptSets() { keptOrderedSets = [] }

    /// Forgets the mutable ordered sets of objects whose deletion was saved.
    func removeDetachedOrderedSets() { keptOrderedSets.removeAll { $0.isDetached } }

    // MARK: Removing objects

    /// Removes an object. It is released, if it was retained.
    func remove(_ object: NSManagedObject) {
        handle.release(object)
        object.table?.unregister(object)
    }

    /// Removes the tables after their objects were removed.
    func removeTables() {
        unsavedTables = [:]
        lastUnsavedTable = nil
        storedTables = [:]
        setLastStored(nil)
        keptOrderedSets = []
        if retainsObjects { handle.setRetained([]) }
    }

    // MARK: Invariants

    /// The violated invariants, for tests.
    ///
    /// - Each table belongs to the context and to its store, and is sound (see `IdentityTable.checkInvariants()`).
    /// - The tables that were used last match their keys. The entity that was used last belongs to the model.
    /// - A context that retains its objects retains exactly the registered ones.
    func checkInvariants() -> [String] {
        var violations = tables.flatMap { $0.checkInvariants() }
        func expect(_ condition: Bool, _ message: String) {
            if !condition { violations.append(message) }
        }
        expect(tables.allSatisfy { $0.handle === handle }, "A table belongs to another context.")
        expect(unsavedTables.values.allSatisfy { $0.store == nil }, "A table of new objects has a store.")
        expect(storedTables.allSatisfy { $0.key.store == $0.value.store?.ordinal }, "A table has another store.")
        expect(lastUnsavedTable.map { unsavedTables[$0.root] === $0.table } ?? true, "The last table isn't registered.")
        expect(storedTables[lastStoredKey] === lastStoredTable, "The last table isn't registered.")
        if let lastEntity, let layouts = handle.coordinator?.layouts {
            expect(layouts.layout(for: lastEntity.type)?.entity === lastEntity.entity, "The last entity is outdated.")
        }
        if let retained = handle.retained {
            expect(Set(retained.values) == Set(objects), "The retained objects aren't the registered ones.")
        }
        return violations
    }
}
