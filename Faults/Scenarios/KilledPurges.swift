import OpenCoreData

/// Kills processes while they save, and delete the older part of the history after every second save.
struct KilledPurges: Scenario {
    let name = "purges"

    private static let file = "store.sqlite"
    private static let steps = SavedSteps(imageCount: 0)

    func work(_ child: Child) throws {
        let stack = try Stack(child.file(Self.file), NSSQLiteStoreType)
        var step = try stack.perform { try SavedSteps.last($0) }
        child.report("ready")
        while true {
            step += 1
            try stack.perform { context in
                try Self.steps.save(step, in: context)
                guard step % 2 == 0 else { return }
                let transactions = try HistoryChecks.transactions(context)
                guard transactions.count > 3 else { return }
                _ = try context.execute(
                    NSPersistentHistoryChangeRequest.deleteHistory(before: transactions[transactions.count - 3]))
            }
        }
    }

    func run(_ round: Round) throws {
        try round.killRepeatedly(Self.file) { store in
            let stack = try Stack(store, NSSQLiteStoreType)
            let last = try stack.perform { context in
                let last = try Self.steps.check(context)
                try HistoryChecks.checkSteps(context, last: last)
                return last
            }
            try stack.close()
            try SQLiteChecks.check(store)
            try checkChanges(store)
            return last
        }
    }

    /// Checks that each change in the tables of the history belongs to a transaction.
    private func checkChanges(_ store: URL) throws {
        let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
        let count = try connection.integer(
            "SELECT COUNT(*) FROM ACHANGE WHERE ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)")
        try expect(count == 0, "\(count ?? -1) changes of the history have no transaction")
    }
}
