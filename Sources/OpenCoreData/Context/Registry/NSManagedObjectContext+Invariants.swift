// SPDX-License-Identifier: Apache-2.0

/// The violated invariants of a context, for tests.
struct InvariantViolations: Error, CustomStringConvertible {
    let description: String
}

extension NSManagedObjectContext {
    /// Checks that the parts of the context agree. Costs time in proportion to the registered objects and their loaded
    /// relationships, reads nothing from a store, and changes nothing. For tests, at any time on the context's queue.
    ///
    /// Each owner of state checks its own invariants. The invariants between owners are:
    /// 1. An object of the inserted, updated or deleted objects is registered in this context.
    /// 2. A registered object with a flag of a list is in the list, unless another context has deleted it and the
    ///    notification about this isn't posted yet. Inserted and deleted means deleted; inserted and updated doesn't
    ///    occur.
    /// 3. A registered object with the flag `pending` is among the objects of the next change notification.
    /// 4. A registered object is in the identity table under its key. A detached object is in none.
    /// 5. The key of an object without a store is temporary (negative). The key of a saved object is permanent, and its
    ///    row has the same key. No object has a temporary key that a permanent one has replaced.
    /// 6. A fault owns no cells, and is neither inserted nor updated. Any other object owns cells, or shares the cells
    ///    of its row.
    /// 7. A loaded to-one destination has the key of the reference, unless the destination was detached.
    /// 8. The members of loaded relationship contents contain the additions, and not the removals. Their order has each
    ///    member once.
    /// 9. An unsaved change of a relationship is the same on both sides, as far as the other side is loaded.
    /// 10. Once deletion rules are applied, no object refers to a deleted one whose rule removes the reference.
    /// 11. The row caches of the coordinator's stores are sound (see `RowCache.checkInvariants()`).
    ///
    /// - Throws: ``InvariantViolations``, which names all violations.
    package final func checkInvariants() throws {
        var check = InvariantCheck(context: self)
        check.run()
        guard check.violations.isEmpty else {
            throw InvariantViolations(description: check.violations.joined(separator: "\n"))
        }
    }
}

/// One check of the invariants of a context.
private struct InvariantCheck {
    let context: NSManagedObjectContext
    private(set) var violations: [String] = []

    mutating func run() {
        checkOwners()
        checkUnsavedChanges()
        let pending = Set(context.changeEvent.pending.map(ObjectIdentifier.init))
        for table in context.registry.tables {
            for object in table.all {
                checkFlags(object, pending)
                checkIdentity(object, table)
                checkCells(object)
                checkRelationships(object)
            }
        }
    }

    private mutating func checkOwners() {
        violations += context.registry.checkInvariants()
        violations += context.unsavedChanges.checkInvariants()
        violations += context.changeEvent.checkInvariants()
        violations += context.undoRegistration.checkInvariants()
        violations += context.hierarchy.checkInvariants()
        violations += context.reading.checkInvariants()
        violations += context.saving.checkInvariants()
        violations += context.handle.coordinator?.checkRowCaches() ?? []
    }

    private mutating func checkUnsavedChanges() {
        for object in context.unsavedChanges.lists.joined() {
            expect(object.table?.handle === context.handle, object, "has unsaved changes in another context")
            expect(object.table?[object.primaryKey] === object, object, "has unsaved changes, but isn't registered")
        }
    }

    private mutating func expect(_ condition: Bool, _ object: NSManagedObject, _ message: @autoclosure () -> String) {
        if !condition { violations.append("\(object.diagnosticName): \(message())") }
    }

    // MARK: Lists

    private mutating func checkFlags(_ object: NSManagedObject, _ pending: Set<ObjectIdentifier>) {
        let flags = object.flags
        expect(!flags.contains(.detached), object, "is registered, but detached")
        expect(!flags.contains(.pending) || pending.contains(ObjectIdentifier(object)), object, "is pending, unlisted")
        if context.changeEvent.deletedExternally.contains(where: { $0 === object }) { return }
        let changes = context.unsavedChanges
        let list: ChangeList? =
            flags.contains(.deleted)
            ? changes.deleted
            : flags.contains(.inserted) ? changes.inserted : flags.contains(.updated) ? changes.updated : nil
        let index = Int(object.changeIndex)
        if let list {
            expect(
                list.objects.indices.contains(index) && list.objects[index] === object, object,
                "is in no list of changed objects")
        } else {
            expect(index == -1, object, "is unchanged, but has the index \(index) in a list")
        }
    }

    // MARK: Objects

    private mutating func checkIdentity(_ object: NSManagedObject, _ table: IdentityTable) {
        expect(object.table === table, object, "is in the identity table of others")
        expect(table[object.primaryKey] === object, object, "is registered under another key")
        expect((table.store == nil) == (object.primaryKey < 0), object, "has the wrong kind of key for its store")
        let replaced = context.hierarchy.permanentKeys[object.primaryKey]
        expect(replaced == nil, object, "has a temporary key that was replaced")
        if let row = object.row, table.store != nil, context.hierarchy.parent == nil {
            expect(row.primaryKey == object.primaryKey, object, "has the row \(row.primaryKey)")
        }
    }

    private mutating func checkCells(_ object: NSManagedObject) {
        let ownsCells = object.flags.contains(.ownsCells)
        if object.flags.contains(.fault) {
            expect(!ownsCells, object, "is a fault that has cells")
            expect(
                object.flags.isDisjoint(with: [.inserted, .updated]), object, "is a fault, but inserted or updated")
        } else if !ownsCells {
            expect(object.row.map { $0.cells == object.cells } ?? false, object, "has the cells of no row")
        }
    }

    // MARK: Relationships

    private mutating func checkRelationships(_ object: NSManagedObject) {
        guard object.links != nil, object.flags.isDisjoint(with: [.fault, .deleted]) else { return }
        for index in object.layout.relationshipProperties {
            let slot = object.layout.properties[index]
            switch object.link(slot.link) {
            case let destination as NSManagedObject: checkDestination(destination, of: object, slot)
            case let contents as ToManyContent: checkContents(contents, of: object, slot)
            default: break
            }
        }
    }

    private mutating func checkDestination(
        _ destination: NSManagedObject, of object: NSManagedObject, _ slot: PropertySlot
    ) {
        guard !destination.flags.contains(.detached), destination.table?.handle === context.handle else { return }
        expect(object.cells.isPresent(slot.cell), object, "has a destination of '\(slot.name)', but no reference")
        guard object.cells.isPresent(slot.cell) else { return }
        let key = object.cells.integer(slot.cell)
        expect(
            key == destination.primaryKey, object,
            "refers to \(key) by '\(slot.name)', but the destination is \(destination.primaryKey)")
        guard slot.inverse >= 0, !slot.isTransient else { return }
        checkNotDeleted(destination, of: object, slot)
        if object.isChanged(slot) { checkInverse(of: slot, object, destination) }
    }

    private mutating func checkContents(_ contents: ToManyContent, of object: NSManagedObject, _ slot: PropertySlot) {
        if contents.isLoaded {
            let members = Set(contents.members)
            expect(members.isSuperset(of: contents.additions), object, "'\(slot.name)' lacks an addition")
            expect(members.isDisjoint(with: contents.removals), object, "'\(slot.name)' has a removal")
            expect(members.count == contents.count, object, "'\(slot.name)' has a member twice")
        }
        guard slot.inverse >= 0, !slot.isTransient else { return }
        for member in contents.members { checkNotDeleted(member, of: object, slot) }
        for member in contents.additions { checkInverse(of: slot, object, member) }
    }

    /// Whether a deletion rule has removed a deleted object from the relationships that lead to it.
    private mutating func checkNotDeleted(
        _ destination: NSManagedObject, of object: NSManagedObject, _ slot: PropertySlot
    ) {
        // A fault whose row was found missing counts as deleted, without a rule. A rule follows the committed side of
        // the deleted object. The other side may be older, and contradict it.
        let inverse = destination.layout.properties[slot.inverse]
        guard !context.unsavedChanges.hasUnprocessedDeletions,
            destination.flags.isSuperset(of: [.deleted, .propagated]),
            destination.row != nil, destination.hasCommitted(object, inverse)
        else { return }
        let rule = inverse.deleteRule
        expect(
            rule != .nullifyDeleteRule && rule != .cascadeDeleteRule, object,
            "'\(slot.name)' has the deleted object \(destination.primaryKey)")
    }

    private mutating func checkInverse(of slot: PropertySlot, _ object: NSManagedObject, _ other: NSManagedObject) {
        guard other.flags.isDisjoint(with: [.fault, .deleted, .detached]), other.table?.handle === context.handle
        else { return }
        let inverse = other.layout.properties[slot.inverse]
        if inverse.kind == .toOne {
            expect(
                other.cells.refers(to: object.primaryKey, at: inverse.cell), object,
                "'\(slot.name)' has \(other.primaryKey), whose '\(inverse.name)' is another object")
        } else if let contents = other.link(inverse.link) as? ToManyContent, contents.isLoaded {
            expect(
                contents.contains(object), object,
                "'\(slot.name)' has \(other.primaryKey), whose '\(inverse.name)' lacks the object")
        }
    }
}

extension NSManagedObject {
    /// The entity, the key and the flags of the object, for messages about violated invariants.
    final var diagnosticName: String { "\(layout.name) \(primaryKey) (flags \(flags.rawValue))" }
}

extension NSManagedObject {
    /// Whether an object was a destination of a relationship when the values were committed.
    fileprivate final func hasCommitted(_ object: NSManagedObject, _ slot: PropertySlot) -> Bool {
        if slot.kind == .toOne { return row?.cells.refers(to: object.primaryKey, at: slot.cell) ?? false }
        return (link(slot.link) as? ToManyContent)?.committed.contains(object) ?? false
    }
}
