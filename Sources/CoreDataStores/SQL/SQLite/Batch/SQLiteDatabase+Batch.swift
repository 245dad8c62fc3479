// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension SQLiteDatabase {
    package func execute(_ batch: StoreBatch, origin: ChangeOrigin, beforeCommit: () throws -> Void) throws
        -> BatchRowLog
    {
        try withOpen { open in
            let run = SQLiteBatchRun(open, identity: identity, origin: origin, wantsReferences: batch.wantsReferences)
            try run.engine.withTransaction {
                try run.execute(batch)
                try run.history?.finish()
                try run.engine.externalFiles.prepareForCommit()
                try beforeCommit()
            }
            open.generations.didCommit(
                removing: run.engine.externalFiles.unused, recordedIn: run.engine.externalFiles.journal)
            for root in run.log.roots { rowCache.evictAll(root: root) }
            return run.log
        }
    }
}

/// The execution of one batch request on the connection of an open SQLite store.
final class SQLiteBatchRun: SQLBatchRun {
    let open: SQLiteSession
    let identity: StoreIdentity
    let engine: SQLiteSaveEngine
    let connection: SQLiteConnection
    /// Nil if the store doesn't record its history.
    let history: BatchHistory?
    let derived: DerivedRowValues
    var log: BatchRowLog
    let dialect: any SQLDialect = SQLiteDialect()
    var plans: SQLPlans { open.plans }
    var layouts: ModelLayout { open.layouts }
    var translator: SQLQueryTranslator { open.translator }

    var keyLimit: Int { Self.keyLimit }
    var storesFiles: Bool { true }

    static let keyLimit = 8192

    init(_ open: SQLiteSession, identity: StoreIdentity, origin: ChangeOrigin, wantsReferences: Bool) {
        self.open = open
        self.identity = identity
        engine = SQLiteSaveEngine(open)
        connection = open.connection
        history = BatchHistory(origin, engine)
        derived = DerivedRowValues(engine)
        log = BatchRowLog(wantsReferences: wantsReferences)
    }

    func insert(_ insertion: BatchInsertion) throws { try SQLiteBatchInsert(insertion, self).execute() }

    // MARK: Statements

    func execute(_ batch: SQLBatchStatement, _ constants: SQLBatchConstants?, keys: [Int64]?) throws -> Int {
        let statement = try connection.statement(batch.text)
        try statement.bind(batch.bindings)
        if let constants {
            let binder = SQLiteCellBinder(engine: engine, keys: nil)
            var parameters = batch.constants[...]
            for column in constants.columns {
                guard let parameter = parameters.first else { break }
                let next = try binder.bind(column, constants.row.cells, to: statement, at: parameter)
                parameters = parameters.dropFirst(Int(next - parameter))
            }
        }
        if let keys { try statement.bind(SQLiteDialect().list(ofKeys: keys), at: batch.keyListParameter) }
        try statement.run()
        return connection.changedRowCount
    }

    func execute(_ text: String, keys: [Int64]) throws -> Int {
        try statement(text, keys).run()
        return connection.changedRowCount
    }

    func readKeys(_ text: String, keys: [Int64], column: Int32, _ body: (Int64, Int64?) throws -> Void) throws {
        let statement = try statement(text, keys)
        defer { statement.reset() }
        while try statement.step() {
            if statement.isNull(at: column) { continue }
            let hasEntity = column + 1 < statement.columnCount && !statement.isNull(at: column + 1)
            try body(statement.int64(at: column), hasEntity ? statement.int64(at: column + 1) : nil)
        }
    }

    private func statement(_ text: String, _ keys: [Int64]) throws -> SQLiteStatement {
        let statement = try connection.statement(text)
        let list = SQLiteDialect().list(ofKeys: keys)
        for parameter in 0..<statement.parameterCount { try statement.bind(list, at: Int32(parameter + 1)) }
        return statement
    }

    // MARK: Queries

    func references(_ query: StoreQuery) throws -> [ObjectReference] {
        try open.references(
            try open.statement(query, selecting: .identifiers).statement, declared: query.layout)
    }

    func forEachList(_ query: StoreQuery, _ body: (EntityLayout, [Int64]) throws -> Void) throws {
        var rows: [ObjectReference] = []
        rows.reserveCapacity(Self.keyLimit)
        func flush() throws {
            for (layout, keys) in keysByLayout(rows) { try body(layout, keys) }
            rows.removeAll(keepingCapacity: true)
        }
        let statement = try open.statement(query, selecting: .identifiers).statement
        try open.forEachReference(statement, declared: query.layout) { row in
            rows.append(row)
            if rows.count == Self.keyLimit { try flush() }
        }
        try flush()
    }

    // MARK: Rows

    func rows(_ layout: EntityLayout, keys: [Int64]) throws -> RowList { try open.rows(layout, keys: keys) }

    func write(
        _ columns: [RowWritePlan.Column], _ plan: RowWritePlan, of rows: RowList, _ values: (Row) throws -> Cells
    ) throws {
        let statement = try connection.statement(
            plan.statements.update(
                plan.entity.tableName, columns.map { .parameter($0.name) }, where: ["Z_PK"]))
        let binder = SQLiteCellBinder(engine: engine, keys: nil)
        for buffer in rows.buffers {
            for index in 0..<buffer.count {
                let cells = try values(buffer[index])
                var parameter: Int32 = 1
                for column in columns { parameter = try binder.bind(column, cells, to: statement, at: parameter) }
                try statement.bind(buffer[index].primaryKey, at: parameter)
                try statement.run()
            }
        }
    }

    func willReplaceFiles(of columns: [RowWritePlan.Column], _ plan: RowWritePlan, _ keys: [Int64]) throws {
        try engine.recordUnusedFiles(columns, plan, keys)
    }

    func takeRowsChangedByTriggers() -> [ObjectReference] {
        guard !connection.affectedRows.isEmpty else { return [] }
        defer { connection.affectedRows.removeAll(keepingCapacity: true) }
        return engine.rowsChangedByTriggers()
    }
}
