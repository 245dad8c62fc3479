// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

extension DataStoreBridge {
    /// Executes a save.
    func save(_ request: NSSaveChangesRequest, _ context: NSManagedObjectContext?) throws {
        func objects(_ set: Set<NSManagedObject>?) -> [ModelObject] {
            (set ?? []).compactMap { $0 as? ModelObject }.sorted { $0.objectID.key < $1.objectID.key }
        }
        let inserted = objects(request.insertedObjects)
        let (updated, deleted) = (objects(request.updatedObjects), objects(request.deletedObjects))
        guard !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty else { return }
        let state = state(of: context)
        let result = try calling {
            try dataStore.write(inserted: inserted, updated: updated, deleted: deleted, state)
        }
        guard result.storeIdentifier == dataStore.identifier else {
            throw misfit("the result of a save into the store \(result.storeIdentifier)")
        }
        try giveIdentifiers(result.remapped, to: inserted)
        snapshots.forget((updated + deleted).map(\.objectID.key))
        let managed = context as? ManagedContext
        managed?.savedHistoryTokens[dataStore.identifier] = result.historyToken
        for (identifier, content) in result.reregistered {
            guard content.identifier == identifier else {
                throw misfit("a snapshot of \(content.identifier) for \(identifier)")
            }
            let row = try SnapshotRow(content, self)
            snapshots.add([row], of: context)
            managed?.reregisteredIDs.append(row.objectID)
        }
    }

    /// Gives the inserted objects the identifiers that the store has made.
    private func giveIdentifiers(_ given: [PersistentIdentifier: PersistentIdentifier], to objects: [ModelObject])
        throws
    {
        var permanent: Set<PersistentIdentifier> = []
        let pairs = try objects.map { object -> (ModelObject, IdentifierParts) in
            let temporary = PersistentIdentifier(object.objectID)
            // An object of a save that has failed behind the store keeps its identifier.
            guard temporary.isTemporary else { return (object, temporary.parts) }
            guard let new = given[temporary] else {
                throw misfit("identifiers for \(given.count) of \(objects.count) inserted models")
            }
            guard new.storeIdentifier == dataStore.identifier, !new.isTemporary, new.entityName == temporary.entityName
            else { throw misfit("the identifier \(new) for an inserted model of \(temporary.entityName)") }
            guard permanent.insert(new).inserted else {
                throw misfit("the identifier \(new) for several inserted models")
            }
            return (object, new.parts)
        }
        for (object, parts) in pairs { identifiers.give(parts, to: object.objectID) }
    }
}

extension ManagedContext {
    /// Refaults the models whose values custom stores have changed in a save.
    func reregisterSnapshots() {
        let ids = reregisteredIDs
        reregisteredIDs = []
        for id in ids {
            (id.persistentStore as? DataStoreBridge)?.rowCache.evict(root: id.layout.root, keys: [id.key])
            if let object = registeredObject(for: id) { refresh(object, mergeChanges: false) }
        }
    }
}
