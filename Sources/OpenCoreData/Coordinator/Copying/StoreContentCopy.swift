// SPDX-License-Identifier: Apache-2.0

/// Copies the objects of one store into another one of any kind, row by row.
///
/// The rows keep their versions, and their keys unless the other store has rows already or another sequence of keys.
/// The rows of a SQL store are read and written in groups, so the memory does not grow with their number; a reference
/// needs a few words for each object. The caller has exclusive access to the coordinator.
struct StoreContentCopy {
    private let source: any SnapshotSource
    private let target: any SnapshotStore
    /// The entities to copy, with their subentities.
    private let roots: [EntityLayout]
    private let layouts: ModelLayout
    private let keepsKeys: Bool
    /// The keys of the copies, by root entity and key of the copied row; empty if the copies keep the keys.
    private var keys: [UInt32: [Int64: Int64]] = [:]

    /// The rows of one save.
    private static let groupSize = 4096

    /// - Parameter keepsKeys: whether the copies have the keys of the rows.
    init(
        from source: any SnapshotSource, to target: any SnapshotStore, roots: [EntityLayout], of layouts: ModelLayout,
        keepsKeys: Bool
    ) {
        self.source = source
        self.target = target
        self.roots = roots
        self.layouts = layouts
        self.keepsKeys = keepsKeys
    }

    /// Copies.
    ///
    /// - Parameter progress: gets the fraction of the work that is done, from 0 to 1.
    /// - Throws: the errors of both stores. Objects that were saved before stay in the target.
    mutating func run(_ progress: (Double) -> Void = { _ in }) throws {
        var references: [Part] = []
        for root in roots {
            let found = try source.references(StoreQuery(layout: root))
            references.append((root, found[...]))
            guard !keepsKeys else { continue }
            let new = try target.database.allocateKeys(found.map { root.model[$0.layout] })
            keys[root.root, default: [:]].merge(zip(found.map(\.key), new)) { first, _ in first }
        }
        // This comes before the rows, because a store that is written as a whole writes its next key with them.
        let last = references.compactMap { part in
            part.objects.map { key($0.key, root: part.root.root) }.max().map { (part.root.root, $0) }
        }
        try target.database.reserveKeys(through: Dictionary(last, uniquingKeysWith: max))
        if target.database.takesCopyInOneSave {
            var changes = StoreChanges(layouts)
            var rows: [RowList] = []
            for part in references { try collectRows(part, &changes, &rows) }
            for part in references { try collectRelationships(part, &changes) }
            try save(changes, keeping: rows)
        } else {
            let total = Double(2 * references.reduce(0) { $0 + $1.objects.count })
            var done = 0.0
            func report(_ count: Int) {
                done += Double(count)
                progress(done / total)
            }
            try forEachGroup(of: references, report) { try collectRows($0, &$1, &$2) }
            // A member must have a row before its place in an order is written.
            try forEachGroup(of: references, report) { group, changes, _ in
                try collectRelationships(group, &changes)
            }
        }
    }

    /// Objects of one entity hierarchy.
    private typealias Part = (root: EntityLayout, objects: ArraySlice<ObjectReference>)

    private func forEachGroup(
        of references: [Part], _ report: (Int) -> Void,
        _ collect: (Part, inout StoreChanges, inout [RowList]) throws -> Void
    ) throws {
        for (root, objects) in references {
            var rest = objects
            while !rest.isEmpty {
                var changes = StoreChanges(layouts)
                var rows: [RowList] = []
                try collect((root, rest.prefix(Self.groupSize)), &changes, &rows)
                try save(changes, keeping: rows)
                report(min(Self.groupSize, rest.count))
                rest = rest.dropFirst(Self.groupSize)
            }
        }
    }

    private func save(_ changes: StoreChanges, keeping rows: [RowList]) throws {
        guard !changes.isEmpty else { return }
        do {
            try withExtendedLifetime(rows) { _ = try target.save(changes) {} }
        } catch let conflict as StoreConflict {
            throw error(conflict)
        }
    }

    /// The error for objects whose unique values objects of the target have already.
    private func error(_ conflict: StoreConflict) -> NSError {
        let constraint = conflict.violations.first?.constraint
        let (entity, names) = (constraint.map { layouts[$0.layout].name } ?? "", constraint?.names ?? [])
        let path = target.url?.path ?? ""
        return CoreDataErrors.error(
            NSManagedObjectConstraintMergeError, "The objects can\u{2019}t be copied to \(path).",
            reason: """
                An object of entity \(entity) there has the unique values of a copied one: \
                \(names.joined(separator: ", ")).
                """,
            suggestion: "Delete the objects there that are copied, or give another URL.",
            userInfo: [NSFilePathErrorKey: path, "entity": entity, "attribute": names.joined(separator: ", ")])
    }

    private func key(_ key: Int64, root: UInt32) -> Int64 { keepsKeys ? key : keys[root]?[key] ?? key }

    private func reference(_ reference: ObjectReference, _ layouts: ModelLayout) -> ObjectReference {
        ObjectReference(key: key(reference.key, root: layouts[reference.layout].root), layout: reference.layout)
    }

    // MARK: Rows

    /// Adds rows to the changes.
    ///
    /// - Parameter lists: gets the lists that retain the cells of the rows.
    private func collectRows(_ part: Part, _ changes: inout StoreChanges, _ lists: inout [RowList]) throws {
        let list = try source.rows(layout: part.root, keys: part.objects.map(\.key), properties: nil)
        var copies = RowList(layout: part.root, includesSubentities: true, expected: list.count)
        var inserted: [StoreChanges.InsertedRow] = []
        for buffer in list.buffers {
            for index in 0..<buffer.count {
                let row = buffer[index]
                let layout = buffer.layouts[row.layoutNumber]
                let cells = keepsKeys ? row.cells : translated(row, layout, into: &copies)
                inserted.append(
                    StoreChanges.InsertedRow(
                        layout: layout, key: key(row.primaryKey, root: layout.root), cells: cells,
                        version: row.version))
            }
        }
        // Rows of one entity share a statement.
        inserted.sort { ($0.layout.number, $0.key) < ($1.layout.number, $1.key) }
        changes.inserted += inserted
        lists += [list, copies]
    }

    /// A copy of a row whose references have the new keys.
    private func translated(_ row: Row, _ layout: EntityLayout, into list: inout RowList) -> Cells {
        let copy = list.bufferForAppending().appendUninitialized(
            primaryKey: row.primaryKey, version: row.version, layout: layout)
        layout.copy(row.cells, to: copy.cells)
        for index in layout.toOneProperties {
            let slot = layout.properties[index]
            guard slot.cell >= 0, copy.cells.isPresent(slot.cell) else { continue }
            let destination = layout.model[copy.cells.referenceLayout(slot.cell)]
            copy.cells.setReference(
                key(copy.cells.integer(slot.cell), root: destination.root), layout: destination.number, at: slot.cell)
        }
        return copy.cells
    }

    // MARK: Relationships

    /// Adds the contents of the to-many relationships of objects to the changes.
    private func collectRelationships(_ part: Part, _ changes: inout StoreChanges) throws {
        let layouts = Dictionary(part.objects.map { ($0.key, $0.layout) }, uniquingKeysWith: { first, _ in first })
        for number in part.root.number...(part.root.number + part.root.span) {
            let layout = part.root.model[number]
            // The relationships of a superentity come with the superentity.
            let inherited = layout.superlayout?.properties.count ?? 0
            for index in layout.relationshipProperties where index >= inherited || number == part.root.number {
                let slot = layout.properties[index]
                guard slot.kind == .toMany, !slot.isTransient, isWritten(slot, of: layout) else { continue }
                try collect(slot, layout, layouts, &changes)
            }
        }
    }

    /// Whether the contents of a relationship are more than the references of its members to the owner.
    private func isWritten(_ slot: PropertySlot, of layout: EntityLayout) -> Bool {
        if target.database.takesCopyInOneSave || slot.isOrdered || slot.inverse < 0 { return true }
        return layout.model[slot.destination].properties[slot.inverse].kind == .toMany
    }

    /// - Parameter owners: the layouts of the objects whose contents are copied, by key.
    private func collect(
        _ slot: PropertySlot, _ layout: EntityLayout, _ owners: [Int64: UInt32], _ changes: inout StoreChanges
    ) throws {
        let keys = owners.filter { layout.model[$0.value].isKind(of: layout) }.keys.sorted()
        guard !keys.isEmpty else { return }
        let contents = try source.contents(of: slot, ownerLayout: layout, keys: keys)
        var rest = contents.members[...]
        while let owner = rest.first?.owner {
            let members = rest.prefix { $0.owner == owner }
            rest = rest.dropFirst(members.count)
            let copies = members.map { reference($0.member, layout.model) }
            changes.relationships.append(
                StoreChanges.RelationshipChange(
                    layout: layout.model[owners[owner] ?? layout.number], property: slot.index,
                    owner: key(owner, root: layout.root), added: copies, removed: [], last: [],
                    order: slot.isOrdered ? StoreChanges.MemberList(copies) : nil))
        }
    }
}
