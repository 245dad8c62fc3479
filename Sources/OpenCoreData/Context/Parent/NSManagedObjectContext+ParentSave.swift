extension NSManagedObjectContext {
    /// Makes the changes in the parent, having the merge policy settle the conflicts that come up, until there are
    /// none. They are committed values from then on.
    final func saveIntoParent() throws {
        var settled: Set<String> = []
        // Each round but the last meets an object that the parent has lost since; only a policy that makes new
        // conflicts gets to the limit.
        for _ in 0..<1000 {
            let save = try ParentSave(self)
            let parentConflicts = try askParent { try save.write(into: $0) } ?? []
            if parentConflicts.isEmpty { return finish(save) }
            let conflicts = parentConflicts.map(conflict)
            let signature = Set(conflicts.map(\.description))
            if signature == settled { throw ConflictErrors.error(versions: conflicts) }
            settled = signature
            // What the parent has lost can't be undone here.
            try withoutUndo {
                try conflictPolicy.resolve(mergeConflicts: conflicts)
                try prepareAgain()
            }
        }
        throw NSError(
            domain: NSCocoaErrorDomain, code: NSManagedObjectMergeError,
            userInfo: [
                NSLocalizedDescriptionKey: """
                Could not merge changes: the merge policy \(conflictPolicy) made new conflicts again and \
                again. Refresh the objects and save again.
                """
            ])
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
        let objects = savedObjects()
        let written = save.written
        recordCommittedSnapshots(of: written.new, isNew: true, store: nil)
        recordCommittedSnapshots(of: written.changed, isNew: false, store: nil)
        settle(objects, [inserted.objects, updated.objects, deleted.objects].map(ids))
    }
}
