// SPDX-License-Identifier: Apache-2.0

/// One save into a store in memory. All checks come before the first change, so that no change must be undone.
struct MemorySave {
    private let changes: StoreChanges
    private var permanentKeys: [Int64: Int64] = [:]
    /// The archives of the transformable values of a row.
    private var archives: [ObjectReference: [(cell: Int, archive: StoredTransformable)]] = [:]
    /// The changes of to-many contents that follow from changed references, and from changes of the other side.
    private var inverseChanges: [LinkLocation: InverseChange] = [:]

    typealias Tables = [UInt32: MemoryDatabase.Table]

    private struct LinkLocation: Hashable {
        let root: UInt32
        let link: MemoryDatabase.LinkKey
    }

    private struct InverseChange {
        var removed: Set<Int64> = []
        var added: [ObjectReference] = []
    }

    /// Prepares a save: new rows get their keys.
    ///
    /// - Parameters:
    ///   - changes: the changes.
    ///   - archiveTrust: the classes that the archives of transformable values may contain; nil if the rows keep such
    ///     values as objects.
    ///   - allocate: reserves keys for new rows.
    /// - Throws: the error of `allocate`, `NSManagedObjectReferentialIntegrityError` (133000) for a reference to an
    ///   object that no store has and this save doesn't insert, and `NSCoreDataError` (134060) for a transformable
    ///   value that can't be archived.
    init(_ changes: StoreChanges, _ archiveTrust: ArchiveTrust?, allocate: ([EntityLayout]) throws -> [Int64])
        throws
    {
        self.changes = changes
        let fresh = changes.inserted.filter { $0.key < 0 }
        let keys = try allocate(fresh.map(\.layout))
        permanentKeys = Dictionary(zip(fresh.map(\.key), keys), uniquingKeysWith: { first, _ in first })
        try checkReferences()
        if let archiveTrust { try archiveTransformables(archiveTrust) }
    }

    private mutating func archiveTransformables(_ trust: ArchiveTrust) throws {
        func archives(_ layout: EntityLayout, _ cells: Cells) throws -> [(cell: Int, archive: StoredTransformable)] {
            try layout.properties.flatMap(\.leaves).compactMap { slot in
                guard slot.kind == .transformable, !slot.isTransient, let object = cells.object(slot.cell).pointee,
                    !(object is StoredTransformable)
                else { return nil }
                let data =
                    try (object as? TransformableBox)?.savedForm?.data
                    ?? TransformableCoding.encode((object as? Box<Any>)?.value ?? object, slot: slot, trust: trust)
                return (slot.cell, StoredTransformable(data, trust: trust))
            }
        }
        for row in changes.inserted where row.layout.hasTransformables {
            self.archives[ObjectReference(key: permanent(row.key), layout: row.layout.number)] =
                try archives(row.layout, row.cells)
        }
        for row in changes.updated where row.layout.hasTransformables {
            self.archives[ObjectReference(key: row.key, layout: row.layout.number)] =
                try archives(row.layout, row.cells)
        }
    }

    private func checkReferences() throws {
        func check(_ key: Int64) throws {
            if key < 0 && permanentKeys[key] == nil { throw StoreChanges.unknownReference }
        }
        func check(_ layout: EntityLayout, _ cells: Cells) throws {
            for index in layout.toOneProperties {
                let slot = layout.properties[index]
                if !slot.isTransient && cells.isPresent(slot.cell) { try check(cells.integer(slot.cell)) }
            }
        }
        for row in changes.inserted { try check(row.layout, row.cells) }
        for row in changes.updated { try check(row.layout, row.cells) }
        for link in changes.relationships {
            try check(link.owner)
            for reference in link.order?.references ?? link.added { try check(reference.key) }
        }
    }

    /// Writes the changes. This can't fail.
    mutating func run(on tables: inout Tables) -> StoreSaveResult {
        for row in changes.deleted { remove(row, &tables) }
        inverseChanges = inverseChanges.filter { tables[$0.key.root]?.rows[$0.key.link.owner] != nil }
        var result = StoreSaveResult()
        for row in changes.inserted {
            let key = permanent(row.key)
            result.keys.append(key)
            put(row.layout, key, version: row.version, row.cells, &tables, isReplacement: row.isReplacement)
        }
        for row in changes.updated { put(row.layout, row.key, version: row.version &+ 1, row.cells, &tables) }
        for link in changes.relationships { recordInverseChange(link, tables) }
        for (location, change) in inverseChanges {
            tables[location.root, default: .init()].changeLink(location.link) { apply(change, to: &$0) }
        }
        for link in changes.relationships { apply(link, &tables) }
        return result
    }

    private func permanent(_ key: Int64) -> Int64 { key >= 0 ? key : permanentKeys[key] ?? key }

    private func permanent(_ reference: ObjectReference) -> ObjectReference {
        ObjectReference(key: permanent(reference.key), layout: reference.layout)
    }

    /// A destination with the entity of its row: an ID may name another entity. A row that this save inserts later has
    /// the entity of the reference.
    private func stored(
        _ reference: ObjectReference, _ slot: PropertySlot, in layout: EntityLayout, _ tables: Tables
    ) -> ObjectReference {
        let destination = layout.model[slot.destination]
        guard let row = tables[destination.root]?.rows[reference.key]?.row, row.layoutNumber != reference.layout,
            destination.contains(row.layoutNumber)
        else { return reference }
        return ObjectReference(key: reference.key, layout: row.layoutNumber)
    }

    // MARK: Rows

    private mutating func put(
        _ layout: EntityLayout, _ key: Int64, version: Int32, _ cells: Cells, _ tables: inout Tables,
        isReplacement: Bool = false
    ) {
        let buffer = RowBuffer(layout: layout, includesSubentities: false, capacity: 1)
        let row = buffer.appendUninitialized(primaryKey: key, version: version, layout: layout)
        layout.copy(cells, to: row.cells)
        layout.resetTransientValues(row.cells)
        if !archives.isEmpty {
            for value in archives[ObjectReference(key: key, layout: layout.number)] ?? [] {
                row.cells.object(value.cell).pointee = value.archive
            }
        }
        for slot in layout.properties where slot.cell >= 0 {
            if slot.kind == .toOne, row.cells.isPresent(slot.cell) {
                let destination = ObjectReference(
                    key: permanent(row.cells.integer(slot.cell)), layout: row.cells.referenceLayout(slot.cell))
                let named = stored(destination, slot, in: layout, tables)
                row.cells.setReference(named.key, layout: named.layout, at: slot.cell)
            }
        }
        let previous = tables[layout.root, default: .init()].setRow(RetainedRow(buffer: buffer, row: row), for: key)
        guard previous != nil || isReplacement else { return }
        for index in layout.toOneProperties {
            recordInverseChange(layout, layout.properties[index], key, from: previous?.row.cells, to: row.cells)
        }
    }

    /// Records the change of the to-many inverse of a reference: the context may not know the stored destination of the
    /// reference.
    private mutating func recordInverseChange(
        _ layout: EntityLayout, _ slot: PropertySlot, _ key: Int64, from old: Cells?, to new: Cells
    ) {
        guard slot.inverse >= 0, !slot.isTransient, old.map({ !slot.isEqual($0, new) }) ?? true else { return }
        func change(_ cells: Cells, _ change: (inout InverseChange) -> Void) {
            guard cells.isPresent(slot.cell) else { return }
            let owner = layout.model[cells.referenceLayout(slot.cell)]
            guard owner.properties[slot.inverse].kind == .toMany else { return }
            changeInverse(slot, of: cells.integer(slot.cell), root: owner.root, change)
        }
        if let old { change(old) { $0.removed.insert(key) } }
        change(new) { $0.added.append(ObjectReference(key: key, layout: layout.number)) }
    }

    /// Records the change of the other side of a many-to-many relationship. The context has no change of the other side
    /// if its snapshot of that side is older, or newer, than its snapshot of this side.
    private mutating func recordInverseChange(_ link: StoreChanges.RelationshipChange, _ tables: Tables) {
        let slot = link.layout.properties[link.property]
        guard slot.inverse >= 0, link.layout.model[slot.destination].properties[slot.inverse].kind == .toMany else {
            return
        }
        let owner = ObjectReference(key: permanent(link.owner), layout: link.layout.number)
        func change(_ member: ObjectReference, _ change: (inout InverseChange) -> Void) {
            let member = permanent(member)
            let root = link.layout.model[member.layout].root
            guard tables[root]?.rows[member.key] != nil else { return }
            changeInverse(slot, of: member.key, root: root, change)
        }
        for member in link.removed { change(member) { $0.removed.insert(owner.key) } }
        for member in link.added { change(member) { $0.added.append(owner) } }
    }

    /// Changes what is recorded for the contents of a destination's relationship, the inverse of a slot.
    private mutating func changeInverse(
        _ slot: PropertySlot, of destination: Int64, root: UInt32, _ change: (inout InverseChange) -> Void
    ) {
        let link = MemoryDatabase.LinkKey(owner: destination, property: slot.inverse)
        change(&inverseChanges[LinkLocation(root: root, link: link), default: InverseChange()])
    }

    /// Removes a row, and its key from the contents of the rows that it is related to: the context may not know them.
    private mutating func remove(_ row: StoreChanges.DeletedRow, _ tables: inout Tables) {
        // An ID may name a row by another entity.
        if let stored = tables[row.layout.root]?.rows[row.key]?.row, stored.layoutNumber != row.layout.number { return }
        tables[row.layout.root]?.setRow(nil, for: row.key)
        for index in row.layout.relationshipProperties {
            let contents = tables[row.layout.root]?.removeLink(.init(owner: row.key, property: index))
            let slot = row.layout.properties[index]
            guard let contents, slot.inverse >= 0 else { continue }
            let destination = row.layout.model[slot.destination]
            guard destination.properties[slot.inverse].kind == .toMany else { continue }
            for member in contents.members {
                changeInverse(slot, of: member.key, root: destination.root) { $0.removed.insert(row.key) }
            }
        }
    }

    // MARK: Contents

    private func apply(_ change: InverseChange, to content: inout MemoryRelationshipContents) {
        content.remove(change.removed)
        for member in change.added { content.append(member) }
    }

    private func apply(_ link: StoreChanges.RelationshipChange, _ tables: inout Tables) {
        let key = MemoryDatabase.LinkKey(owner: permanent(link.owner), property: link.property)
        let root = link.layout.root
        // The to-one inverse of a member decides to which owner it belongs; the context may know older contents.
        if let order = link.order {
            let members = order.references.map { member(permanent($0), link, tables) }
                .filter { belongs($0, to: key.owner, link, tables) }
            tables[root, default: .init()].changeLink(key) { $0 = MemoryRelationshipContents(members) }
            return
        }
        let added = link.added.map { member(permanent($0), link, tables) }
            .filter { belongs($0, to: key.owner, link, tables) }
        // An object that was added and removed without a save was never a member.
        tables[root, default: .init()].changeLink(key) { change(&$0, by: link, adding: added) }
    }

    private func member(
        _ reference: ObjectReference, _ link: StoreChanges.RelationshipChange, _ tables: Tables
    ) -> ObjectReference {
        stored(reference, link.layout.properties[link.property], in: link.layout, tables)
    }

    private func change(
        _ content: inout MemoryRelationshipContents, by link: StoreChanges.RelationshipChange,
        adding added: [ObjectReference]
    ) {
        content.remove(Set(link.removed.map { permanent($0.key) }))
        let addedKeys = Set(added.map(\.key))
        let last = link.last.map(permanent).filter { addedKeys.contains($0.key) || content.contains($0.key) }
        if !last.isEmpty { content.remove(Set(last.map(\.key))) }
        for member in last { content.append(member) }
        for member in added { content.append(member) }
    }

    private func belongs(
        _ member: ObjectReference, to owner: Int64, _ link: StoreChanges.RelationshipChange, _ tables: Tables
    ) -> Bool {
        let slot = link.layout.properties[link.property]
        guard slot.inverse >= 0, link.layout.model[slot.destination].properties[slot.inverse].kind == .toOne else {
            return true
        }
        let layout = link.layout.model[member.layout]
        let inverse = layout.properties[slot.inverse]
        guard !inverse.isTransient, let row = tables[layout.root]?.rows[member.key]?.row else { return true }
        return row.cells.isPresent(inverse.cell) && row.cells.integer(inverse.cell) == owner
    }
}
