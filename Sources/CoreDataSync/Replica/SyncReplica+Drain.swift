// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

extension SyncReplica {
    /// Notes what programs have saved since the last call: the history of the app's store becomes pending changes.
    ///
    /// - Throws: errors of the stores. The side store is then as before.
    func drainHistory() throws {
        try at(.beforeDrain)
        let state = try state()
        if !state.isBegun { try beginEmpty() }
        let before = coordinator.currentPersistentHistoryToken(fromStores: stores)
        do {
            guard let transactions = try app.transactions(after: state.token, in: stores) else {
                try noteDeletedHistory(before, state)
                return try at(.afterDrain)
            }
            seenToken = transactions.last?.token ?? before
            try note(endingImport(transactions, state), state)
            // The store was set back to a moment before its newest imports.
            if state.unseenImports > 0 { throw SyncReplicaError.storesDiffer }
            guard let last = transactions.last else { return }
            state.note(last)
            try side.save()
        } catch {
            side.rollback()
            throw error
        }
        try at(.afterDrain)
    }

    /// Ends an import that was interrupted behind its save: later transactions change what it has made.
    ///
    /// - Returns: the transactions after the import; all if there is none.
    private func endingImport(
        _ transactions: [NSPersistentHistoryTransaction], _ state: SyncReplicaState
    ) throws -> [NSPersistentHistoryTransaction] {
        guard let record = try planRecord(), !record.isSaved, let plan = record.plan,
            !settings.variant.contains(.drainsImports),
            let index = transactions.firstIndex(where: { $0.author == Self.author })
        else { return transactions }
        try note(Array(transactions[...index]), state)
        state.note(transactions[index])
        try side.save()
        try mark(plan)
        return Array(transactions[(index + 1)...])
    }

    /// Lets the context read the app's store as the last look at its history found it, until ``endReading()``. What
    /// programs save later isn't seen, and is a conflict where an import changes the same object.
    ///
    /// - Returns: false if a program has saved since that look.
    func beginReading() throws -> Bool {
        app.reset()
        try app.setQueryGenerationFrom(.current)
        // The first read pins the context.
        if let entity = schema.concreteEntities.first {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.modelName)
            request.fetchLimit = 1
            _ = try app.count(for: request)
        }
        return !isChangedSinceDrain()
    }

    /// Lets the context read the newest rows again.
    func endReading() { try? app.setQueryGenerationFrom(nil) }

    /// Whether the context may have read rows that are newer than the last look at the history: a store without query
    /// generations has no others.
    var mayHaveReadNewerRows: Bool { app.queryGenerationToken == .current && isChangedSinceDrain() }

    private func note(_ transactions: [NSPersistentHistoryTransaction], _ state: SyncReplicaState) throws {
        // The save of an import whose end wasn't noted. Changes after it were made with the import in sight.
        let planned = try planRecord()
        var base = state.base
        var notes = try SyncNotes(self, transactions)
        for transaction in transactions {
            guard transaction.author == Self.author, !settings.variant.contains(.drainsImports) else {
                try notes.note(transaction, base: base, state)
                continue
            }
            if let planned, !planned.isSaved, let plan = planned.plan {
                base = plan.position.number
                planned.isSaved = true
            } else if state.unseenImports > 0 {
                state.unseenImports -= 1
            } else {
                // Another side store has made it.
                throw SyncReplicaError.storesDiffer
            }
        }
        try notes.mergeGroups()
    }

    /// The transactions of imports after a token; 0 if some after it were deleted.
    func importCount(after token: NSPersistentHistoryToken?) throws -> Int64 {
        let transactions = try app.transactions(after: token, .transactionsOnly, in: stores) ?? []
        return Int64(transactions.count { $0.author == Self.author })
    }
}
