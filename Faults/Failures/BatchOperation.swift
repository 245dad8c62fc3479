import OpenCoreData

/// A batch request on a store with a history.
struct BatchOperation: FailureOperation {
    enum Kind {
        case insert, update, delete
    }

    let name: String
    let kind: Kind

    private static let rowCount = 60

    private func store(_ folder: URL) -> URL { folder.appendingPathComponent("store.data") }

    func make(_ folder: URL) throws {
        let stack = try Stack(store(folder), NSSQLiteStoreType)
        try stack.perform { context in
            for number in 0..<Self.rowCount {
                _ = context.make(
                    "Row",
                    ["number": 1, "position": number, "text": "old", "image": Data(repeating: 1, count: 150_000)])
            }
            try context.save()
        }
        try stack.close()
    }

    func run(_ folder: URL, _ window: FaultWindow) throws {
        let stack = try Stack(store(folder), NSSQLiteStoreType)
        defer { try? stack.close() }
        try stack.perform { context in
            try window.during {
                switch kind {
                case .insert:
                    _ = try context.execute(
                        NSBatchInsertRequest(
                            entityName: "Row",
                            objects: (0..<Self.rowCount).map {
                                ["number": 2, "position": $0, "image": Data(repeating: 2, count: 150_000)]
                            }))
                case .update:
                    let update = NSBatchUpdateRequest(entityName: "Row")
                    update.propertiesToUpdate = ["seen": 1, "text": "new"]
                    _ = try context.execute(update)
                case .delete:
                    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Row")
                    request.predicate = NSPredicate(format: "position >= 10")
                    _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
                }
            }
        }
    }

    func check(_ folder: URL, allowsRemainders: Bool) throws -> Bool {
        let stack = try Stack(store(folder), NSSQLiteStoreType)
        let isNew = try stack.perform { context in
            let rows = try context.all("Row")
            try HistoryChecks.checkReplay(context)
            try expect(
                rows.allSatisfy {
                    $0.value(forKey: "image") as? Data == Data(repeating: UInt8($0.number("number")), count: 150_000)
                }, "a row has another image, or none")
            let texts = Set(rows.map { $0.value(forKey: "text") as? String })
            switch kind {
            case .insert:
                try expect([1, 2].contains(rows.count / Self.rowCount), "the store has \(rows.count) rows")
                return rows.count == 2 * Self.rowCount
            case .update:
                try expect(rows.count == Self.rowCount && texts.count == 1, "\(rows.count) rows, the texts \(texts)")
                return texts == ["new"]
            case .delete:
                try expect([10, Self.rowCount].contains(rows.count), "the store has \(rows.count) rows")
                return rows.count == 10
            }
        }
        try stack.close()
        try SQLiteChecks.check(store(folder), allowsRemainders: allowsRemainders)
        return isNew
    }
}
