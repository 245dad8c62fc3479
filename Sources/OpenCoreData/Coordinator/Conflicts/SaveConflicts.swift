// SPDX-License-Identifier: Apache-2.0

/// A conflict and the store that reported it.
struct StoreSaveConflict: Error {
    let store: any SnapshotStore
    let conflict: StoreConflict
}

/// The conflicts of a save as merge policies see them.
struct SaveConflicts {
    let conflicts: [Any]
    private var signature: ConflictSignature

    init(_ found: StoreSaveConflict, context: NSManagedObjectContext) {
        let store = found.store
        let versions = found.conflict.rows.compactMap { Self.conflict($0, store, context) }
        let constraints = found.conflict.violations.map { Self.conflict($0, store, context) }
        conflicts = versions + constraints
        signature = ConflictSignature(minimumCapacity: conflicts.count)
        for conflict in versions { signature.append(conflict) }
        for conflict in constraints { signature.append(conflict) }
    }

    /// Whether two rounds of a save have found the same conflicts: the objects, the versions and the values are the
    /// same.
    func areSame(as others: SaveConflicts) -> Bool { signature.entries == others.signature.entries }

    private static func conflict(
        _ row: StoreConflict.Row, _ store: any SnapshotStore, _ context: NSManagedObjectContext
    ) -> NSMergeConflict? {
        guard let object = context.knownObject(row.layout, key: row.key, store: store.identity) else { return nil }
        let seen = object.row.map { ConflictSnapshot.values(of: $0, row.layout, store: store.identity) }
        let persisted = row.persisted.map { ConflictSnapshot.values(of: $0.row, row.layout, store: store.identity) }
        let newVersion = Int(row.persisted?.version ?? 0)
        // A save through the coordinator replaces the fetched row in the row cache. The cache has the newer row as long
        // as an object uses it, and afterwards no row.
        let isCached =
            row.persisted != nil && store.database.rowCache.row(row.layout, key: row.key)?.version != row.version
        return NSMergeConflict(
            object, newVersion: newVersion, oldVersion: Int(row.version), cached: isCached ? persisted : seen,
            persisted: isCached ? nil : persisted,
            row: row.persisted)
    }

    private static func conflict(
        _ violation: StoreConflict.Violation, _ store: any SnapshotStore, _ context: NSManagedObjectContext
    ) -> NSConstraintConflict {
        let table = context.registry.table(store: store.identity, root: violation.constraint.root)
        let objects = violation.rows.compactMap { row in
            row.key < 0 ? context.registry.unsavedTable(root: violation.constraint.root)[row.key] : table[row.key]
        }
        let stored = violation.stored.map {
            context.materialize($0.row, buffer: $0.buffer, table: table, refreshing: false)
        }
        return NSConstraintConflict(
            constraint: violation.constraint.names, database: stored, row: violation.stored, conflicting: objects,
            store: store.identity)
    }
}

/// The identity of the conflicts of one round of a save. Most saves have only one round with conflicts, so most of the
/// work is left until the identity is compared with another.
private struct ConflictSignature {
    struct Entry: Hashable {
        let constraint: [String]
        let values: [AnyHashable?]
        let identity: ArraySlice<Int>
    }

    private var conflicts: [NSConstraintConflict?] = []
    /// The addresses of the objects and their versions, of all conflicts.
    private var identities: [Int] = []
    /// Where the identities of each conflict begin.
    private var starts: [Int] = []

    init(minimumCapacity: Int) {
        conflicts.reserveCapacity(minimumCapacity)
        identities.reserveCapacity(minimumCapacity * 4)
        starts.reserveCapacity(minimumCapacity)
    }

    mutating func append(_ conflict: NSMergeConflict) {
        conflicts.append(nil)
        starts.append(identities.count)
        append(conflict.sourceObject, version: conflict.oldVersionNumber)
        identities.append(conflict.newVersionNumber)
    }

    mutating func append(_ conflict: NSConstraintConflict) {
        conflicts.append(conflict)
        starts.append(identities.count)
        identities.append(conflict.databaseObject == nil ? 0 : 1)
        if let object = conflict.databaseObject { append(object, version: Int(object.row?.version ?? 0)) }
        for object in conflict.conflictingObjects { append(object, version: Int(object.row?.version ?? 0)) }
    }

    private mutating func append(_ object: NSManagedObject, version: Int) {
        identities.append(Int(bitPattern: ObjectIdentifier(object)))
        identities.append(version)
    }

    var entries: Set<Entry> {
        var entries = Set<Entry>(minimumCapacity: starts.count)
        for (index, start) in starts.enumerated() {
            let end = index + 1 < starts.count ? starts[index + 1] : identities.count
            let conflict = conflicts[index]
            let names = conflict?.constraint ?? []
            entries.insert(
                Entry(
                    constraint: names, values: names.map { conflict?.constraintValues[$0] as? AnyHashable },
                    identity: identities[start..<end]))
        }
        return entries
    }
}
