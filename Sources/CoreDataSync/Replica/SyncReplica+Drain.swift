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
        let before = coordinator.currentPersistentHistoryToken(fromStores: nil)
        do {
            guard let transactions = try app.transactions(after: state.token) else {
                try noteDeletedHistory(before, state)
                return try at(.afterDrain)
            }
            seenToken = transactions.last?.token ?? before
            try note(transactions, state)
            // The store was set back to a moment before its newest imports.
            if state.unseenImports > 0 { throw SyncReplicaError.storesDiffer }
            guard let last = transactions.last else { return }
            state.token = last.token
            state.newestTransaction = last.transactionNumber
            state.newestTime = last.timestamp.timeIntervalSinceReferenceDate
            try side.save()
        } catch {
            side.rollback()
            throw error
        }
        try at(.afterDrain)
    }

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
        let transactions = try app.transactions(after: token, .transactionsOnly) ?? []
        return Int64(transactions.count { $0.author == Self.author })
    }
}
