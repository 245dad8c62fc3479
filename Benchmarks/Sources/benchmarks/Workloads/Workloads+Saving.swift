import CoreData
import GRDB
import SystemSQLite

/// Inserting objects.
extension Workloads {
    static var saving: [Workload] { [insert, insertMixed] }

    private static var insert: Workload {
        Workload(
            name: "insert", title: "insert # objects of 10 integers and save", rows: 50_000, checkedRows: 1000,
            group: .saving,
            arms: [
                Arm(Arm.raw) { stage, rows in
                    let connection = try RawConnection(try ReadingValues.emptyStore(stage))
                    return Measured {
                        try insertReadings(connection, rows)
                        return Outcome(Int64(rows))
                    }
                },
                Arm(Arm.oneStatement) { stage, rows in
                    let connection = try RawConnection(try ReadingValues.emptyStore(stage))
                    return Measured {
                        try insertReadingsAtOnce(connection, rows)
                        return Outcome(Int64(rows))
                    }
                },
                Arm(Arm.own) { stage, rows in
                    let stack = try StoreStack(try ReadingValues.emptyStore(stage))
                    return Measured(stack) { context in
                        for row in 0..<rows { Reading(context: context).setAll(row: row) }
                        try context.save()
                        return Outcome(Int64(rows))
                    }
                },
                Arm("OpenCoreData, setValue(_:forKey:)") { stage, rows in
                    let stack = try StoreStack(try ReadingValues.emptyStore(stage))
                    return Measured(stack) { context in
                        for row in 0..<rows {
                            let object = NSEntityDescription.insertNewObject(forEntityName: "Reading", into: context)
                            for (column, key) in ReadingValues.keys.enumerated() {
                                object.setValue(ReadingValues.value(row: row, column: column), forKey: key)
                            }
                        }
                        try context.save()
                        return Outcome(Int64(rows))
                    }
                },
                Arm(Arm.structs) { stage, rows in
                    let queue = try GRDBDatabase.queue(try ReadingValues.emptyStore(stage))
                    let entity = try GRDBDatabase.entity("Reading", queue)
                    return Measured {
                        try queue.write { database in
                            for row in 0..<rows { try GRDBReadingStruct(entity: entity, row: row).insert(database) }
                        }
                        return Outcome(Int64(rows))
                    }
                },
                Arm(Arm.records) { stage, rows in
                    let queue = try GRDBDatabase.queue(try ReadingValues.emptyStore(stage))
                    let entity = try GRDBDatabase.entity("Reading", queue)
                    return Measured {
                        try queue.write { database in
                            for row in 0..<rows { try GRDBReadingRecord(entity: entity, row: row).insert(database) }
                        }
                        return Outcome(Int64(rows))
                    }
                },
                .sqlalchemy("insert") { stage, _ in try ReadingValues.emptyStore(stage) },
            ],
            targets: [.ratio(atMost: 1.8)])
    }

    /// Inserts rows with their keys, entity and version, as a store does, in one transaction.
    static func insertReadings(_ connection: RawConnection, _ rows: Int) throws {
        let entity = try connection.entity("Reading")
        let columns = ReadingValues.columns.joined(separator: ", ")
        try connection.transaction {
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows) WHERE Z_ENT = \(entity)")
            let sql = "INSERT INTO ZREADING(Z_PK, Z_ENT, Z_OPT, \(columns)) VALUES (?, ?, 1\(marks(10)))"
            try connection.with(sql) { statement in
                for row in 0..<rows {
                    sqlite3_bind_int64(statement, 1, Int64(row + 1))
                    sqlite3_bind_int64(statement, 2, entity)
                    for column in 0..<ReadingValues.columnCount {
                        sqlite3_bind_int64(statement, Int32(column + 3), ReadingValues.value(row: row, column: column))
                    }
                    try connection.finish(statement)
                }
            }
        }
    }

    /// Inserts the same rows by one statement, from a virtual table over their values.
    private static func insertReadingsAtOnce(_ connection: RawConnection, _ rows: Int) throws {
        let entity = try connection.entity("Reading")
        let columns = ReadingValues.columns.joined(separator: ", ")
        var cells: [Int64] = []
        cells.reserveCapacity(rows * (ReadingValues.columnCount + 3))
        for row in 0..<rows {
            for value in [Int64(row + 1), entity, 1] { cells.append(value) }
            for column in 0..<ReadingValues.columnCount { cells.append(ReadingValues.value(row: row, column: column)) }
        }
        try connection.withRows(cells, width: ReadingValues.columnCount + 3) {
            try connection.transaction {
                try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows) WHERE Z_ENT = \(entity)")
                try connection.execute(
                    "INSERT OR FAIL INTO ZREADING(Z_PK, Z_ENT, Z_OPT, \(columns)) SELECT * FROM integer_rows")
            }
        }
    }

    static func marks(_ count: Int) -> String { String(repeating: ", ?", count: count) }

    private static var insertMixed: Workload {
        Workload(
            name: "insert-mixed", title: "insert # objects of 10 mixed attributes with a to-one each and save",
            rows: 50_000, checkedRows: 500, group: .saving,
            arms: [
                Arm(Arm.raw) { stage, rows in
                    let connection = try RawConnection(try stage.copy(try ArticleValues.writersFixture(stage)))
                    let values = ArticleValues.rows(rows)
                    return Measured {
                        try insertArticles(connection, values)
                        return Outcome(Int64(rows))
                    }
                },
                Arm(Arm.own) { stage, rows in
                    let stack = try StoreStack(try stage.copy(try ArticleValues.writersFixture(stage)))
                    let values = ArticleValues.rows(rows)
                    let writers = try stack.objects(Writer.self)
                    return Measured(stack) { context in
                        for row in 0..<rows {
                            let article = Article(context: context)
                            article.setAll(values[row])
                            article.writer = writers[row % writers.count]
                        }
                        try context.save()
                        return Outcome(Int64(rows))
                    }
                },
                Arm(Arm.structs) { stage, rows in
                    let queue = try GRDBDatabase.queue(try stage.copy(try ArticleValues.writersFixture(stage)))
                    let entity = try GRDBDatabase.entity("Article", queue)
                    let values = ArticleValues.rows(rows)
                    return Measured {
                        try queue.write { database in
                            for row in 0..<rows {
                                let writer = Int64(row % ArticleValues.writers + 1)
                                try GRDBArticle(entity: entity, key: Int64(row + 1), values[row], writer: writer)
                                    .insert(database)
                            }
                        }
                        return Outcome(Int64(rows))
                    }
                },
            ],
            targets: [.ratio(atMost: 2.2)])
    }

    private static func insertArticles(_ connection: RawConnection, _ values: [ArticleValues]) throws {
        let entity = try connection.entity("Article")
        let columns = ArticleValues.columns.joined(separator: ", ")
        try connection.transaction {
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(values.count) WHERE Z_ENT = \(entity)")
            let sql = "INSERT INTO ZARTICLE(Z_PK, Z_ENT, Z_OPT, ZWRITER, \(columns)) VALUES (?, ?, 1\(marks(11)))"
            try connection.with(sql) { statement in
                for (row, values) in values.enumerated() {
                    sqlite3_bind_int64(statement, 1, Int64(row + 1))
                    sqlite3_bind_int64(statement, 2, entity)
                    sqlite3_bind_int64(statement, 3, Int64(row % ArticleValues.writers + 1))
                    values.bind(statement, at: 4)
                    try connection.finish(statement)
                }
            }
        }
    }
}
