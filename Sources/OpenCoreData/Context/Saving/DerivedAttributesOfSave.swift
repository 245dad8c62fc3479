// SPDX-License-Identifier: Apache-2.0

/// The derived attributes that a save computes because the stores don't compute them, and their former values.
final class DerivedAttributesOfSave {
    private var former: [(object: NSManagedObject, slot: PropertySlot, value: SavedValue)] = []
    /// Whether no attribute was computed.
    var isEmpty: Bool { former.isEmpty }
    private var slots: [UInt32: [PropertySlot]] = [:]

    /// Computes the derived attributes of the objects that a plan writes.
    ///
    /// - Throws: the errors of derivations, and the error of a related object that can't be read.
    func compute(for plan: SavePlan, _ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator)
        throws
    {
        for part in plan.parts {
            slots = [:]
            for object in part.insertedObjects where !object.layout.derivedProperties.isEmpty {
                try compute(object, part.store, context, coordinator)
            }
            for object in part.updatedObjects
            where !object.layout.derivedProperties.isEmpty && object.row != nil && object.hasRowChanges {
                try compute(object, part.store, context, coordinator)
            }
        }
    }

    private func compute(
        _ object: NSManagedObject, _ store: any SnapshotStore, _ context: NSManagedObjectContext,
        _ coordinator: NSPersistentStoreCoordinator
    ) throws {
        let layout = object.layout
        let slots = try slots[layout.number] ?? coordinator.read(store.database) { try $0.computedOnSave(layout) }
        self.slots[layout.number] = slots
        for slot in slots {
            let value: Any?
            do {
                value = try Self.value(of: slot, for: object, context)
            } catch let error as NSError {
                throw error.userInfo[NSAffectedObjectsErrorKey] == nil
                    ? CoreDataErrors.adding([NSAffectedObjectsErrorKey: [object]], to: error) : error
            }
            // The derivation may have called the program: the caller finds a fault, and begins again.
            guard !object.flags.contains(.fault) else { return }
            object.ownCells()
            former.append((object, slot, SavedValue(slot, object.cells)))
            slot.write(value, to: object.cells, entity: layout.name)
        }
    }

    private static func value(
        of slot: PropertySlot, for object: NSManagedObject, _ context: NSManagedObjectContext
    ) throws -> Any? {
        refaultUnreadObjects(slot, object)
        context.reading.removeFailure()
        let value = Result { try DerivedValues.value(of: slot, for: object, layout: object.layout) }
        // An object that can't be read has no values: nothing can be derived from it.
        if let failure = context.reading.failure { throw failure }
        return try value.get()
    }

    /// Turns the objects along the key path of a derivation into faults again, if they could not be read: such objects
    /// have nil in place of their values.
    private static func refaultUnreadObjects(_ slot: PropertySlot, _ object: NSManagedObject) {
        for path in slot.derivation?.keyPaths ?? [] {
            var owner = object
            for key in path.split(separator: ".") {
                guard let slot = owner.layout.slot(named: String(key)), slot.kind == .toOne,
                    let destination = owner.destination(slot), !destination.flags.contains(.deleted)
                else { break }
                destination.refaultAfterFailedRead()
                owner = destination
            }
        }
    }

    /// Restores the former values, after a save that failed.
    ///
    /// - Parameter objects: the objects that were not saved; nil for all.
    func restore(of objects: Set<NSManagedObject>? = nil) {
        for (object, slot, value) in former.reversed()
        where object.flags.contains(.ownsCells) && objects?.contains(object) != false {
            value.write(slot, to: object.cells)
        }
        if objects == nil { former = [] }
    }
}
