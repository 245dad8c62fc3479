/// What an object was when the current event began.
///
/// Objects that were unchanged then mostly have none: their committed rows tell. Nor have those that are new since.
final class EventSnapshot {
    enum State {
        /// The context didn't have the object.
        case absent
        case unchanged
        /// New or updated.
        case changed
        case deleted
        /// Somebody else has deleted it: what becomes of the object is no change of this context.
        case lost
    }

    /// Where the values are.
    enum Values {
        /// In the object's committed row.
        case committed
        case copied(Cells)
        /// They don't change in this event.
        case present
    }

    let object: NSManagedObject
    let state: State
    let values: Values
    /// The destinations that had no permanent key, by position among the links: their keys may change.
    private let destinations: [Int: NSManagedObject]
    /// By position of the relationship.
    var memberships: [Int: MembershipChanges] = [:]

    /// Takes what an object is now. An object that is pending already, and has no snapshot, was unchanged.
    init(_ object: NSManagedObject, state: State? = nil, copiesValues: Bool = true) {
        self.object = object
        self.state = state ?? (object.flags.contains(.pending) ? .unchanged : Self.state(object))
        guard copiesValues, !object.flags.contains(.pending), object.flags.contains(.ownsCells),
            object.flags.isDisjoint(with: .fault)
        else {
            values = copiesValues ? .committed : .present
            destinations = [:]
            return
        }
        let layout = object.layout
        let copy = Cells.allocate(capacity: max(layout.cellCount, 1))
        layout.copy(object.cells, to: copy)
        values = .copied(copy)
        // Nor can the objects of references be found from an object without a store.
        let isUnsaved = object.table?.store == nil
        var known: [Int: NSManagedObject] = [:]
        for index in layout.toOneProperties {
            let slot = layout.properties[index]
            if copy.isPresent(slot.cell), isUnsaved || copy.integer(slot.cell) < 0 {
                known[slot.link] = object.destination(slot)
            }
        }
        destinations = known
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

    /// The destination of a to-one relationship when the event began, where its reference was the one in the cells.
    func destination(_ slot: PropertySlot) -> NSManagedObject? {
        if let known = destinations[slot.link] { return known }
        return object.eventDestination(slot, in: object.eventCells(self), ofCopy: isCopied)
    }

    private var isCopied: Bool {
        if case .copied = values { return true }
        return false
    }
}

extension NSManagedObject {
    /// The values when the event began; nil where nothing is known of them.
    final func eventCells(_ snapshot: EventSnapshot?) -> Cells? {
        switch snapshot?.values {
        case .copied(let cells): cells
        case .present: self.cells
        case .committed, nil: row?.cells
        }
    }

    /// The object that a reference of this object named when the event began.
    fileprivate final func eventDestination(_ slot: PropertySlot, in values: Cells?, ofCopy isCopied: Bool)
        -> NSManagedObject?
    {
        guard let values, values.isPresent(slot.cell), let context else { return nil }
        let key = values.integer(slot.cell)
        let number = values.referenceLayout(slot.cell)
        // A key of no store names an object that is there, or none.
        if isCopied, key < 0 { return context.knownObject(layout: layout.model[number], key: key, near: self) }
        return context.object(ofLayout: number, key: key, near: self)
    }

    /// The destination of a to-one relationship when the event began.
    final func eventDestination(_ slot: PropertySlot, _ snapshot: EventSnapshot?) -> NSManagedObject? {
        if let snapshot { return snapshot.destination(slot) }
        return eventDestination(slot, in: row?.cells, ofCopy: false)
    }
}
