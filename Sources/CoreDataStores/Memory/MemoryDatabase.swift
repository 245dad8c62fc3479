// SPDX-License-Identifier: Apache-2.0

/// The rows of a store that keeps all its objects in memory.
///
/// It has complete rows by key and evaluates requests on them. The recursive lock guards everything.
package final class MemoryDatabase: RowRelations, StoreDatabase, @unchecked Sendable {
    private let lock = NSRecursiveLock()
    private var tables: [UInt32: Table] = [:]
    private var lastKeys: [UInt32: Int64] = [:]
    private var uniqueKeys = MemoryUniqueKeys()
    /// The derived attributes over relationships; found at the first save.
    private var derivations: [MemoryDerivation]?
    /// The rows that contexts use, so that faults find newer rows.
    package let rowCache = RowCache()

    package typealias Table = MemoryTable
    typealias LinkKey = MemoryTable.LinkKey

    /// The identity of the store that has the rows.
    package private(set) var identity = StoreIdentity(uuid: "")
    private weak var layouts: ModelLayout?
    /// Whether all entities take their keys from one sequence.
    package let sharesKeys: Bool
    /// The classes that archives of transformable values may contain. Nil for rows that keep such values as objects,
    /// which all contexts share.
    private let archiveTrust: ArchiveTrust?

    /// - Parameters:
    ///   - sharesKeys: whether all entities take their keys from one sequence, so that a key names an object of any
    ///     entity.
    ///   - archiveTrust: the classes that the archives of transformable values may contain; nil to keep such values as
    ///     objects.
    package init(sharesKeys: Bool = false, archiveTrust: ArchiveTrust? = nil) {
        self.sharesKeys = sharesKeys
        self.archiveTrust = archiveTrust
    }

    /// Connects the rows with their store. Called once, before the first request.
    package func open(_ identity: StoreIdentity, layouts: ModelLayout) {
        self.identity = identity
        self.layouts = layouts
    }

    // MARK: Contents

    /// All rows and contents, and the last key of the shared sequence.
    package func withContents<Result>(_ body: ([UInt32: Table], Int64) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(tables, lastKeys[0] ?? 0) }
    }

    /// Replaces all rows and contents.
    ///
    /// - Parameters:
    ///   - tables: the rows by root entity.
    ///   - lastKey: the last key of the shared sequence.
    package func setContents(_ tables: [UInt32: Table], lastKey: Int64) {
        lock.withLock {
            self.tables = tables
            lastKeys[0] = lastKey
            uniqueKeys = MemoryUniqueKeys()
        }
    }

    // MARK: Reading

    package func rows(_ query: StoreQuery) throws -> RowList {
        try lock.withLock {
            var list = RowList(
                layout: query.layout, includesSubentities: query.includesSubentities, properties: query.properties)
            for retained in try matching(query) { append(retained, to: &list) }
            if !list.isPartial { rowCache.add(list.buffers) }
            return list
        }
    }

    package func rows(layout: EntityLayout, keys: [Int64], properties: Set<Int>?) throws -> RowList {
        lock.withLock {
            var list = RowList(layout: layout, includesSubentities: true, expected: keys.count, properties: properties)
            for key in keys { if let retained = storedRow(layout, key: key) { append(retained, to: &list) } }
            if !list.isPartial { rowCache.add(list.buffers) }
            return list
        }
    }

    package func contents(of slot: PropertySlot, ownerLayout: EntityLayout, keys: [Int64]) throws -> StoreContents {
        try lock.withLock {
            let members = try keys.flatMap { key in
                try destinations(of: slot, ownerLayout: ownerLayout, key: key).map { (owner: key, member: $0) }
            }
            let destination = ownerLayout.model[slot.destination]
            return StoreContents(
                rows: try rows(layout: destination, keys: Array(Set(members.map(\.member.key))), properties: nil),
                members: members)
        }
    }

    private func append(_ retained: RetainedRow, to list: inout RowList) {
        let layout = retained.buffer.layouts[retained.row.layoutNumber]
        let row = list.bufferForAppending().appendUninitialized(
            primaryKey: retained.row.primaryKey, version: retained.row.version, layout: layout)
        layout.copy(retained.row.cells, to: row.cells)
    }

    package func references(_ query: StoreQuery) throws -> [ObjectReference] {
        try lock.withLock {
            try matching(query).map { ObjectReference(key: $0.row.primaryKey, layout: $0.row.layoutNumber) }
        }
    }

    package func values(_ query: StoreQuery) throws -> ProjectedRows {
        try lock.withLock { RowEvaluation.values(try objects(matching: query), query) }
    }

    package func count(_ query: StoreQuery) throws -> Int {
        try query.projection == nil ? references(query).count : values(query).count
    }

    package func snapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        lock.withLock { storedRow(layout, key: key) }
    }

    /// The row of an entity or its subentities with a key, nil if there is none.
    private func storedRow(_ layout: EntityLayout, key: Int64) -> RetainedRow? {
        tables[layout.root]?.rows[key].flatMap { layout.contains($0.row.layoutNumber) ? $0 : nil }
    }

    package func destinations(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) throws -> [ObjectReference]
    {
        lock.withLock {
            // A relationship without inverse may contain deleted objects.
            content(of: slot, ownerLayout: ownerLayout, key: key).filter {
                storedRow(ownerLayout.model[$0.layout], key: $0.key) != nil
            }
        }
    }

    /// The contents of a to-many relationship, which are stored with the owner.
    private func content(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) -> [ObjectReference] {
        tables[ownerLayout.root]?.links[LinkKey(owner: key, property: slot.index)]?.members ?? []
    }

    private func matching(_ query: StoreQuery) throws -> [RetainedRow] {
        try RowEvaluation.arrange(try objects(matching: query), query).map(\.retained)
    }

    /// The rows that satisfy the predicate, ordered by key.
    private func objects(matching query: StoreQuery) throws -> [EvaluatedRow] {
        try query.control?.report(rowCount: 0)
        let candidates = (tables[query.layout.root]?.rows ?? [:]).values.filter { retained in
            let layout = retained.buffer.layouts[retained.row.layoutNumber]
            return query.includesSubentities ? layout.isKind(of: query.layout) : layout === query.layout
        }.sorted { $0.row.primaryKey < $1.row.primaryKey }
        return try RowEvaluation.filter(candidates.map { EvaluatedRow($0, relations: self) }, query)
    }

    /// The row to which another row refers, for predicates.
    package func row(layout: EntityLayout, key: Int64) -> EvaluatedRow? {
        storedRow(layout, key: key).map { EvaluatedRow($0, relations: self) }
    }

    package func contentRows(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) -> [EvaluatedRow] {
        content(of: slot, ownerLayout: ownerLayout, key: key).compactMap {
            row(layout: ownerLayout.model[$0.layout], key: $0.key)
        }
    }

    // MARK: Saving

    package func allocateKeys(_ layouts: [EntityLayout]) throws -> [Int64] {
        lock.withLock {
            layouts.map { layout in
                let sequence = sharesKeys ? 0 : layout.root
                lastKeys[sequence, default: 0] += 1
                return lastKeys[sequence]!
            }
        }
    }

    package func reserveKeys(through last: [UInt32: Int64]) {
        lock.withLock {
            for (root, key) in last {
                let sequence = sharesKeys ? 0 : root
                lastKeys[sequence] = max(lastKeys[sequence] ?? 0, key)
            }
        }
    }

    package var archivesWholeRows: Bool { archiveTrust != nil }

    package func archive(_ value: Any, _ slot: PropertySlot) throws -> Data? {
        try archiveTrust.map { try TransformableCoding.encode(value, slot: slot, trust: $0) }
    }

    package func computedOnSave(_ layout: EntityLayout) throws -> [PropertySlot] {
        layout.derivedProperties.map { layout.properties[$0] }.filter { $0.derivation?.relationship == nil }
    }

    package func save(_ changes: StoreChanges, beforeCommit: () throws -> Void) throws -> StoreSaveResult {
        try save(changes, beforeCommit: beforeCommit, writing: nil)
    }

    /// Makes all changes, or none.
    ///
    /// - Parameters:
    ///   - changes: the changes.
    ///   - beforeCommit: called after all changes were made. An error undoes them and is thrown.
    ///   - writing: writes the changed rows to a file; it calls the block that it gets, just before it makes the
    ///     written file the valid one. Nil for rows in memory only.
    package func save(
        _ changes: StoreChanges, beforeCommit: () throws -> Void,
        writing: ((_ beforeCommit: () throws -> Void) throws -> Void)?
    ) throws -> StoreSaveResult {
        try lock.withLock {
            let conflicts = conflicts(of: changes)
            if !conflicts.isEmpty { throw StoreConflict(rows: conflicts) }
            try checkEntities(changes)
            let violations = UniquenessCheck(changes).violations { constraint, _, cells in
                cells.map { cells in
                    uniqueKeys.row(constraint, cells, in: tables[constraint.root]).flatMap {
                        tables[constraint.root]?.rows[$0]
                    }
                }
            }
            if !violations.isEmpty { throw StoreConflict(violations: violations) }
            let keysBefore = lastKeys
            do {
                var save = try MemorySave(changes, archiveTrust) { layouts in try allocateKeys(layouts) }
                let derivations = derivationsOfModel()
                if let writing {
                    return try saveUndoably(&save, changes, derivations) { try writing(beforeCommit) }
                }
                if !derivations.isEmpty { return try saveUndoably(&save, changes, derivations, beforeCommit) }
                // The lock hides the rows until the end, and nothing can fail after beforeCommit().
                try beforeCommit()
                uniqueKeys.remove(changes, tables)
                let result = save.run(on: &tables)
                uniqueKeys.insert(changes, keys: result.keys, tables)
                return result
            } catch {
                lastKeys = keysBefore
                throw error
            }
        }
    }

    /// Saves into a store with attributes derived over relationships, or with a file. If a derivation or the file
    /// fails, the save is undone.
    private func saveUndoably(
        _ save: inout MemorySave, _ changes: StoreChanges, _ derivations: [MemoryDerivation],
        _ beforeCommit: () throws -> Void
    ) throws -> StoreSaveResult {
        // A save changes rows and contents of these entities alone; derived rows may be of any.
        let roots = Set(layouts?.layouts.map(\.root) ?? [])
        for root in roots { tables[root, default: .init()].beginUndoable() }
        do {
            uniqueKeys.remove(changes, tables)
            var result = save.run(on: &tables)
            uniqueKeys.insert(changes, keys: result.keys, tables)
            result.affected = try updateDerivedAttributes(changes, keys: result.keys, derivations)
            try beforeCommit()
            for root in roots { tables[root]?.endUndoable() }
            return result
        } catch {
            for root in roots { tables[root]?.undo() }
            // The next save indexes the rows again.
            uniqueKeys = MemoryUniqueKeys()
            throw error
        }
    }

    /// The attributes of the model that are derived over relationships.
    private func derivationsOfModel() -> [MemoryDerivation] {
        if let derivations { return derivations }
        let found = layouts.map { MemoryDerivation.all(of: $0) }
        derivations = found
        return found ?? []
    }

    /// Computes the derived attributes over relationships that a save may have changed.
    ///
    /// - Returns: the rows whose values have changed.
    private func updateDerivedAttributes(
        _ changes: StoreChanges, keys: [Int64], _ derivations: [MemoryDerivation]
    ) throws -> [ObjectReference] {
        if derivations.isEmpty { return [] }
        var effects = MemoryDerivationEffects(changes, keys: keys, in: tables, derivations: derivations)
        var touched: [ObjectReference] = []
        var seen: Set<ObjectReference> = []
        // The next round computes values that are derived from derived values.
        for _ in 0...derivations.count where !effects.owners.isEmpty {
            var computed: [UInt32: Set<Int64>] = [:]
            for (root, keys) in effects.owners {
                for key in keys.sorted() {
                    guard let retained = tables[root]?.rows[key] else { continue }
                    let layout = retained.buffer.layouts[retained.row.layoutNumber]
                    guard let fresh = try derivedRow(retained, layout) else { continue }
                    tables[root]?.setRow(fresh, for: key)
                    computed[root, default: []].insert(key)
                    let reference = ObjectReference(key: key, layout: layout.number)
                    if seen.insert(reference).inserted { touched.append(reference) }
                }
            }
            effects = MemoryDerivationEffects(dependingOn: computed, in: tables, derivations: derivations)
        }
        return touched
    }

    /// The row with new derived values; nil if they are the same. The version of the row stays the same.
    private func derivedRow(_ retained: RetainedRow, _ layout: EntityLayout) throws -> RetainedRow? {
        let slots = layout.derivedProperties.map { layout.properties[$0] }.filter {
            $0.derivation?.relationship != nil
        }
        if slots.isEmpty { return nil }
        let buffer = RowBuffer(layout: layout, includesSubentities: false, capacity: 1)
        let row = buffer.appendUninitialized(
            primaryKey: retained.row.primaryKey, version: retained.row.version, layout: layout)
        layout.copy(retained.row.cells, to: row.cells)
        let object = EvaluatedRow(retained, relations: self)
        for slot in slots {
            slot.write(
                try DerivedValues.value(of: slot, for: object, layout: layout), to: row.cells, entity: layout.name)
        }
        return slots.allSatisfy { $0.isEqual(row.cells, retained.row.cells) }
            ? nil : RetainedRow(buffer: buffer, row: row)
    }

    /// Checks that no object of a save takes the place of a row of another entity.
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000).
    private func checkEntities(_ changes: StoreChanges) throws {
        func check(_ layout: EntityLayout, _ key: Int64) throws {
            guard let present = tables[layout.root]?.rows[key]?.row, present.layoutNumber != layout.number else {
                return
            }
            throw StoreChanges.misnamedRow(layout, key)
        }
        for row in changes.inserted where row.isReplacement { try check(row.layout, row.key) }
        for row in changes.updated { try check(row.layout, row.key) }
        for row in changes.deleted where row.version != 0 { try check(row.layout, row.key) }
    }

    private func conflicts(of changes: StoreChanges) -> [StoreConflict.Row] {
        var result: [StoreConflict.Row] = []
        func check(_ layout: EntityLayout, _ key: Int64, _ version: Int32, allowsDeleted: Bool = false) {
            // The row of another entity isn't the object's row: the ID names the wrong entity.
            let present = storedRow(layout, key: key)
            if present?.version != version && !(allowsDeleted && present == nil) {
                result.append(StoreConflict.Row(layout: layout, key: key, version: version, persisted: present))
            }
        }
        for row in changes.checked { check(row.layout, row.key, row.version) }
        for row in changes.inserted where row.isReplacement { check(row.layout, row.key, 0, allowsDeleted: true) }
        for row in changes.updated { check(row.layout, row.key, row.version) }
        // A row that is deleted already is no conflict.
        for row in changes.deleted where row.version != 0 {
            check(row.layout, row.key, row.version, allowsDeleted: true)
        }
        return result
    }
}
