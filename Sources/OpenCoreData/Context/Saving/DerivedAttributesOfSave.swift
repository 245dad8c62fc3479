/// The derived attributes that a save computes since the stores don't, and their values before it.
final class DerivedAttributesOfSave {
    private var former: [(object: NSManagedObject, slot: PropertySlot, value: SavedValue)] = []
    private var slots: [UInt32: [PropertySlot]] = [:]

    /// Computes the derived attributes of the objects that a plan writes.
    ///
    /// - Throws: the errors of derivations, and the error of a related object that can't be read.
    func compute(for plan: SavePlan, _ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator)
        throws
    {
        for part in plan.parts {
            slots = [:]
            for object in part.insertedObjects { try compute(object, part.store, context, coordinator) }
            for object in part.updatedObjects where object.row != nil && object.hasRowChanges {
                try compute(object, part.store, context, coordinator)
            }
        }
    }

    private func compute(
        _ object: NSManagedObject, _ store: any SnapshotStore, _ context: NSManagedObjectContext,
        _ coordinator: NSPersistentStoreCoordinator
    ) throws {
        let layout = object.layout
        guard !layout.derivedProperties.isEmpty else { return }
        let slots = try slots[layout.number] ?? coordinator.propertiesComputedOnSave(layout, in: store)
        self.slots[layout.number] = slots
        for slot in slots {
            let value: Any?
            do {
                value = try Self.value(of: slot, for: object, context)
            } catch let error as NSError {
                throw error.userInfo[NSAffectedObjectsErrorKey] == nil
                    ? CoreDataErrors.adding([NSAffectedObjectsErrorKey: [object]], to: error) : error
            }
            object.ownCells()
            former.append((object, slot, SavedValue(slot, object.cells)))
            slot.write(value, to: object.cells, entity: layout.name)
        }
    }

    private static func value(
        of slot: PropertySlot, for object: NSManagedObject, _ context: NSManagedObjectContext
    ) throws -> Any? {
        context.readingFailure = nil
        let value = Result { try DerivedValues.value(of: slot, for: object, layout: object.layout) }
        // An object that can't be read has no values: nothing can be derived from it.
        if let failure = context.readingFailure { throw failure }
        return try value.get()
    }

    /// Restores the former values, after a save that failed.
    ///
    /// - Parameter objects: the objects that were not saved; nil for all.
    func restore(of objects: Set<NSManagedObject>? = nil) {
        for (object, slot, value) in former.reversed()
        where object.flags.contains(.ownsCells) && objects?.contains(object) != false {
            value.write(slot, to: object.cells)
        }
    }
}
