extension NSManagedObject {
    // MARK: Getting ready

    /// Makes the cells readable: fires the fault if the object is one.
    @inline(__always)
    final func fireFaultIfNeeded() {
        if !flags.isDisjoint(with: [.fault, .checksConcurrency]) { fireFaultIfAllowed() }
    }

    /// Makes the cells writable and notes the change.
    ///
    /// - Parameter cell: the one that will be written, if it is known.
    @inline(__always)
    final func prepareForWriting(_ cell: Int = -1) {
        if flags.isDisjoint(with: [.fault, .checksConcurrency]) && flags.isSuperset(of: [.ownsCells, .pending])
            && !flags.isDisjoint(with: [.inserted, .updated])
        {
            return
        }
        beginWriting(cell)
    }

    /// Makes one cell readable: fires the fault unless the cell came with it.
    @inline(__always)
    final func fireFaultIfNeeded(_ cell: Int) {
        if !flags.isDisjoint(with: [.fault, .checksConcurrency]) { fulfill(cell) }
    }

    @inline(never)
    private final func fireFaultIfAllowed() {
        checkQueue(cell: -1, isWriting: false)
        if flags.contains(.fault) { fulfill() }
    }

    @inline(never)
    private final func fulfill(_ cell: Int) {
        if flags.contains(.checksConcurrency) {
            checkQueue(cell: cell, isWriting: false)
            if !flags.contains(.fault) { return }
        }
        if presentValue(in: cell) != nil { return }
        if buffer?.slice?.batch.isPartial == true, let context {
            context.loadSlice(of: self)
            if presentValue(in: cell) != nil { return }
        }
        fulfill()
    }

    /// The cells of a fault that has a part of its row, if that includes a cell.
    final func presentValue(in cell: Int) -> Cells? {
        guard row == nil, let buffer, let present = buffer.presentCells, cell < present.count, present[cell] else {
            return nil
        }
        if buffer.mayBeSuperseded || table?.handle.ancestorsMayHaveChanges == true { return nil }
        return cells
    }

    @inline(never)
    private final func beginWriting(_ cell: Int) {
        checkQueue(cell: cell, isWriting: true)
        if flags.contains(.fault) { fulfill() }
        let ownedCells = flags.contains(.ownsCells)
        ownCells()
        noteChange(ownedCells: ownedCells)
    }

    /// Notes that the object is about to differ from its committed state.
    ///
    /// - Parameter ownedCells: whether its values may differ from that already.
    private final func noteChange(ownedCells: Bool) {
        guard !flags.contains(.suppressesChangeTracking), let context, !flags.contains(.detached),
            !context.isChangeProcessingDisabled
        else {
            return
        }
        if ownedCells || flags.contains(.deleted) { context.recordEventSnapshot(of: self) }
        if flags.isDisjoint(with: [.inserted, .updated, .deleted]) { context.markUpdated(self) }
        if !flags.contains(.pending) { context.markPending(self) }
    }

    /// Gives the object cells of its own.
    final func ownCells() {
        guard !flags.contains(.ownsCells) else { return }
        let own = Cells.allocate(capacity: max(layout.cellCount, 1))
        layout.copy(cells, to: own)
        cells = own
        flags.insert(.ownsCells)
    }

    /// Gives up the object's own cells; the caller sets `cells` anew.
    final func disownCells() {
        guard flags.contains(.ownsCells) else { return }
        layout.destroy(cells)
        cells.deallocate()
        flags.remove(.ownsCells)
        cells = layout.defaultCells
    }

    /// Fires the fault: takes the attached row, or fetches one.
    @inline(never)
    final func fulfill() {
        guard let table else {
            // An object without context starts with the defaults.
            cells = layout.defaultCells
            flags.remove(.fault)
            return
        }
        if let row, let buffer {
            if table.handle.parent != nil && takeRowOfAncestor(table.handle) { return }
            if buffer.mayBeSuperseded && takeNewerRow(than: row) { return }
            if table.handle.stalenessInterval >= 0 && takeRowInPlace(of: buffer, table.handle) { return }
            takeValues(of: row)
            return
        }
        guard let context = table.handle.context else {
            useEmptyCells()
            return
        }
        context.fulfillFault(self)
    }

    /// Fires the fault with the values of the attached row.
    @inline(__always)
    final func takeValues(of row: Row) {
        cells = row.cells
        flags.remove(.fault)
        if MethodOverrides.overridesAwakeFromFetch(type(of: self)) { awakeWithValues() }
    }

    /// Fires the fault with the row that the store has now, if that is another one.
    private func takeNewerRow(than row: Row) -> Bool {
        guard let context else { return false }
        do {
            guard try context.isSuperseded(row, of: self) else { return false }
        } catch {
            // The row is read below, and a second failure is reported there.
        }
        self.row = nil
        buffer = nil
        context.fulfillFault(self)
        return true
    }

    /// Fires the fault with what a context above knows of the object by now, if that isn't what the store has.
    private func takeRowOfAncestor(_ handle: ContextHandle) -> Bool {
        guard handle.ancestorsMayHaveChanges, let context, let known = context.ancestorRow(self) else {
            return false
        }
        switch known {
        case .row(let found):
            attach(found.row, buffer: found.buffer)
            takeValues(of: found.row)
        case .deleted:
            row = nil
            buffer = nil
            context.fulfillFault(self)
        }
        return true
    }

    /// Fires the fault with a row fetched anew, if the attached one is older than the context allows.
    private func takeRowInPlace(of old: RowBuffer, _ handle: ContextHandle) -> Bool {
        guard let context, old.isOlder(than: handle.stalenessInterval) else { return false }
        row = nil
        buffer = nil
        context.fulfillFault(self)
        return true
    }

    /// The values of an object that no store has: all nil.
    final func useEmptyCells() {
        disownCells()
        let own = Cells.allocate(capacity: max(layout.cellCount, 1))
        own.initialize(repeating: .empty, count: max(layout.cellCount, 1))
        cells = own
        flags.insert(.ownsCells)
        flags.remove(.fault)
    }

    /// Makes a stored object whose values couldn't be read a fault again, so that reading is tried anew.
    final func forgetUnreadValues() {
        guard row == nil, primaryKey > 0 || table?.handle.parent != nil,
            flags.isDisjoint(with: [.fault, .inserted, .updated])
        else { return }
        disownCells()
        flags.insert(.fault)
    }

    /// Takes a place in a context, as a fault; what an overridden initializer has set is forgotten.
    @inline(__always)
    final func enter(_ table: IdentityTable, key: Int64) {
        if flags.subtracting(.checksConcurrency).rawValue != Flags.fault.rawValue || primaryKey != 0 { becomeBlank() }
        self.table = table
        primaryKey = key
    }

    @inline(never)
    private final func becomeBlank() {
        disownCells()
        cells = layout.defaultCells
        releaseLinks()
        flags = layout.blankFlags
        lazyObjectID = nil
    }

    /// Attaches committed values to a fault, or replaces those of an unchanged object.
    ///
    /// Of a part of a row only the cells are attached, so that what a fault has of it is never taken for committed
    /// values.
    @inline(__always)
    final func attach(_ row: Row, buffer: RowBuffer) {
        self.row = buffer.presentCells == nil ? row : nil
        self.buffer = buffer
        if !flags.contains(.ownsCells) { cells = row.cells }
        if links != nil { releaseOutdatedDestinations(row, buffer) }
    }

    /// Forgets the destinations of a fault that its row doesn't name.
    @inline(never)
    private final func releaseOutdatedDestinations(_ row: Row, _ buffer: RowBuffer) {
        guard flags.contains(.fault), let links else { return }
        for index in layout.toOneProperties {
            let slot = layout.properties[index]
            guard let destination = links[slot.link] as? NSManagedObject, buffer.presentCells?[slot.cell] ?? true else {
                continue
            }
            if !row.cells.isPresent(slot.cell) || row.cells.integer(slot.cell) != destination.primaryKey {
                links[slot.link] = nil
            }
        }
    }

    /// Replaces the values of an object without unsaved changes by committed ones; transient values stay.
    final func takeCommitted(_ fresh: RetainedRow) {
        let layout = layout
        if layout.hasTransientCells {
            let own = Cells.allocate(capacity: layout.cellCount)
            layout.copy(fresh.row.cells, to: own)
            for slot in layout.properties where slot.isTransient && slot.cell >= 0 { slot.copy(from: cells, to: own) }
            disownCells()
            cells = own
            flags.insert(.ownsCells)
        } else {
            disownCells()
            cells = fresh.row.cells
        }
        row = fresh.row
        buffer = fresh.buffer
    }

    /// Forgets values and relationships: the object is a fault again.
    final func turnIntoFault() {
        guard !flags.contains(.fault) else {
            row = nil
            buffer = nil
            cells = layout.defaultCells
            releaseLinks()
            return
        }
        // What is set on the way out is no change.
        flags.insert(.suppressesChangeTracking)
        willTurnIntoFault()
        disownCells()
        row = nil
        buffer = nil
        cells = layout.defaultCells
        releaseLinks()
        flags.insert(.fault)
        didTurnIntoFault()
        flags.remove(.suppressesChangeTracking)
    }

    final func releaseLinks() {
        guard let links else { return }
        self.links = nil
        links.deinitialize(count: layout.linkCount)
        links.deallocate()
    }

    /// Lets go of all related objects, which would keep each other alive: this one is no part of the graph any more.
    final func forgetRelationships() {
        guard links != nil else { return }
        releaseLinks()
        guard flags.contains(.ownsCells) else { return }
        for index in layout.toOneProperties { cells.setEmpty(layout.properties[index].cell) }
    }

    // MARK: Differences

    /// Whether a property differs from its committed value.
    final func isChanged(_ slot: PropertySlot) -> Bool {
        switch slot.kind {
        case .toMany:
            return (link(slot.link) as? ToManyContent)?.isChanged ?? false
        case .fetched:
            return false
        default:
            guard flags.contains(.ownsCells) else { return false }
            // A new object begins with its default values.
            guard let row else { return !slot.isEqual(cells, layout.defaultCells) }
            return !slot.isEqual(cells, row.cells)
        }
    }

    /// The persistent properties changed since the object was fetched or saved, with their present values; nil values
    /// are `NSNull`.
    ///
    /// Of a new object those that differ from their default values. Fires no fault.
    public final func changedValues() -> [String: Any] {
        guard !flags.isDisjoint(with: [.inserted, .updated, .deleted]) else { return [:] }
        var result: [String: Any] = [:]
        for slot in layout.properties where !slot.isTransient && isChanged(slot) {
            result[slot.name] = propertyValue(at: slot.index) ?? NSNull()
        }
        return result
    }

    /// The values of persistent properties as they were when the object was last fetched or saved; nil values are
    /// `NSNull`.
    ///
    /// - Parameter keys: the properties wanted, of which transient ones are left out; nil means all persistent ones.
    public final func committedValues(forKeys keys: [String]?) -> [String: Any] {
        if table != nil && !flags.contains(.inserted) { fireFaultIfNeeded() }
        var result: [String: Any] = [:]
        for key in keys ?? layout.properties.map(\.name) {
            guard let slot = layout.slot(named: key) else { unknownKey(key) }
            if slot.isTransient || slot.kind == .fetched { continue }
            result[key] = committedValue(slot) ?? NSNull()
        }
        return result
    }

    private func committedValue(_ slot: PropertySlot) -> Any? {
        switch slot.kind {
        case .toMany:
            guard !flags.contains(.inserted) else { return nil }
            let content = toManyContent(slot, loading: true)
            return slot.isOrdered ? NSOrderedSet(array: content.committed) : NSSet(array: content.committed)
        case .toOne:
            guard let row, row.cells.isPresent(slot.cell) else { return nil }
            return context?.object(
                ofLayout: row.cells.referenceLayout(slot.cell), key: row.cells.integer(slot.cell), near: self)
        case .fetched:
            return nil
        default:
            return row.flatMap { slot.read($0.cells) }
        }
    }

    final func describedValues() -> String {
        var lines = ""
        for slot in layout.properties where slot.kind != .fetched {
            let value: String
            switch slot.kind {
            case .toOne:
                value = cells.isPresent(slot.cell) ? "p\(cells.integer(slot.cell))" : "nil"
            case .toMany:
                value =
                    (link(slot.link) as? ToManyContent).map {
                        $0.isLoaded ? "\($0.count) objects" : "<relationship fault>"
                    } ?? "<relationship fault>"
            default:
                value = slot.read(cells).map { "\($0)" } ?? "nil"
            }
            lines += "    \(slot.name) = \(value);\n"
        }
        return lines
    }

    final func unknownKey(_ key: String) -> Never {
        programmingError(
            """
            [<\(type(of: self))> valueForUndefinedKey:]: the entity \(layout.name) is not key value \
            coding-compliant for the key \
            \"\(key)\".\(NearestNames.suggestion(for: key, in: layout.properties.map(\.name)))
            """,
            remedy: "Its properties are: \(layout.properties.map(\.name).sorted().joined(separator: ", ")).")
    }

    final func unmodelledValue(forKey key: String) -> Any? {
        if layout.isRecording { return KeyRecording.value(forKey: key, of: self) }
        return value(forKeyOfObjects: key)
    }

    /// What every object answers to, whatever its entity.
    private func value(forKeyOfObjects key: String) -> Any? {
        switch key {
        case "objectID": objectID
        case "self": self
        case "entity": entity
        case "managedObjectContext": managedObjectContext
        case "hasChanges": NSNumber(value: hasChanges)
        case "isInserted", "inserted": NSNumber(value: isInserted)
        case "isUpdated", "updated": NSNumber(value: isUpdated)
        case "isDeleted", "deleted": NSNumber(value: isDeleted)
        case "isFault", "fault": NSNumber(value: isFault)
        case "hasPersistentChangedValues": NSNumber(value: hasPersistentChangedValues)
        case "faultingState": NSNumber(value: faultingState)
        case "description": description
        default: value(forUndefinedKey: key)
        }
    }
}
