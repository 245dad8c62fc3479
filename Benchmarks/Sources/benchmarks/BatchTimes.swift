import CoreData
import SystemSQLite

/// Batch requests against the same SQL by SQLite's C API, on the same table.
struct BatchTimes {
    /// The name for `--arm`.
    static let name = "batch requests"

    /// A way to give a batch insert its rows.
    private enum Rows: String, CaseIterable {
        case objects = "object handler"
        case dictionaries = "dictionary handler"
        case array = "array of dictionaries"
    }

    private static let className = NSStringFromClass(TypedRecord.self)
    private static let columns = Workload.columns.map { "Z\($0.uppercased())" }

    let folder: URL
    let count: Int
    let rounds: Int

    func printLines() throws {
        print("batch requests on \(count) rows of \(Workload.columnCount) integers / raw SQLite")
        for rows in Rows.allCases {
            var times = PairedTimes("insert, \(rows.rawValue)")
            for _ in 0..<rounds {
                let (raw, batch) = (url(), url())
                defer { [raw, batch].forEach(remove) }
                times.add(try rawInsert(raw), try batchInsert(batch, rows))
            }
            print(times.line)
        }
        try printChanges(tracks: false)
        try printChanges(tracks: true)
    }

    // MARK: Inserting

    private func rawInsert(_ url: URL) throws -> PairedTimes.Time {
        // A store's own file, so that tables and indexes are the same.
        try close(try CoreDataStack.context(at: url, className: Self.className))
        let connection = try RawConnection(url)
        let names = (["Z_PK", "Z_ENT", "Z_OPT"] + Self.columns).joined(separator: ", ")
        let marks = String(repeating: ", ?", count: Workload.columnCount + 2)
        return try PairedTimes.Time.measure {
            try connection.execute("BEGIN IMMEDIATE")
            let statement = try connection.prepare("INSERT INTO ZRECORD(\(names)) VALUES (?\(marks))")
            defer { sqlite3_finalize(statement) }
            for row in 0..<count {
                sqlite3_bind_int64(statement, 1, Int64(row + 1))
                sqlite3_bind_int64(statement, 2, 1)
                sqlite3_bind_int64(statement, 3, 1)
                for column in 0..<Workload.columnCount {
                    sqlite3_bind_int64(statement, Int32(column + 4), Workload.value(row: row, column: column))
                }
                guard sqlite3_step(statement) == SQLITE_DONE else { throw connection.failure() }
                sqlite3_reset(statement)
            }
            try connection.execute("COMMIT")
        }
    }

    private func batchInsert(_ url: URL, _ rows: Rows) throws -> PairedTimes.Time {
        let context = try CoreDataStack.context(at: url, className: Self.className)
        defer { try? close(context) }
        let request = request(rows)
        request.resultType = .count
        return try context.performAndWait {
            var result: Any?
            let time = try PairedTimes.Time.measure {
                result = (try context.execute(request) as? NSBatchInsertResult)?.result
            }
            try check(result, "insert")
            return time
        }
    }

    private func request(_ rows: Rows) -> NSBatchInsertRequest {
        var row = 0
        let count = count
        switch rows {
        case .objects:
            return NSBatchInsertRequest(
                entityName: "Record",
                managedObjectHandler: { object in
                    guard row < count, let record = object as? TypedRecord else { return true }
                    record.setAll(row: row)
                    row += 1
                    return false
                })
        case .dictionaries:
            return NSBatchInsertRequest(
                entityName: "Record",
                dictionaryHandler: { dictionary in
                    guard row < count else { return true }
                    for column in 0..<Workload.columnCount {
                        dictionary[Workload.columns[column]] = Int(Workload.value(row: row, column: column))
                    }
                    row += 1
                    return false
                })
        case .array:
            let dictionaries = (0..<count).map { row in
                Dictionary(
                    uniqueKeysWithValues: Workload.columns.enumerated().map {
                        ($1, Int(Workload.value(row: row, column: $0)) as Any)
                    })
            }
            return NSBatchInsertRequest(entityName: "Record", objects: dictionaries)
        }
    }

    // MARK: Updating and deleting

    private func printChanges(tracks: Bool) throws {
        var update = PairedTimes("update\(tracks ? ", with history" : "")")
        var delete = PairedTimes("delete\(tracks ? ", with history" : "")")
        var fixed: [Double] = []
        for _ in 0..<rounds {
            let (raw, batch, empty) = (url(), url(), url())
            defer { [raw, batch, empty].forEach(remove) }
            _ = try batchInsert(raw, .objects)
            _ = try batchInsert(batch, .objects)
            let connection = try RawConnection(raw)
            let rawUpdate = try time(
                connection, "UPDATE ZRECORD SET ZVALUE3 = ZVALUE3 + 1, Z_OPT = Z_OPT + 1 WHERE ZVALUE2 > -100")
            let context = try CoreDataStack.context(
                at: batch, className: Self.className, options: [NSPersistentHistoryTrackingKey: tracks as NSNumber])
            update.add(rawUpdate, try batchUpdate(context, expected: count))
            let rawDelete = try time(connection, "DELETE FROM ZRECORD WHERE ZVALUE2 > -100")
            delete.add(rawDelete, try batchDelete(context))
            try close(context)
            let none = try CoreDataStack.context(at: empty, className: Self.className)
            _ = try batchUpdate(none, expected: 0)
            fixed.append(try batchUpdate(none, expected: 0).wall)
            try close(none)
        }
        print(update.line)
        print(delete.line)
        print(String(format: "  an update of no rows: %.3f ms", (fixed.min() ?? 0) * 1000))
    }

    private func time(_ connection: RawConnection, _ sql: String) throws -> PairedTimes.Time {
        try PairedTimes.Time.measure {
            try connection.execute("BEGIN IMMEDIATE")
            try connection.execute(sql)
            try connection.execute("COMMIT")
        }
    }

    private func batchUpdate(_ context: NSManagedObjectContext, expected: Int) throws -> PairedTimes.Time {
        let request = NSBatchUpdateRequest(entityName: "Record")
        request.predicate = NSPredicate(format: "value2 > -100")
        request.propertiesToUpdate = ["value3": NSExpression(format: "value3 + 1")]
        request.resultType = .updatedObjectsCountResultType
        return try context.performAndWait {
            var result: Any?
            let time = try PairedTimes.Time.measure {
                result = (try context.execute(request) as? NSBatchUpdateResult)?.result
            }
            if expected > 0 { try check(result, "update") }
            return time
        }
    }

    private func batchDelete(_ context: NSManagedObjectContext) throws -> PairedTimes.Time {
        let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Record")
        fetch.predicate = NSPredicate(format: "value2 > -100")
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeCount
        return try context.performAndWait {
            var result: Any?
            let time = try PairedTimes.Time.measure {
                result = (try context.execute(request) as? NSBatchDeleteResult)?.result
            }
            try check(result, "delete")
            return time
        }
    }

    // MARK: Files

    private func check(_ result: Any?, _ request: String) throws {
        guard let number = result as? NSNumber, number.intValue == count else {
            throw BenchmarkError("the batch \(request) answers \(result ?? "nil") instead of \(count)")
        }
    }

    private func url() -> URL { folder.appendingPathComponent("\(UUID().uuidString).sqlite") }

    private func remove(_ url: URL) {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    }

    private func close(_ context: NSManagedObjectContext) throws {
        guard let coordinator = context.persistentStoreCoordinator else { return }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
}
