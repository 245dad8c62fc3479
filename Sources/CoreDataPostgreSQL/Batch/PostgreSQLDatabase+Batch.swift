// SPDX-License-Identifier: Apache-2.0

extension PostgreSQLDatabase: BatchDatabase {
    func execute(_ batch: StoreBatch, origin: ChangeOrigin, beforeCommit: () throws -> Void) throws -> BatchRowLog {
        do {
            return try run(batch, origin: origin, beforeCommit: beforeCommit)
        } catch is SQLUnavailable {
            // The rows are found in the process, and the request is for their keys.
            do {
                return try run(selecting(batch), origin: origin, beforeCommit: beforeCommit)
            } catch let gap as SQLUnavailable {
                throw SQLQueryError.unsupported(
                    "an expression of the request", because: "PostgreSQL has no \(gap.part)")
            }
        }
    }

    /// The request with the objects that its predicate selects in place of the predicate.
    private func selecting(_ batch: StoreBatch) throws -> StoreBatch {
        func selected(_ query: StoreQuery) throws -> StoreQuery {
            var result = StoreQuery(layout: query.layout)
            result.includesSubentities = query.includesSubentities
            let ids = try references(query).map {
                NSManagedObjectID(layout: query.layout.model[$0.layout], store: identity, key: $0.key)
            }
            result.predicate = NSPredicate(format: "SELF IN %@", ids)
            return result
        }
        switch batch {
        case .insert: return batch
        case .update(let update):
            return .update(
                BatchUpdate(
                    query: try selected(update.query), assignments: update.assignments, constants: update.constants,
                    wantsReferences: update.wantsReferences))
        case .delete(let deletion):
            return .delete(
                BatchDeletion(query: try selected(deletion.query), wantsReferences: deletion.wantsReferences))
        }
    }

    private func run(_ batch: StoreBatch, origin: ChangeOrigin, beforeCommit: () throws -> Void) throws -> BatchRowLog {
        let open = try requireOpen()
        let (log, transaction) = try writing(open) { session, attempt in
            try Self.engine(batch, session, open, attempt)
        } _: { session, engine -> (BatchRowLog, Int64?) in
            var run: PostgreSQLBatchRun?
            var transaction: Int64?
            do {
                try engine.withTransaction {
                    // The requests use the connection themselves.
                    try engine.begin()
                    let current = PostgreSQLBatchRun(
                        session, open, engine, history: BatchHistory(origin, engine),
                        log: BatchRowLog(wantsReferences: batch.wantsReferences))
                    run = current
                    try current.execute(batch)
                    transaction = try current.history?.finish()
                    engine.forbidRepetition()
                    try beforeCommit()
                }
            } catch let failure as PostgreSQLFailure {
                guard failure.sqlState == PostgreSQLFailure.State.undefinedFunction else { throw failure }
                throw SQLUnavailable(part: failure.message)
            }
            return (run?.log ?? BatchRowLog(wantsReferences: false), transaction)
        }
        for root in log.roots { rowCache.evictAll(root: root) }
        open.notifier.didCommit(transaction ?? 0)
        return log
    }

    /// The engine of an attempt.
    ///
    /// A request that selects rows and records them in the history finds the same rows in all its statements, and none
    /// of a transaction with a greater number. If it meets other transactions again and again, it keeps them from
    /// writing the table.
    private static func engine(
        _ batch: StoreBatch, _ session: PostgreSQLSession, _ open: OpenStore, _ attempt: Int
    ) throws -> PostgreSQLSaveEngine {
        let query: StoreQuery
        switch batch {
        case .insert:
            // The program gives the rows once.
            let engine = PostgreSQLSaveEngine(session, open)
            engine.forbidRepetition()
            return engine
        case .update(let update): query = update.query
        case .delete(let deletion): query = deletion.query
        }
        guard open.history != nil else { return PostgreSQLSaveEngine(session, open) }
        let locksTable = attempt > 2 && !session.dialect.cluster.isCluster
        return PostgreSQLSaveEngine(
            session, open, isolation: .repeatableRead,
            lockingTables: locksTable ? [try session.plans.entity(query.layout).tableName] : [])
    }
}

/// The execution of one batch request on one connection.
final class PostgreSQLBatchRun: SQLBatchRun {
    let session: PostgreSQLSession
    let open: PostgreSQLDatabase.OpenStore
    let engine: PostgreSQLSaveEngine
    let derived: DerivedRowValues
    let history: BatchHistory?
    var log: BatchRowLog

    var keyLimit: Int { Self.keyLimit }
    var storesFiles: Bool { false }

    private static let keyLimit = 50_000

    init(
        _ session: PostgreSQLSession, _ open: PostgreSQLDatabase.OpenStore, _ engine: PostgreSQLSaveEngine,
        history: BatchHistory?, log: BatchRowLog
    ) {
        self.session = session
        self.open = open
        self.engine = engine
        derived = DerivedRowValues(engine)
        self.history = history
        self.log = log
    }

    var plans: SQLPlans { session.plans }
    var layouts: ModelLayout { open.layouts }
    var translator: SQLQueryTranslator { session.translator }
    var dialect: any SQLDialect { session.dialect }

    // MARK: Statements

    func execute(_ text: String, _ parameters: PostgreSQLParameters) throws -> PostgreSQLResult {
        do {
            return try session.connection.execute(text, parameters)
        } catch let failure as PostgreSQLFailure where failure.isUniqueViolation {
            throw failure.storeError(url: session.url, operation: .writing)
        }
    }

    func execute(_ statement: SQLBatchStatement, _ constants: SQLBatchConstants?, keys: [Int64]?) throws -> Int {
        var values = PostgreSQLParameters()
        if let constants {
            for column in constants.columns {
                try PostgreSQLCellWriter.append(column, constants.row.cells, nil, plans.mapping, to: &values)
            }
        }
        var parameters = PostgreSQLParameters()
        var next = 0
        for (index, binding) in statement.bindings.enumerated() {
            if statement.constants.contains(Int32(index + 1)) {
                parameters.append(values, at: next)
                next += 1
            } else {
                parameters.append(statementValue: binding)
            }
        }
        if let keys { parameters.append(keys: keys) }
        return try execute(statement.text, parameters).affectedRows
    }

    func execute(_ text: String, keys: [Int64]) throws -> Int {
        try execute(text, PostgreSQLParameters([.keys(keys)])).affectedRows
    }

    func readKeys(_ text: String, keys: [Int64], column: Int32, _ body: (Int64, Int64?) throws -> Void) throws {
        let column = Int(column)
        let result = try session.execute(text, [.keys(keys)])
        for row in result where !row.isNull(column) {
            let hasEntity = column + 1 < row.columnCount && !row.isNull(column + 1)
            try body(row.int64(column), hasEntity ? row.int64(column + 1) : nil)
        }
    }

    func insert(_ insertion: BatchInsertion) throws { try PostgreSQLBatchInsert(insertion, self).execute() }

    // MARK: Queries

    func references(_ query: StoreQuery) throws -> [ObjectReference] {
        let statement = try session.statement(query, selecting: .identifiers)
        return try session.references(
            session.execute(statement.text, statement.bindings), declared: query.layout)
    }

    func forEachList(_ query: StoreQuery, _ body: (EntityLayout, [Int64]) throws -> Void) throws {
        // A connection can't run another statement while it returns rows, so that a cursor gives them in parts.
        let statement = try session.statement(query, selecting: .identifiers)
        let cursor = "z_batch"
        _ = try session.execute("DECLARE \(cursor) NO SCROLL CURSOR FOR \(statement.text)", statement.bindings)
        while true {
            let rows = try session.references(
                session.execute("FETCH FORWARD \(Self.keyLimit) FROM \(cursor)"), declared: query.layout)
            for (layout, keys) in keysByLayout(rows) { try body(layout, keys) }
            if rows.count < Self.keyLimit { break }
        }
        try session.connection.executeScript("CLOSE \(cursor)")
    }

    // MARK: Rows

    func rows(_ layout: EntityLayout, keys: [Int64]) throws -> RowList {
        let plan = try plans.rowPlan(layout, includesSubentities: true)
        let result = try session.execute(plans.rowListStatement(plan).text, [.keys(keys)])
        var list = plan.makeList(expected: result.rowCount)
        let reader = session.reader(plan)
        for row in result { try reader.append(row, to: &list) }
        return list
    }

    func write(
        _ columns: [RowWritePlan.Column], _ plan: RowWritePlan, of rows: RowList, _ values: (Row) throws -> Cells
    ) throws {
        var arrays = PostgreSQLRowArrays(columns, mapping: plans.mapping, capacity: rows.count)
        for buffer in rows.buffers {
            for index in 0..<buffer.count {
                try arrays.append(key: buffer[index].primaryKey, version: 0, values(buffer[index]), nil)
            }
        }
        let text = arrays.text
        let assignments = text.names.enumerated().map { "\($1) = v.c\($0 + 3)" }.joined(separator: ", ")
        _ = try execute(
            """
            UPDATE \(session.dialect.table(plan.entity.tableName)) AS t SET \(assignments) FROM \(text.source) \
            WHERE t.Z_PK = v.c1
            """, arrays.parameters)
    }

    func willReplaceFiles(of columns: [RowWritePlan.Column], _ plan: RowWritePlan, _ keys: [Int64]) throws {}

    func takeRowsChangedByTriggers() -> [ObjectReference] {
        defer { session.forgetDerivedRows() }
        return engine.rowsChangedByTriggers()
    }
}
