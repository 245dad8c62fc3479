import OpenCoreData

/// The history of a store compared with its rows.
enum HistoryChecks {
    static func transactions(_ context: NSManagedObjectContext) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }

    /// Checks that the objects which the history inserts and doesn't delete are exactly the objects in the store.
    static func checkReplay(_ context: NSManagedObjectContext) throws {
        var objects: Set<NSManagedObjectID> = []
        let transactions = try transactions(context)
        // A store that only batch requests have written has no history: they aren't recorded.
        if transactions.isEmpty { return }
        for transaction in transactions {
            for change in transaction.changes ?? [] {
                switch change.changeType {
                case .insert:
                    try expect(objects.insert(change.changedObjectID).inserted, "the history inserts an object twice")
                case .update:
                    try expect(objects.contains(change.changedObjectID), "the history updates an object that is gone")
                case .delete:
                    try expect(objects.remove(change.changedObjectID) != nil, "the history deletes an object twice")
                }
            }
        }
        var stored: Set<NSManagedObjectID> = []
        for entity in ["Counter", "Row", "Group"] { stored.formUnion(try context.all(entity).map(\.objectID)) }
        let both = objects.intersection(stored).count
        try expect(
            objects == stored,
            "the history has \(objects.count) objects, the store \(stored.count), \(both) of them equal")
    }

    /// Checks that the history has each of the last steps in one transaction, without a gap.
    ///
    /// - Parameter last: the number of the last step.
    static func checkSteps(_ context: NSManagedObjectContext, last: Int) throws {
        let transactions = try transactions(context)
        let steps = transactions.map { Int($0.author ?? "") ?? -1 }
        let first = steps.first ?? last + 1
        try expect(
            steps == Array(first..<last + 1) && (last == 0 || !steps.isEmpty),
            "after step \(last) the history has the steps \(steps)")
        for (step, transaction) in zip(steps, transactions) {
            let changes = transaction.changes ?? []
            let inserted = changes.filter { $0.changeType == .insert }.count
            let deleted = changes.filter { $0.changeType == .delete }.count
            try expect(
                inserted == SavedSteps.rowCount + (step == 1 ? 2 : 1)
                    && deleted == (step > 3 ? SavedSteps.rowCount + 1 : 0),
                "the history of step \(step) has \(inserted) inserted and \(deleted) deleted objects")
        }
    }
}
