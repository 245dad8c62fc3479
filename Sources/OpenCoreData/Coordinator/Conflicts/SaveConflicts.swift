/// A conflict and the store that reported it.
struct StoreSaveConflict: Error {
    let store: any SnapshotStore
    let conflict: StoreConflict
}

/// The conflicts of a save as merge policies see them.
struct SaveConflicts {
    let conflicts: [Any]
    /// Names the objects in conflict and the versions: while nothing of it changes, the conflicts stay the same.
    let signature: Set<String>

    init(_ found: StoreSaveConflict, context: NSManagedObjectContext) {
        let store = found.store
        let versions = found.conflict.rows.compactMap { Self.conflict($0, store, context) }
        let constraints = found.conflict.violations.map { Self.conflict($0, store, context) }
        conflicts = versions + constraints
        signature = Set(versions.map(\.description)).union(
            constraints.map { conflict in
                """
                \(conflict.description) \(conflict.databaseObject?.row?.version ?? 0) \
                \(conflict.conflictingObjects.map { $0.row?.version ?? 0 })
                """
            })
    }

    private static func conflict(
        _ row: StoreConflict.Row, _ store: any SnapshotStore, _ context: NSManagedObjectContext
    ) -> NSMergeConflict? {
        guard let object = context.table(store: store.identity, root: row.layout.root)[row.key] else { return nil }
        let seen = object.row.map { ConflictSnapshot.values(of: $0, row.layout, store: store.identity) }
        let persisted = row.persisted.map { ConflictSnapshot.values(of: $0.row, row.layout, store: store.identity) }
        let newVersion = Int(row.persisted?.row.version ?? 0)
        // The row cache has the newest row if a context of the coordinator has saved it.
        let isCached =
            row.persisted != nil
            && store.cachedRow(layout: row.layout, key: row.key)?.row.version == row.persisted?.row.version
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
            constraint: violation.constraint.names, database: stored,
            databaseSnapshot: violation.stored.map {
                ConflictSnapshot.values(of: $0.row, $0.buffer.layouts[$0.row.layoutNumber], store: store.identity)
            },
            conflicting: objects,
            conflictingSnapshots: objects.map { object -> [String: Any] in
                object.flags.contains(.inserted)
                    ? [:]
                    : object.row.map { ConflictSnapshot.values(of: $0, object.layout, store: store.identity) } ?? [:]
            })
    }
}
