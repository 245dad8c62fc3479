/// Objects of a child that a key names: one without a store may refer to objects of a store, and one key to another.
extension NSManagedObjectContext {
    /// The object with an ID that the context doesn't know or has as a fault, with the parent's values; nil if there is
    /// none.
    final func existingObjectOfParent(_ id: NSManagedObjectID) throws -> NSManagedObject? {
        let object = objectOrFault(id)
        guard let found = try rowOfParent(object.layout, key: object.primaryKey, store: object.table?.store) else {
            return nil
        }
        if object.flags.contains(.fault) {
            object.attach(found.row, buffer: found.buffer)
            object.takeValues(of: found.row)
        }
        return object
    }

    /// The destination of a to-one reference of `source`.
    final func objectOfParent(_ layout: EntityLayout, key: Int64, near source: NSManagedObject) -> NSManagedObject {
        let location = identityLocation(layout, key: key, near: source)
        return location.table[location.key]
            ?? makeFault(layout: layout, key: location.key, table: location.table, id: nil)
    }

    /// The destination of a reference, if the context knows it.
    final func knownObjectOfParent(_ layout: EntityLayout, key: Int64, near source: NSManagedObject) -> NSManagedObject?
    {
        let location = identityLocation(layout, key: key, near: source)
        return location.table[location.key]
    }

    private func identityLocation(_ layout: EntityLayout, key: Int64, near source: NSManagedObject) -> (
        table: IdentityTable, key: Int64
    ) {
        let store = key < 0 ? nil : source.table?.store ?? storeOfDestination(layout, key: key, of: source.objectID)
        return identityLocation(root: layout.root, key: key, store: store)
    }

    /// The store of an object that one without a store refers to.
    private func storeOfDestination(_ layout: EntityLayout, key: Int64, of source: NSManagedObjectID) -> StoreIdentity?
    {
        let stores = handle.coordinator?.stores(for: layout, among: nil) ?? []
        if stores.count < 2 { return stores.first?.identity }
        return askParent { $0.storeOfLinkedObject(layout.number, key: key, of: source) } ?? nil
    }

    /// The context that has both objects knows; on its queue.
    private func storeOfLinkedObject(_ number: UInt32, key: Int64, of source: NSManagedObjectID) -> StoreIdentity? {
        if let object = object(registeredAs: source), !object.flags.contains(.fault) {
            for index in object.layout.toOneProperties {
                guard let destination = object.link(object.layout.properties[index].link) as? NSManagedObject else {
                    continue
                }
                if destination.layout.number == number && destination.primaryKey == key {
                    return destination.table?.store
                }
            }
        }
        return askParent { $0.storeOfLinkedObject(number, key: key, of: source) } ?? nil
    }
}
