import OpenCoreData

/// A save with rows, an ordered relationship, history and external data.
struct SaveOperation: FailureOperation {
    let name: String
    let storeType: String
    /// Whether calls may fail while the store is opened, too.
    var opensWithin = false

    private static let steps = SavedSteps(imageCount: 2)
    /// The step of the files that are found. The next one deletes, too.
    private static let found = 4

    private func store(_ folder: URL) -> URL { folder.appendingPathComponent("store.data") }

    func make(_ folder: URL) throws {
        let stack = try Stack(store(folder), storeType)
        for step in 1...Self.found { try stack.perform { try Self.steps.save(step, in: $0) } }
        try stack.close()
    }

    func run(_ folder: URL, _ window: FaultWindow) throws {
        let step = Self.found + 1
        if opensWithin {
            var stack: Stack?
            defer { try? stack?.close() }
            return try window.during {
                stack = try Stack(store(folder), storeType)
                try stack?.perform { try Self.steps.save(step, in: $0) }
            }
        }
        let stack = try Stack(store(folder), storeType)
        try stack.perform { context in
            try Self.steps.change(step, in: context)
            do {
                try window.during { try context.save() }
            } catch {
                // Every other time the program saves again; otherwise it gives the changes up.
                if (window.failure?.number ?? 0) % 2 == 0 {
                    try context.save()
                    window.isRepeated = true
                } else {
                    context.rollback()
                    let last = try Self.steps.check(context)
                    try expect(last == Self.found, "the open store has step \(last) after a refused save")
                }
                throw error
            }
            let last = try Self.steps.check(context)
            try expect(last == step, "the open store has step \(last) after a save")
        }
        try stack.close()
    }

    func check(_ folder: URL, allowsRemainders: Bool) throws -> Bool {
        let stack = try Stack(store(folder), storeType)
        let last = try stack.perform { context in
            let last = try Self.steps.check(context)
            if storeType == NSSQLiteStoreType { try HistoryChecks.checkSteps(context, last: last) }
            return last
        }
        try stack.close()
        if storeType == NSSQLiteStoreType { try SQLiteChecks.check(store(folder), allowsRemainders: allowsRemainders) }
        try expect([Self.found, Self.found + 1].contains(last), "the store has step \(last)")
        return last == Self.found + 1
    }
}
