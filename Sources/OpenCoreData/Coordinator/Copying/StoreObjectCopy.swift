// SPDX-License-Identifier: Apache-2.0

/// Copies the objects of one store into a custom store, whose API passes objects.
///
/// Both stores belong to the coordinator. All objects are in memory until the end.
struct StoreObjectCopy {
    private let source: NSPersistentStore
    private let target: NSPersistentStore
    private let context: NSManagedObjectContext
    private let roots: [EntityLayout]

    init(
        from source: NSPersistentStore, to target: NSPersistentStore, roots: [EntityLayout],
        in coordinator: NSPersistentStoreCoordinator
    ) {
        self.source = source
        self.target = target
        self.roots = roots
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
    }

    /// Copies.
    ///
    /// - Throws: the errors of a fetch and of a save. The target is then as before.
    func run() throws {
        try context.performSynchronously {
            var copies: [(original: NSManagedObject, copy: NSManagedObject)] = []
            var copiesByID: [NSManagedObjectID: NSManagedObject] = [:]
            for root in roots {
                let request = NSFetchRequest<NSManagedObject>()
                request.entity = root.entity
                request.affectedStores = [source]
                for original in try context.fetch(request) {
                    let copy = NSManagedObject(entity: original.entity, insertInto: context)
                    context.assign(copy, to: target)
                    copies.append((original, copy))
                    copiesByID[original.objectID] = copy
                }
            }
            for (original, copy) in copies { copyValues(of: original, to: copy, copiesByID) }
            if context.hasChanges { try context.save() }
        }
    }

    private func copyValues(
        of original: NSManagedObject, to copy: NSManagedObject, _ copies: [NSManagedObjectID: NSManagedObject]
    ) {
        func copied(_ object: Any) -> NSManagedObject? { (object as? NSManagedObject).flatMap { copies[$0.objectID] } }
        for slot in original.layout.properties where !slot.isTransient && slot.derivation == nil {
            let value = original.primitiveValue(forKey: slot.name)
            switch slot.kind {
            case .fetched: break
            case .toOne: copy.setValue(value.flatMap(copied), forKey: slot.name)
            case .toMany where slot.isOrdered:
                let members = (original.value(forKey: slot.name) as? NSOrderedSet)?.array ?? []
                copy.setValue(NSOrderedSet(array: members.compactMap(copied)), forKey: slot.name)
            case .toMany:
                let members = (original.value(forKey: slot.name) as? NSSet)?.allObjects ?? []
                copy.setValue(NSSet(array: members.compactMap(copied)), forKey: slot.name)
            default: copy.setPrimitiveValue(value, forKey: slot.name)
            }
        }
    }
}
