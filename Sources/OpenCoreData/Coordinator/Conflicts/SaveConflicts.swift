/// A conflict and the store that reported it.
struct StoreSaveConflict: Error {
    let store: any SnapshotStore
    let conflict: StoreConflict
}

/// The conflicts of a save as merge policies see them.
struct SaveConflicts {
    let conflicts: [Any]
    /// Names the objects in conflict and the versions: while nothing of it changes, the conflicts stay the same.
    let signature: Set<ConflictSignature>

    init(_ found: StoreSaveConflict, context: NSManagedObjectContext) {
        let store = found.store
        let versions = found.conflict.rows.compactMap { Self.conflict($0, store, context) }
        let constraints = found.conflict.violations.map { Self.conflict($0, store, context) }
        conflicts = versions + constraints
        var signature = Set<ConflictSignature>(minimumCapacity: conflicts.count)
        for conflict in versions { signature.insert(ConflictSignature(conflict)) }
        for conflict in constraints { signature.insert(ConflictSignature(conflict)) }
        self.signature = signature
    }

    private static func conflict(
        _ row: StoreConflict.Row, _ store: any SnapshotStore, _ context: NSManagedObjectContext
    ) -> NSMergeConflict? {
        guard let object = context.table(store: store.identity, root: row.layout.root)[row.key] else { return nil }
        let seen = object.row.map { ConflictSnapshot.values(of: $0, row.layout, store: store.identity) }
        let persisted = row.persisted.map { ConflictSnapshot.values(of: $0.row, row.layout, store: store.identity) }
        let newVersion = Int(row.persisted?.version ?? 0)
        // The row cache has the newest row if a context of the coordinator has saved it.
        let isCached =
            row.persisted != nil
            && store.cachedRow(layout: row.layout, key: row.key)?.version == row.persisted?.version
        return NSMergeConflict(
            object, newVersion: newVersion, oldVersion: Int(row.version), cached: isCached ? persisted : seen,
            persisted: isCached ? nil : persisted,
            row: row.persisted)
    }

    private static func conflict(
        _ violation: StoreConflict.Violation, _ store: any SnapshotStore, _ context: NSManagedObjectContext
    ) -> NSConstraintConflict {
        let table = context.table(store: store.identity, root: violation.constraint.root)
        let objects = violation.rows.compactMap { row in
            row.key < 0 ? context.unsavedTable(root: violation.constraint.root)[row.key] : table[row.key]
        }
        let stored = violation.stored.map {
            context.materialize($0.row, buffer: $0.buffer, table: table, refreshing: false)
        }
        return NSConstraintConflict(
            constraint: violation.constraint.names, database: stored, row: violation.stored, conflicting: objects,
            store: store.identity)
    }
}

/// What names one conflict, for the comparison of two rounds of a save.
struct ConflictSignature: Hashable {
    private let constraint: [String]
    private let values: [AnyHashable?]
    private let objects: [ObjectIdentifier]
    private let versions: [Int]

    init(_ conflict: NSMergeConflict) {
        constraint = []
        values = []
        objects = [ObjectIdentifier(conflict.sourceObject)]
        versions = [conflict.oldVersionNumber, conflict.newVersionNumber]
    }

    init(_ conflict: NSConstraintConflict) {
        constraint = conflict.constraint
        values = conflict.constraint.map { conflict.constraintValues[$0] as? AnyHashable }
        let all = [conflict.databaseObject].compactMap { $0 } + conflict.conflictingObjects
        objects = all.map(ObjectIdentifier.init)
        versions = [conflict.databaseObject == nil ? 0 : 1] + all.map { Int($0.row?.version ?? 0) }
    }
}
