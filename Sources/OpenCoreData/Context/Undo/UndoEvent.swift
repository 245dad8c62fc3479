// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The undo records of one change event: one action of the undo manager.
final class UndoEvent {
    let records: [UndoRecord]
    private let restorableObjects: RestorableObjects

    init(_ records: [UndoRecord], _ restorableObjects: RestorableObjects) {
        self.records = records
        self.restorableObjects = restorableObjects
        restorableObjects.add(records)
    }

    deinit { restorableObjects.remove(records) }
}

/// Counts, for each object, the undo and redo actions that can insert it again.
///
/// Related objects form retain cycles. Once no action can insert a detached object again, its cycles are broken. The
/// lock guards the counts.
final class RestorableObjects: Sendable {
    private let counts = Mutex<[ObjectIdentifier: Int]>([:])

    /// Whether an action can insert the object again.
    func canBeRestored(_ object: NSManagedObject) -> Bool { counts.withLock { $0[ObjectIdentifier(object)] != nil } }

    fileprivate func add(_ records: [UndoRecord]) {
        counts.withLock { counts in
            for record in records where record.existedBefore != record.existsAfter {
                counts[ObjectIdentifier(record.object), default: 0] += 1
            }
        }
    }

    fileprivate func remove(_ records: [UndoRecord]) {
        var unrestorable: [NSManagedObject] = []
        counts.withLock { counts in
            for record in records where record.existedBefore != record.existsAfter {
                let key = ObjectIdentifier(record.object)
                let count = counts[key] ?? 1
                counts[key] = count > 1 ? count - 1 : nil
                if count == 1, record.object.flags.contains(.detached) { unrestorable.append(record.object) }
            }
        }
        for object in unrestorable { object.releaseLinks() }
    }
}

/// The changes of one object in one event, and the values that revert them.
struct UndoRecord {
    let object: NSManagedObject
    /// Whether the object was in the context, not deleted, before and after the event.
    let existedBefore: Bool
    let existsAfter: Bool
    /// Whether the object had no unsaved changes before the event.
    let wasUnchanged: Bool
    private(set) var values: [(slot: PropertySlot, value: SavedValue)] = []
    private(set) var destinations: [(slot: PropertySlot, object: NSManagedObject?)] = []
    private(set) var memberships: [(slot: PropertySlot, changes: EventMembership)] = []
    /// The contents of the to-many relationships of a deleted object.
    private(set) var contents: [(slot: PropertySlot, members: [NSManagedObject])] = []
    /// The store that a deleted object was assigned to.
    private(set) var assignedStore: NSPersistentStore?

    /// Whether reverting the event inserts the object again.
    var restoresObject: Bool { existedBefore && !existsAfter }
    /// Whether reverting the event removes the object.
    var removesObject: Bool { !existedBefore && existsAfter }
    var hasChanges: Bool { !(values.isEmpty && destinations.isEmpty && memberships.isEmpty) }

    /// Compares an object with its state at the start of the event.
    ///
    /// - Parameter snapshot: that state; nil if it is in the committed row, or if the object was inserted since.
    /// - Returns: nil if there is nothing to revert.
    init?(_ object: NSManagedObject, _ snapshot: EventSnapshot?, context: NSManagedObjectContext) {
        self.object = object
        switch snapshot?.state {
        case .deletedExternally: return nil
        case .absent, .deleted: (existedBefore, wasUnchanged) = (false, false)
        case .unchanged: (existedBefore, wasUnchanged) = (true, true)
        case .changed: (existedBefore, wasUnchanged) = (true, false)
        case nil:
            existedBefore = !object.flags.contains(.inserted) || object.flags.contains(.announced)
            wasUnchanged = existedBefore
        }
        existsAfter = object.flags.isDisjoint(with: [.deleted, .detached])
        guard existedBefore else {
            if existsAfter { return }
            return nil
        }
        if !existsAfter {
            saveContents()
            assignedStore = context.unsavedChanges.assignedStore(of: object)
        }
        compare(snapshot)
        if existsAfter && !hasChanges { return nil }
    }

    /// Reads the values and relationships of a deleted object. Later its row may be deleted.
    private mutating func saveContents() {
        if !object.flags.contains(.detached) { object.fireFaultIfNeeded() }
        for index in object.layout.relationshipProperties {
            let slot = object.layout.properties[index]
            guard slot.kind == .toMany else { continue }
            let content = object.toManyContent(slot, loading: !slot.isTransient && !object.flags.contains(.detached))
            let members = content.members
            if content.isLoaded && !members.isEmpty { contents.append((slot, members)) }
        }
    }

    /// Comparing transformable values calls the program. An object that it makes a fault has nothing to revert.
    private mutating func compare(_ snapshot: EventSnapshot?) {
        // The committed values stay in memory: they may be the values at the start of the event.
        let buffer = object.buffer
        withExtendedLifetime(buffer) { compareValues(snapshot) }
        if object.flags.contains(.fault) {
            values = []
            destinations = []
            return
        }
        guard let snapshot else { return }
        for (index, changes) in snapshot.memberships.list {
            let slot = object.layout.properties[index]
            if !changes.isEmpty(for: object, slot) { memberships.append((slot, changes)) }
        }
    }

    private mutating func compareValues(_ snapshot: EventSnapshot?) {
        guard !object.flags.contains(.fault) else { return }
        if let before = object.eventStartCells(snapshot), before != object.cells {
            for slot in object.layout.properties
            where slot.cell >= 0 && slot.derivation == nil && !slot.isEqual(before, object.cells) {
                guard slot.kind == .toOne else {
                    values.append((slot, SavedValue(slot, before)))
                    continue
                }
                let destination = object.eventStartDestination(slot, snapshot)
                if destination !== object.destination(slot) { destinations.append((slot, destination)) }
            }
        }
    }
}

/// A copy of the value of one cell, or of the cells of a composite attribute.
enum SavedValue {
    case scalar(UInt64)
    case reference(key: Int64, layout: UInt32)
    /// Nil, of a scalar or a reference.
    case empty
    case string(String?)
    case object(AnyObject?)
    /// In the order of the elements.
    case composite([SavedValue])

    /// Copies the value of a property from cells. The cells must have a value of the property's kind.
    init(_ slot: PropertySlot, _ cells: Cells) {
        switch slot.kind.family {
        case .string: self = .string(cells.string(slot.cell).pointee)
        case .object: self = .object(cells.object(slot.cell).pointee)
        case .composite: self = .composite(slot.elements.map { SavedValue($0, cells) })
        case .scalar: self = cells.isPresent(slot.cell) ? .scalar(cells.bits(slot.cell)) : .empty
        case .reference:
            self =
                cells.isPresent(slot.cell)
                ? .reference(key: cells.integer(slot.cell), layout: cells.referenceLayout(slot.cell)) : .empty
        case .none: self = .empty
        }
    }

    /// Writes the value to the cells of the same property.
    func write(_ slot: PropertySlot, to cells: Cells) {
        switch self {
        case .scalar(let bits): cells.setBits(bits, at: slot.cell)
        case .reference(let key, let layout): cells.setReference(key, layout: layout, at: slot.cell)
        case .empty: cells.setEmpty(slot.cell)
        case .string(let string): cells.string(slot.cell).pointee = string
        case .object(let object): cells.object(slot.cell).pointee = object
        case .composite(let values):
            for (element, value) in zip(slot.elements, values) { value.write(element, to: cells) }
        }
    }
}
