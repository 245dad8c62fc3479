extension NSManagedObjectContext {
    /// Makes the changes in the parent, having the merge policy settle the conflicts that come up, until there are
    /// none. They are committed values from then on.
    final func saveIntoParent() throws {
        var resolved: Set<String> = []
        // Each round but the last meets an object that the parent has deleted meanwhile. Only a policy that makes new
        // conflicts itself reaches the limit.
        for _ in 0..<Self.conflictLimit {
            let save = try ParentSave(self)
            let found = try askParent { try save.write(into: $0) } ?? []
            if found.isEmpty { return finish(save) }
            let conflicts = found.map(conflict)
            let signature = Set(conflicts.map(\.description))
            if signature == resolved { throw ConflictErrors.error(versions: conflicts) }
            resolved = signature
            try resolveConflicts(conflicts)
        }
        throw endlessConflicts()
    }

    private func conflict(_ conflict: ParentSave.Conflict) -> NSMergeConflict {
        let object = conflict.object
        let store = object.table?.store
        let newest = conflict.newest.map { ConflictSnapshot.values(of: $0.row, object.layout, store: store) }
        let seen = object.row.map { ConflictSnapshot.values(of: $0, object.layout, store: store) }
        return NSMergeConflict(
            object, newVersion: Int(conflict.newest?.row.version ?? 0), oldVersion: Int(object.row?.version ?? 0),
            cached: newest ?? seen,
            persisted: nil, row: conflict.newest)
    }

    private func finish(_ save: ParentSave) {
        let objects = objectsToSave()
        let written = save.written
        recordCommittedSnapshots(of: written.new, isNew: true, store: nil)
        recordCommittedSnapshots(of: written.changed, isNew: false, store: nil)
        didCommit(objects, [inserted.objects, updated.objects, deleted.objects].map(ids))
    }
}
