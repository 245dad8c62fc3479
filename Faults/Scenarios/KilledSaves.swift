import OpenCoreData

/// Kills processes while they save.
struct KilledSaves: Scenario {
    let name: String
    var storeType = NSSQLiteStoreType
    var steps = SavedSteps()

    private static let file = "store.data"

    func work(_ child: Child) throws {
        let stack = try Stack(child.file(Self.file), storeType)
        var step = try stack.perform { try SavedSteps.last($0) }
        child.report("ready")
        while true {
            step += 1
            try stack.perform { try steps.save(step, in: $0) }
        }
    }

    func run(_ round: Round) throws {
        try round.killRepeatedly(Self.file) { store in
            let stack = try Stack(store, storeType)
            let last = try stack.perform { context in
                let last = try steps.check(context)
                if storeType == NSSQLiteStoreType {
                    try HistoryChecks.checkReplay(context)
                    try HistoryChecks.checkSteps(context, last: last)
                }
                return last
            }
            try stack.close()
            if storeType == NSSQLiteStoreType { try SQLiteChecks.check(store) }
            return last
        }
    }
}
