// SPDX-License-Identifier: Apache-2.0

/// Objects whose IDs name a row by another entity of its hierarchy.
///
/// A URI, an archive or a damaged row may name an object by an entity that its row doesn't have. The row decides: an
/// object of the row's entity is registered under the key. An object of another entity with the same key goes into a
/// separate table (``ObjectRegistry/misnamedTable(of:layout:)``). It has no row: its fault is inaccessible.
extension NSManagedObjectContext {
    /// The registered object with a key, if it is of an entity or its subentities.
    ///
    /// - Parameter table: the identity table of the entity's hierarchy.
    @inline(__always)
    final func registeredObject(_ layout: EntityLayout, key: Int64, in table: IdentityTable) -> NSManagedObject? {
        guard let known = table[key] else { return nil }
        return layout.contains(known.layoutNumber) ? known : otherRegisteredObject(known, layout, key, table)
    }

    /// The registered object with a key, or a new fault.
    @inline(__always)
    final func registeredObjectOrFault(
        _ layout: EntityLayout, key: Int64, in table: IdentityTable, id: NSManagedObjectID? = nil
    ) -> NSManagedObject {
        guard let known = table[key] else { return makeFault(layout: layout, key: key, table: table, id: id) }
        if layout.contains(known.layoutNumber) { return known }
        return otherRegisteredObject(known, layout, key, table) ?? makeFault(known, layout, key, table, id)
    }

    /// The object of an entity with a key under which an object of another entity is registered; nil if there is none.
    ///
    /// If the row is of the wanted entity, the registered object leaves its place.
    @inline(never)
    private final func otherRegisteredObject(
        _ known: NSManagedObject, _ layout: EntityLayout, _ key: Int64, _ table: IdentityTable
    ) -> NSManagedObject? {
        let misnamed = registry.misnamedTable(of: table.store, layout: layout)
        if let object = misnamed[key] { return object }
        // An object with a row, and a new one, are of the right entity.
        guard known.row == nil, key > 0, !known.flags.contains(.inserted),
            (try? snapshot(layout, key: key, table: table)) != nil
        else { return nil }
        displace(known)
        return nil
    }

    /// Makes the fault of an entity while an object of another entity is registered with the same key.
    @inline(never)
    private final func makeFault(
        _ known: NSManagedObject, _ layout: EntityLayout, _ key: Int64, _ table: IdentityTable, _ id: NSManagedObjectID?
    ) -> NSManagedObject {
        let isFree = table[key] == nil
        return makeFault(
            layout: layout, key: key, table: isFree ? table : registry.misnamedTable(of: table.store, layout: layout),
            id: id)
    }

    /// Removes a registered object from its place: the row with its key is of another entity.
    @inline(never)
    final func displace(_ object: NSManagedObject) {
        guard let table = object.table else { return }
        let misnamed = registry.misnamedTable(of: table.store, layout: object.layout)
        table.unregister(object)
        object.setIdentity(table: misnamed, key: object.primaryKey)
        misnamed.register(object)
    }

    /// The registered object of an entity with a key, wherever it is registered. Reads nothing.
    final func knownObject(_ layout: EntityLayout, key: Int64, store: StoreIdentity) -> NSManagedObject? {
        if let object = registry.table(store: store, root: layout.root)[key], object.layoutNumber == layout.number {
            return object
        }
        return registry.knownMisnamedTable(of: store, layout: layout)?[key]
    }
}
