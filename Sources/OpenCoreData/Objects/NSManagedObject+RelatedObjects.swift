// SPDX-License-Identifier: Apache-2.0

/// Relationships and other properties by slot, for models in SwiftData. Used on the context's queue.
extension NSManagedObject {
    /// The destination of a to-one relationship.
    package final func relatedObject(_ slot: PropertySlot) -> NSManagedObject? { destination(slot) }

    /// Sets the destination of a to-one relationship, and maintains the inverse.
    package final func setRelatedObject(_ object: NSManagedObject?, _ slot: PropertySlot) {
        setDestination(object, slot)
    }

    /// The objects of a to-many relationship: saved objects in the order of their keys, then unsaved objects in the
    /// order of their creation.
    package final func relatedObjects(_ slot: PropertySlot) -> [NSManagedObject] {
        let members = toManyContent(slot, loading: true).members
        return members.count < 2 ? members : members.sorted { $0.precedes($1) }
    }

    private final func precedes(_ other: NSManagedObject) -> Bool {
        if primaryKey > 0, other.primaryKey > 0 { return primaryKey < other.primaryKey }
        // Temporary keys are negative, and each is smaller than the keys before it.
        return primaryKey > other.primaryKey
    }

    /// Replaces the objects of a to-many relationship, and maintains the inverses.
    package final func setRelatedObjects(_ objects: [NSManagedObject], _ slot: PropertySlot) {
        for object in objects where object.table == nil { _ = object.objectID }
        replaceMembers(objects, slot)
    }

    /// The objects that unsaved relationships of the object lead to.
    package final var unsavedRelatedObjects: [NSManagedObject] { savedDestinations.flatMap(\.objects) }

    /// The value of a property, in the form of `value(forKey:)`.
    package final func slotValue(_ slot: PropertySlot) -> Any? { propertyValue(at: slot.index) }

    /// Sets the value of a property, in the form of `value(forKey:)`.
    package final func setSlotValue(_ value: Any?, _ slot: PropertySlot) { setPropertyValue(value, at: slot.index) }

    /// Whether the property has no value.
    package final func isNil(_ slot: PropertySlot) -> Bool {
        fireFaultIfNeeded(slot.cell)
        return slot.isNil(cells)
    }

    /// Copies the value of an attribute of an object of another model.
    package final func copyAttribute(_ slot: PropertySlot, from other: NSManagedObject, _ otherSlot: PropertySlot) {
        other.fireFaultIfNeeded()
        prepareForWriting(slot.cell)
        let isSame = slot.kind == otherSlot.kind && slot.elements.isEmpty && otherSlot.elements.isEmpty
        guard isSame else { return setPropertyValue(other.propertyValue(at: otherSlot.index), at: slot.index) }
        switch slot.kind.family {
        case .scalar:
            if other.cells.isPresent(otherSlot.cell) {
                cells.setBits(other.cells.bits(otherSlot.cell), at: slot.cell)
            } else {
                cells.setEmpty(slot.cell)
            }
        case .string: cells.string(slot.cell).pointee = other.cells.string(otherSlot.cell).pointee
        case .object: cells.object(slot.cell).pointee = other.cells.object(otherSlot.cell).pointee
        case .reference, .composite, .none: break
        }
    }

    /// The context, also of an object whose deletion was saved.
    package final var registeredContext: NSManagedObjectContext? { context }

    /// Loads the values, so that they are known after the object's deletion.
    package final func loadValues() { fireFaultIfNeeded() }

    /// Gives a new object without context its default values. The caller retains the model as long as the object has no
    /// context, so that the object needs no ID to retain it.
    package final func beginWithKeptModel() {
        flags.insert(.modelIsKept)
        fireFaultIfNeeded()
    }

    /// Whether the object's deletion was saved, or its context was reset.
    package final var isDetached: Bool { flags.contains(.detached) }

    /// Calls a closure with the keys whose values have changed, at the end of each event of the context.
    ///
    /// - Returns: a closure that ends the observation; nil for an object without context.
    package final func observeChanges(_ onChange: @escaping (Set<String>) -> Void) -> (@Sendable () -> Void)? {
        guard let table, managedObjectContext != nil else { return nil }
        return table.handle.observers.add(
            ChangeObservers.ObjectObserver(onChange: { _, change in onChange(change.keys) }, onFinish: {}), of: self)
    }
}

extension NSManagedObjectContext {
    /// The inserted, updated and deleted objects, each in the order of the changes.
    package final var unsavedObjects:
        (
            inserted: ContiguousArray<NSManagedObject>, updated: ContiguousArray<NSManagedObject>,
            deleted: ContiguousArray<NSManagedObject>
        )
    {
        checkQueue()
        return (unsavedChanges.inserted.objects, unsavedChanges.updated.objects, unsavedChanges.deleted.objects)
    }
}
