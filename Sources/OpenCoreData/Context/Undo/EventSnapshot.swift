// SPDX-License-Identifier: Apache-2.0

/// The state and the values of an object at the start of the current event.
///
/// An object without unsaved changes at that time mostly has no snapshot, because its committed row has the values. An
/// object that was inserted during the event has no snapshot either.
final class EventSnapshot {
    enum State {
        /// The object was not in the context.
        case absent
        case unchanged
        /// Inserted or updated.
        case changed
        case deleted
        /// Another context has deleted it. Changes of the object are no changes of this context.
        case deletedExternally
    }

    /// Where the values at the start of the event are stored.
    enum Values {
        /// In the object's committed row.
        case committed
        case copied(Cells)
        /// In the object's cells: they don't change in this event.
        case current
    }

    let object: NSManagedObject
    let state: State
    let values: Values
    /// The destinations that had no permanent key, by link index: their keys may change.
    private let destinations: [Int: NSManagedObject]
    var memberships = MembershipList()

    /// Takes the current state of an object. If an object is pending already, and has no snapshot, it was unchanged at
    /// the start of the event.
    init(_ object: NSManagedObject, state: State? = nil, copiesValues: Bool = true) {
        self.object = object
        self.state = state ?? (object.flags.contains(.pending) ? .unchanged : Self.state(object))
        guard copiesValues, !object.flags.contains(.pending), object.flags.contains(.ownsCells),
            object.flags.isDisjoint(with: .fault)
        else {
            values = copiesValues ? .committed : .current
            destinations = [:]
            return
        }
        let layout = object.layout
        let copy = Cells.allocate(layout)
        layout.copy(object.cells, to: copy)
        values = .copied(copy)
        // The destinations of an object without a store can't be found by key later.
        let isUnsaved = object.table?.store == nil
        var destinations: [Int: NSManagedObject] = [:]
        for index in layout.toOneProperties {
            let slot = layout.properties[index]
            if copy.isPresent(slot.cell), isUnsaved || copy.integer(slot.cell) < 0 {
                destinations[slot.link] = object.destination(slot)
            }
        }
        self.destinations = destinations
    }

    deinit {
        guard case .copied(let cells) = values else { return }
        object.layout.destroy(cells)
        cells.deallocate()
    }

    private static func state(_ object: NSManagedObject) -> State {
        if object.flags.contains(.detached) { return .absent }
        if object.flags.contains(.deleted) { return .deleted }
        return object.flags.isDisjoint(with: [.inserted, .updated]) ? .unchanged : .changed
    }

    /// The destination of a to-one relationship at the start of the event.
    func destination(_ slot: PropertySlot) -> NSManagedObject? {
        if let destination = destinations[slot.link] { return destination }
        return object.eventStartDestination(slot, in: object.eventStartCells(self), ofCopy: isCopied)
    }

    private var isCopied: Bool {
        if case .copied = values { return true }
        return false
    }
}

extension NSManagedObject {
    /// The values at the start of the event; nil if they are not known.
    final func eventStartCells(_ snapshot: EventSnapshot?) -> Cells? {
        switch snapshot?.values {
        case .copied(let cells): cells
        case .current: self.cells
        case .committed, nil: row?.cells
        }
    }

    /// The object that a reference in cells of this object names.
    fileprivate final func eventStartDestination(_ slot: PropertySlot, in values: Cells?, ofCopy isCopied: Bool)
        -> NSManagedObject?
    {
        guard let values, values.isPresent(slot.cell), let context else { return nil }
        let key = values.integer(slot.cell)
        let number = values.referenceLayout(slot.cell)
        // A temporary key names a registered object, or none.
        if isCopied, key < 0 { return context.knownObject(layout: layout.model[number], key: key, near: self) }
        return context.object(ofLayout: number, key: key, near: self)
    }

    /// The destination of a to-one relationship at the start of the event.
    final func eventStartDestination(_ slot: PropertySlot, _ snapshot: EventSnapshot?) -> NSManagedObject? {
        if let snapshot { return snapshot.destination(slot) }
        return eventStartDestination(slot, in: row?.cells, ofCopy: false)
    }
}
