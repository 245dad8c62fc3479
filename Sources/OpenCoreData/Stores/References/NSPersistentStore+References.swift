// SPDX-License-Identifier: Apache-2.0

/// Object IDs with reference objects, in custom stores.
extension NSPersistentStore {
    /// The table of the store's reference objects.
    final var references: ReferenceTable {
        if let table = identity.references { return table }
        let table = ReferenceTable.table(uuid: metadata?[NSStoreUUIDKey] as? String ?? identifier ?? "")
        identity.references = table
        return table
    }

    final func referenceID(_ entity: NSEntityDescription, _ reference: Any) -> NSManagedObjectID {
        let layout = localLayout(entity)
        return NSManagedObjectID(
            layout: layout, store: identity, key: references.key(of: reference, entity: layout.name))
    }

    /// The layout of an entity in the coordinator's model; programs may pass an entity of an equal model.
    private func localLayout(_ entity: NSEntityDescription) -> EntityLayout {
        persistentStoreCoordinator?.layouts.byName[entity.name ?? ""] ?? entity.entityLayout
    }

    final func reference(of objectID: NSManagedObjectID) -> Any {
        guard !objectID.isTemporaryID, objectID.storeIdentity?.uuid == identity.uuid,
            let reference = references.reference(of: objectID.key)
        else {
            programmingError(
                "The object ID \(objectID) has no reference object in the store \(url?.path ?? "").",
                remedy: "Ask the store to which the object belongs, and only for permanent IDs.")
        }
        return reference
    }
}
