import OpenCoreData

/// Makes a store with many rows, and fetches, updates and deletes them, in a process whose memory is measured.
struct ManyRows: Scenario {
    let name = "many-rows"

    /// The memory that the process may need beyond the memory of a program with a small store.
    private static let memoryLimit = 512 << 20

    func run(_ round: Round) throws {
        let folder = try round.makeFolder()
        let isGood = round.check(folder) {
            let text = try round.child(folder).finish()
            round.tally.notes += text.split(separator: "\n").map(String.init)
        }
        if isGood { try FileManager.default.removeItem(at: folder) }
    }

    // MARK: In the process with the store

    func work(_ child: Child) throws {
        let count = child.options.rows
        let store = child.file("store.sqlite")
        var notes: [String] = []
        func measure<Result>(_ what: String, _ body: () throws -> Result) rethrows -> Result {
            let start = Date()
            let result = try body()
            notes.append(String(format: "%@ %.1f s", what, Date().timeIntervalSince(start)))
            return result
        }
        var stack = try Stack(store, NSSQLiteStoreType, options: [NSPersistentHistoryTrackingKey: false])
        try measure("insert") {
            var next = 0
            let request = NSBatchInsertRequest(entityName: "Row") { (values: NSMutableDictionary) in
                if next == count { return true }
                values["number"] = next
                values["position"] = next % 1000
                next += 1
                return false
            }
            _ = try stack.perform { try $0.execute(request) }
        }
        try stack.close()
        let size = try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? NSNumber
        try measure("open") {
            stack = try Stack(store, NSSQLiteStoreType, options: [NSPersistentHistoryTrackingKey: false])
        }
        let all = NSFetchRequest<NSManagedObject>(entityName: "Row")
        let found = try measure("count") { try stack.perform { try $0.count(for: all) } }
        try expect(found == count, "\(found) of \(count) rows are there")
        try measure("fetch of 100") {
            try stack.perform { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Row")
                request.predicate = NSPredicate(format: "position == 7 AND number >= %ld", count / 2)
                request.fetchLimit = 100
                request.returnsObjectsAsFaults = false
                let rows = try context.fetch(request)
                try expect(
                    rows.count == min(100, count / 2000) && rows.allSatisfy { $0.number("number") % 1000 == 7 },
                    "the fetch returns \(rows.count) rows")
                context.reset()
            }
        }
        try measure("update of half") {
            let update = NSBatchUpdateRequest(entityName: "Row")
            update.predicate = NSPredicate(format: "number < %ld", count / 2)
            update.propertiesToUpdate = ["seen": 1]
            update.resultType = .updatedObjectsCountResultType
            let result = try stack.perform { try $0.execute(update) as? NSBatchUpdateResult }
            try expect((result?.result as? NSNumber)?.intValue == count / 2, "not half of the rows were updated")
        }
        try measure("delete of half") {
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Row")
            request.predicate = NSPredicate(format: "seen == 1")
            let delete = NSBatchDeleteRequest(fetchRequest: request)
            delete.resultType = .resultTypeCount
            let result = try stack.perform { try $0.execute(delete) as? NSBatchDeleteResult }
            try expect((result?.result as? NSNumber)?.intValue == count / 2, "not half of the rows were deleted")
        }
        let left = try stack.perform { try $0.count(for: all) }
        try expect(left == count - count / 2, "\(left) rows are left")
        try stack.close()
        try measure("integrity_check") { try SQLiteChecks.check(store) }
        child.report("\(count) rows, \((size?.intValue ?? 0) >> 20) MB: " + notes.joined(separator: ", "))
        let memory = try Self.highestMemory()
        child.report("highest memory \(memory >> 20) MB")
        try expect(memory < Self.memoryLimit, "the process needed \(memory >> 20) MB")
    }

    /// The highest memory of this process in bytes, as Linux counts it.
    private static func highestMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let text = line?.split(whereSeparator: \.isWhitespace).dropFirst().first, let kilobytes = Int(text) else {
            throw FaultError("the memory of the process isn't known")
        }
        return kilobytes << 10
    }
}
