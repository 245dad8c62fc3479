import OpenCoreData

/// Kills processes during batch requests. Each request handles all rows of a step, so each step has all rows or none,
/// and equal values in all of them.
struct KilledBatches: Scenario {
    let name = "batches"

    private static let file = "store.sqlite"
    private static let rowCount = 400

    func work(_ child: Child) throws {
        let stack = try Stack(child.file(Self.file), NSSQLiteStoreType)
        var step = try stack.perform { try $0.all("Row").map { $0.number("number") }.max() ?? 0 }
        child.report("ready")
        while true {
            step += 1
            try stack.perform { context in
                _ = try context.execute(
                    NSBatchInsertRequest(
                        entityName: "Row",
                        objects: (0..<Self.rowCount).map { ["number": step, "position": $0, "seen": 0] }))
                let update = NSBatchUpdateRequest(entityName: "Row")
                update.predicate = NSPredicate(format: "number == %ld", step)
                update.propertiesToUpdate = ["seen": 1, "text": "text of step \(step)"]
                _ = try context.execute(update)
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Row")
                request.predicate = NSPredicate(format: "number <= %ld", step - 2)
                _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
            }
        }
    }

    func run(_ round: Round) throws {
        try round.killRepeatedly(Self.file) { store in
            let stack = try Stack(store, NSSQLiteStoreType)
            let last = try stack.perform { try check($0) }
            try stack.close()
            try SQLiteChecks.check(store)
            return last
        }
    }

    private func check(_ context: NSManagedObjectContext) throws -> Int {
        let steps = Dictionary(grouping: try context.all("Row")) { $0.number("number") }
        for (step, rows) in steps {
            try expect(rows.count == Self.rowCount, "step \(step) has \(rows.count) of \(Self.rowCount) rows")
            let seen = Set(rows.map { $0.number("seen") })
            let texts = Set(rows.map { $0.value(forKey: "text") as? String })
            try expect(
                seen == [0] && texts == [nil] || seen == [1] && texts == ["text of step \(step)"],
                "step \(step) has rows with and without the update")
        }
        try HistoryChecks.checkReplay(context)
        return steps.keys.max() ?? 0
    }
}
