import CoreData
import GRDB
import SystemSQLite

/// Updating and deleting objects.
extension Workloads {
    static var changing: [Workload] { [update, deleteCascade] }

    private static func copyOfReadings(_ stage: Stage, _ rows: Int) throws -> URL {
        try stage.copy(try ReadingValues.fixture(stage, rows))
    }

    private static var update: Workload {
        Workload(
            name: "update", title: "change one attribute of # fetched objects and save", rows: 50_000,
            checkedRows: 1000, group: .saving,
            arms: [
                Arm(Arm.raw) { stage, rows in
                    let connection = try RawConnection(try copyOfReadings(stage, rows))
                    let values = (0..<rows).map { ReadingValues.value(row: $0, column: 3) }
                    return Measured {
                        let sql = "UPDATE ZREADING SET Z_OPT = ?, ZVALUE3 = ? WHERE Z_PK = ? AND Z_OPT = ?"
                        try connection.transaction {
                            try connection.with(sql) { statement in
                                for (row, value) in values.enumerated() {
                                    sqlite3_bind_int64(statement, 1, 2)
                                    sqlite3_bind_int64(statement, 2, value + 1)
                                    sqlite3_bind_int64(statement, 3, Int64(row + 1))
                                    sqlite3_bind_int64(statement, 4, 1)
                                    try connection.finish(statement)
                                }
                            }
                        }
                        return Outcome(Int64(rows))
                    }
                },
                Arm(Arm.oneStatement) { stage, rows in
                    let connection = try RawConnection(try copyOfReadings(stage, rows))
                    let values = (0..<rows).map { ReadingValues.value(row: $0, column: 3) }
                    return Measured {
                        var cells: [Int64] = []
                        cells.reserveCapacity(3 * rows)
                        for (row, value) in values.enumerated() { cells += [Int64(row + 1), 1, value + 1] }
                        try connection.withRows(cells, width: 3) {
                            try connection.transaction {
                                try connection.execute(
                                    "UPDATE OR FAIL ZREADING SET Z_OPT = c1 + 1, ZVALUE3 = c2 FROM integer_rows "
                                        + "WHERE Z_PK = c0 AND Z_OPT = c1")
                                guard sqlite3_changes(connection.handle) == rows else { throw connection.failure() }
                            }
                        }
                        return Outcome(Int64(rows))
                    }
                },
                Arm(Arm.own) { stage, rows in
                    let stack = try StoreStack(try copyOfReadings(stage, rows))
                    let objects = try stack.objects(Reading.self)
                    return Measured(stack) { context in
                        for object in objects { object.value3 += 1 }
                        try context.save()
                        return Outcome(Int64(rows))
                    }
                },
                Arm(Arm.structs) { stage, rows in
                    let queue = try GRDBDatabase.queue(try copyOfReadings(stage, rows))
                    let readings = try queue.read { try GRDBReadingStruct.fetchAll($0, sql: ReadingValues.select) }
                    return Measured {
                        try queue.write { database in
                            for var reading in readings {
                                reading.value3 += 1
                                try reading.update(database, columns: ["ZVALUE3"])
                            }
                        }
                        return Outcome(Int64(rows))
                    }
                },
                Arm(Arm.records) { stage, rows in
                    let queue = try GRDBDatabase.queue(try copyOfReadings(stage, rows))
                    let readings = try queue.read { try GRDBReadingRecord.fetchAll($0, sql: ReadingValues.select) }
                    return Measured {
                        try queue.write { database in
                            for reading in readings {
                                reading.value3 += 1
                                try reading.update(database, columns: ["ZVALUE3"])
                            }
                        }
                        return Outcome(Int64(rows))
                    }
                },
                .sqlalchemy("update", file: copyOfReadings),
            ],
            targets: [.ratio(atMost: 2.5)])
    }

    // MARK: Deleting

    private static func folders(_ stage: Stage, _ rows: Int) throws -> URL {
        try stage.copy(
            try stage.fixture("folders-\(rows)") { url in
                try StoreStack.fill(url, rows: rows) { context, row in
                    let folder = Folder(context: context)
                    folder.number = Int64(row)
                    for number in 0..<2 {
                        let document = Document(context: context)
                        document.number = Int64(number)
                        document.folder = folder
                    }
                }
            })
    }

    private static var deleteCascade: Workload {
        Workload(
            name: "delete-cascade", title: "delete # fetched objects with a cascade to two each and save",
            rows: 50_000, checkedRows: 500, group: .saving,
            arms: [
                Arm(Arm.raw) { stage, rows in
                    let connection = try RawConnection(try folders(stage, rows))
                    return Measured {
                        try deleteFolders(connection, rows)
                        return Outcome(Int64(rows))
                    }
                },
                Arm(Arm.own) { stage, rows in
                    let stack = try StoreStack(try folders(stage, rows))
                    let objects = try stack.objects(Folder.self)
                    return Measured(stack) { context in
                        for object in objects { context.delete(object) }
                        try context.save()
                        return Outcome(Int64(rows))
                    }
                },
                Arm("GRDB requests") { stage, rows in
                    let queue = try GRDBDatabase.queue(try folders(stage, rows))
                    return Measured {
                        try queue.write { database in
                            for key in 1...Int64(rows) {
                                try Table("ZDOCUMENT").filter(Column("ZFOLDER") == key).deleteAll(database)
                                try Table("ZFOLDER").filter(Column("Z_PK") == key).deleteAll(database)
                            }
                        }
                        return Outcome(Int64(rows))
                    }
                },
                .sqlalchemy("delete-cascade", file: folders),
            ],
            targets: [.ratio(atMost: 2)])
    }

    /// Finds the documents of each folder, and deletes row by row, if no other process changed the row.
    private static func deleteFolders(_ connection: RawConnection, _ rows: Int) throws {
        try connection.transaction {
            let find = try connection.prepare("SELECT Z_PK, Z_OPT FROM ZDOCUMENT WHERE ZFOLDER = ?")
            let document = try connection.prepare("DELETE FROM ZDOCUMENT WHERE Z_PK = ? AND Z_OPT = ?")
            let folder = try connection.prepare("DELETE FROM ZFOLDER WHERE Z_PK = ? AND Z_OPT = ?")
            defer { for statement in [find, document, folder] { sqlite3_finalize(statement) } }
            var documents: [(Int64, Int64)] = []
            for key in 1...Int64(rows) {
                sqlite3_bind_int64(find, 1, key)
                while sqlite3_step(find) == SQLITE_ROW {
                    documents.append((sqlite3_column_int64(find, 0), sqlite3_column_int64(find, 1)))
                }
                sqlite3_reset(find)
                for (key, version) in documents {
                    sqlite3_bind_int64(document, 1, key)
                    sqlite3_bind_int64(document, 2, version)
                    try connection.finish(document)
                }
                documents.removeAll(keepingCapacity: true)
                sqlite3_bind_int64(folder, 1, key)
                sqlite3_bind_int64(folder, 2, 1)
                try connection.finish(folder)
            }
        }
    }
}
