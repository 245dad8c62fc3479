// SPDX-License-Identifier: Apache-2.0

extension NSManagedObject {
    // MARK: Identity table

    /// Whether the object belongs to a table. Retains nothing.
    @inline(__always)
    final func isRegistered(in other: IdentityTable) -> Bool {
        table.unretained?.toOpaque() == Unmanaged.passUnretained(other).toOpaque()
    }

    /// Whether the object belongs to a store; with nil, whether it is in no store yet. Retains nothing.
    @inline(__always)
    final func isStored(in store: StoreIdentity?) -> Bool {
        table.unretained.map { $0._withUnsafeGuaranteedRef { $0.store === store } } ?? (store == nil)
    }

    // MARK: Reading and writing

    /// Call before cells are read: fires the object if it is a fault.
    @inline(__always)
    final func fireFaultIfNeeded() {
        if !flags.isDisjoint(with: [.fault, .checksConcurrency]) { checkQueueAndFireFault() }
    }

    /// Call before cells are written: fires the fault, copies shared cells so that the object owns its cells, and
    /// tracks the change.
    ///
    /// - Parameter cell: the cell that will be written, if it is known.
    @inline(__always)
    final func prepareForWriting(_ cell: Int = -1) {
        if flags.isDisjoint(with: [.fault, .checksConcurrency]) && flags.isSuperset(of: [.ownsCells, .pending])
            && !flags.isDisjoint(with: [.inserted, .updated])
        {
            return
        }
        beginWriting(cell)
    }

    /// Call before one cell is read: fires the fault, unless the fault has a partial row with that cell.
    @inline(__always)
    final func fireFaultIfNeeded(_ cell: Int) {
        if !flags.isDisjoint(with: [.fault, .checksConcurrency]) { fireFault(cell) }
    }

    @inline(never)
    private final func checkQueueAndFireFault() {
        checkQueue(cell: -1, isWriting: false)
        if flags.contains(.fault) { fireFault() }
    }

    @inline(never)
    private final func fireFault(_ cell: Int) {
        if flags.contains(.checksConcurrency) {
            checkQueue(cell: cell, isWriting: false)
            if !flags.contains(.fault) { return }
        }
        if partialCells(containing: cell) != nil { return }
        if buffer?.slice?.fetchBatch.isPartial == true, let context {
            context.loadSlice(of: self)
            if partialCells(containing: cell) != nil { return }
        }
        fireFault()
    }

    /// The cells of a fault that has a partial row with a cell; nil for other objects, and for a row that may be stale.
    final func partialCells(containing cell: Int) -> Cells? {
        guard row == nil, let buffer, let available = buffer.availableCells, cell < available.count, available[cell]
        else {
            return nil
        }
        if buffer.mayBeSuperseded || table?.handle.ancestorsMayHaveChanges == true { return nil }
        return cells
    }

    @inline(never)
    private final func beginWriting(_ cell: Int) {
        // Changes of an object without a context are not tracked.
        if table == nil, flags.isDisjoint(with: [.fault, .checksConcurrency]), flags.contains(.ownsCells) { return }
        checkQueue(cell: cell, isWriting: true)
        // After this the object has values, whatever `awakeFromFetch()` does. Nothing below calls the program.
        if flags.contains(.fault) { fireFault() }
        let ownedCells = flags.contains(.ownsCells)
        ownCells()
        trackChange(ownedCells: ownedCells)
    }

    /// Marks the object as changed in its context.
    ///
    /// - Parameter ownedCells: whether the values may have differed from the committed snapshot before.
    private final func trackChange(ownedCells: Bool) {
        guard !flags.contains(.suppressesChangeTracking), let context, !flags.contains(.detached),
            context.changeEvent.recordsChanges
        else {
            return
        }
        if ownedCells || flags.contains(.deleted) { context.changeEvent.recordSnapshot(of: self) }
        if flags.isDisjoint(with: [.inserted, .updated, .deleted]) { context.unsavedChanges.update(self) }
        context.markPending(self)
    }

    /// Copies shared cells, so that the object owns its cells.
    final func ownCells() {
        guard !flags.contains(.ownsCells) else { return }
        let own = Cells.allocate(layout)
        layout.copy(cells, to: own)
        cells = own
        flags.insert(.ownsCells)
    }

    /// Gives the object shared cells: the cells of a row, or the default cells. Cells that the object owns are
    /// destroyed.
    ///
    /// The end of a value may run code of the program, for instance the `deinit` of a transformable value, and this
    /// code may use the object. So the object has its new state before the former cells are destroyed. The caller has
    /// set the rest of it, such as the row and the flags, and keeps the buffer of the former row until this function
    /// returns.
    @inline(__always)
    final func shareCells(_ new: Cells) {
        guard flags.contains(.ownsCells) else {
            cells = new
            return
        }
        replaceOwnCells(new, areOwned: false)
    }

    /// Replaces the object's cells by cells that it owns, with the same precautions as ``shareCells(_:)``.
    final func own(_ new: Cells) {
        if flags.contains(.ownsCells) { return replaceOwnCells(new, areOwned: true) }
        cells = new
        flags.insert(.ownsCells)
    }

    @inline(never)
    private final func replaceOwnCells(_ new: Cells, areOwned: Bool) {
        let former = cells
        cells = new
        if !areOwned { flags.remove(.ownsCells) }
        layout.destroy(former)
        former.deallocate()
    }

    /// Fires the fault: the object has values afterwards.
    ///
    /// Firing may call the program: `awakeFromFetch()`, and stores that the program defines. That code can make the
    /// object a fault again, for instance by a refresh. Then the fault fires once more, without `awakeFromFetch()`.
    @inline(never)
    final func fireFault() {
        readValues()
        if flags.contains(.fault) { fireFaultAgain() }
    }

    @inline(never)
    private final func fireFaultAgain() {
        let wasAwaking = flags.contains(.awaking)
        flags.insert(.awaking)
        defer { if !wasAwaking { flags.remove(.awaking) } }
        for _ in 0..<8 {
            readValues()
            if !flags.contains(.fault) { return }
        }
        programmingError(
            "An object of entity '\(layout.name)' becomes a fault each time that its fault fires.",
            remedy: "Don't refresh the object, and don't reset its context, while its store reads the object.")
    }

    /// Gives a fault its values: from the attached row, or from a row that the context fetches.
    private final func readValues() {
        guard let table = table.unretained else {
            // An object without context begins with the default values.
            keepModel()
            cells = layout.defaultCells
            flags.remove(.fault)
            return
        }
        if flags.contains(.inserted) {
            // A refresh has discarded the values of a new object.
            flags.remove(.fault)
            cells = layout.defaultCells
            ownCells()
            return
        }
        if let row, let buffer = buffer.unretained {
            let mayBeOutdated = table._withUnsafeGuaranteedRef { table in
                table.handle.parent != nil || table.handle.stalenessInterval >= 0
            }
            guard mayBeOutdated || buffer._withUnsafeGuaranteedRef({ $0.mayBeSuperseded }) else {
                return applyValues(of: row)
            }
            // A custom store was asked: the row may have been replaced, or the fault may have fired.
            if !fetchRow(insteadOf: row), flags.contains(.fault), let row = self.row { applyValues(of: row) }
            return
        }
        guard let context else {
            useNilValues()
            return
        }
        context.fulfillFault(self)
    }

    /// Fires the fault with a newer row than the attached row, if an ancestor or the store has a newer row.
    @inline(never)
    private func fetchRow(insteadOf row: Row) -> Bool {
        guard let handle = table?.handle, let buffer else { return false }
        if handle.parent != nil && applyAncestorRow(handle) { return true }
        if buffer.mayBeSuperseded && fetchNewerRow(than: row) { return true }
        return handle.stalenessInterval >= 0 && refetchStaleRow(in: buffer, handle)
    }

    /// Fires the fault with the values of the attached row.
    @inline(__always)
    final func applyValues(of row: Row) {
        flags.remove(.fault)
        // A fault owns no cells. But code of the program may have fired the fault in between, and then the object may
        // own cells.
        shareCells(row.cells)
        if MethodOverrides.overridesAwakeFromFetch(type(of: self)) { awakeWithValues() }
    }

    /// Calls `awakeFromFetch()` without change tracking, so that values that an override sets mark neither the object
    /// nor its context as changed. Inverses are not maintained. Called for classes that override the method.
    ///
    /// The method isn't called within itself: an override that makes the object a fault and reads it would never end.
    @inline(never)
    final func awakeWithValues() {
        guard flags.isDisjoint(with: [.awaking, .fault]) else { return }
        let wasSuppressingChangeTracking = flags.contains(.suppressesChangeTracking)
        flags.formUnion([.suppressesChangeTracking, .awaking])
        if let context { context.changeEvent.withoutRecording(awakeFromFetch) } else { awakeFromFetch() }
        flags.remove(.awaking)
        if !wasSuppressingChangeTracking { flags.remove(.suppressesChangeTracking) }
    }

    /// Fetches the newest row and fires the fault with it, if the attached row is older.
    private func fetchNewerRow(than row: Row) -> Bool {
        guard let context, buffer?.mayHaveChanged(row) ?? true else { return false }
        let version = row.version
        do {
            guard try context.isSuperseded(row, of: self) else { return false }
        } catch {
            // The row is read below, and a second failure is reported there.
        }
        guard flags.contains(.fault) else { return true }
        self.row = nil
        buffer = nil
        context.fulfillFault(self)
        if self.row?.version != version { releaseUnchangedContents() }
        return true
    }

    /// Fires the fault with the values of an ancestor context, if they differ from the store's values.
    private func applyAncestorRow(_ handle: ContextHandle) -> Bool {
        guard handle.ancestorsMayHaveChanges, let context, let known = context.ancestorRow(self) else {
            return false
        }
        switch known {
        case .row(let found):
            return fulfill(with: found)
        case .deleted:
            row = nil
            buffer = nil
            context.fulfillFault(self)
        }
        return true
    }

    /// Fetches the row again and fires the fault with it, if the attached row is older than the context's staleness
    /// interval.
    private func refetchStaleRow(in old: RowBuffer, _ handle: ContextHandle) -> Bool {
        guard let context, old.isOlder(than: handle.stalenessInterval) else { return false }
        row = nil
        buffer = nil
        context.fulfillFault(self)
        return true
    }

    /// Sets all values to nil: no store has the object.
    final func useNilValues() {
        let new = Cells.allocate(layout)
        new.initializeEmpty(wordCount: layout.wordCount)
        flags.remove(.fault)
        own(new)
    }

    /// Makes an object a fault again after its row could not be read: the next access reads again.
    final func refaultAfterFailedRead() {
        guard row == nil, primaryKey > 0 || table?.handle.parent != nil,
            flags.isDisjoint(with: [.fault, .inserted, .updated])
        else { return }
        flags.insert(.fault)
        shareCells(layout.defaultCells)
    }

    /// Makes a new object a fault of a table, before it is registered. Discards values that an overridden initializer
    /// has set.
    @inline(__always)
    final func prepareAsFault(in table: __owned IdentityTable, key: Int64) {
        if flags.subtracting(.checksConcurrency).rawValue != Flags.fault.rawValue || primaryKey != 0 {
            resetToUnregistered()
        }
        self.table = table
        primaryKey = key
    }

    /// Prepares a new object for a complete row, before it is registered.
    ///
    /// - Parameter isFiring: whether the object gets its values, instead of being a fault.
    @inline(__always)
    final func prepare(in table: __owned IdentityTable, row: Row, buffer: __owned RowBuffer, isFiring: Bool) {
        prepareAsFault(in: table, key: row.primaryKey)
        self.row = row
        self.buffer = buffer
        guard isFiring else { return }
        cells = row.cells
        flags.formIntersection(.checksConcurrency)
    }

    @inline(never)
    private final func resetToUnregistered() {
        shareCells(layout.defaultCells)
        releaseLinks()
        flags = layout.initialFlags
        releaseObjectID()
    }

    /// Whether a row is of the object's entity. A row with the object's key may be of another entity: the object's ID
    /// names a wrong entity, or the entity of the row has changed. Such a row isn't the object's row.
    @inline(__always)
    final func accepts(_ row: Row) -> Bool { row.layoutNumber == layoutNumber }

    /// Fires the fault with a row.
    ///
    /// - Returns: false for a row of another entity; nothing has changed then.
    @inline(__always)
    final func fulfill(with found: RetainedRow) -> Bool {
        guard accepts(found.row) else { return false }
        attach(found.row, buffer: found.buffer)
        applyValues(of: found.row)
        return true
    }

    /// Attaches a committed snapshot to a fault, or replaces the committed snapshot of an unchanged object.
    ///
    /// A partial row is never a committed snapshot: only its cells are attached.
    @inline(__always)
    final func attach(_ row: Row, buffer: RowBuffer) {
        guard accepts(row) else { refuse(row, buffer) }
        self.row = buffer.availableCells == nil ? row : nil
        // The values of the former row may end with its buffer: see `shareCells(_:)`.
        if !flags.contains(.ownsCells) { cells = row.cells }
        self.buffer = buffer
        if links != nil { releaseOutdatedDestinations(row, buffer) }
    }

    /// Stops the program before values of another entity are read as values of the object's entity. Callers that may
    /// have a row of another entity ask ``accepts(_:)`` before they attach it.
    @inline(never)
    private final func refuse(_ row: Row, _ buffer: RowBuffer) -> Never {
        programmingError(
            """
            The object \(objectID) got a row of the entity '\(buffer.layouts[row.layoutNumber].name)'. This is a \
            mistake in OpenCoreData.
            """,
            remedy: "Please report it, with the model and what the program does.")
    }

    /// Releases the destinations of a fault that differ from the references in its row.
    @inline(never)
    private final func releaseOutdatedDestinations(_ row: Row, _ buffer: RowBuffer) {
        guard flags.contains(.fault) else { return }
        for index in layout.toOneProperties {
            let slot = layout.properties[index]
            guard let destination = link(slot.link) as? NSManagedObject, buffer.availableCells?[slot.cell] ?? true
            else {
                continue
            }
            if !row.cells.refers(to: destination.primaryKey, at: slot.cell) { setLink(nil, slot.link) }
        }
    }

    /// Replaces the values of an object without unsaved changes by a committed snapshot; transient values stay.
    final func applyCommittedRow(_ fresh: RetainedRow) {
        guard accepts(fresh.row) else { refuse(fresh.row, fresh.buffer) }
        let layout = layout
        // The present cells may belong to the former row.
        let former = buffer
        row = fresh.row
        buffer = fresh.buffer
        if layout.hasTransientCells {
            let new = Cells.allocate(layout)
            layout.copy(fresh.row.cells, to: new)
            for slot in layout.properties where slot.isTransient && slot.cell >= 0 { slot.copy(from: cells, to: new) }
            own(new)
        } else {
            shareCells(fresh.row.cells)
        }
        withExtendedLifetime(former) {}
    }

    /// Releases values and relationships: the object is a fault again.
    final func turnIntoFault() {
        guard !flags.contains(.fault) else {
            row = nil
            cells = layout.defaultCells
            buffer = nil
            releaseLinks()
            return
        }
        // These methods may make the object a fault themselves, so they aren't called within each other.
        guard !flags.contains(.turningIntoFault) else { return releaseValues() }
        // Values that willTurnIntoFault() sets are no changes.
        let wasSuppressingChangeTracking = flags.contains(.suppressesChangeTracking)
        flags.formUnion([.suppressesChangeTracking, .turningIntoFault])
        willTurnIntoFault()
        releaseValues()
        didTurnIntoFault()
        flags.remove(.turningIntoFault)
        if !wasSuppressingChangeTracking { flags.remove(.suppressesChangeTracking) }
    }

    private final func releaseValues() {
        let former = buffer
        row = nil
        buffer = nil
        flags.insert(.fault)
        shareCells(layout.defaultCells)
        releaseLinks()
        withExtendedLifetime(former) {}
    }

    /// Releases the contents of to-many relationships that were read before the object had its present row: with the
    /// version of this row, a save of the former members would find no conflict. Unsaved changes stay.
    private final func releaseUnchangedContents() {
        for slot in layout.properties where slot.kind == .toMany {
            if let content = link(slot.link) as? ToManyContent, !content.isChanged { setLink(nil, slot.link) }
        }
    }

    final func releaseLinks() {
        guard let links else { return }
        self.links = nil
        links.deinitialize(count: layout.linkCount)
        links.deallocate()
    }

    /// Releases the related objects of an object without unsaved changes. The row has their keys, by which they are
    /// found again.
    package final func releaseUnchangedLinks() {
        if flags.isDisjoint(with: [.inserted, .updated, .deleted, .detached]) { releaseLinks() }
    }

    /// Releases all related objects of an object that left its context, because they would form retain cycles.
    final func clearRelationships() {
        guard links != nil else { return }
        releaseLinks()
        guard flags.contains(.ownsCells) else { return }
        for index in layout.toOneProperties { cells.setEmpty(layout.properties[index].cell) }
    }
}
