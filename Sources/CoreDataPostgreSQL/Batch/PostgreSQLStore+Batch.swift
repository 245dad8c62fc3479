extension PostgreSQLStore: BatchStore {
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
            result.predicate = NSPredicate(format: "SELF IN %@", try evaluated(query).map(\.objectID))
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
        let (log, transaction) = try converting(open) {
            try withSession(open) { session -> (BatchRowLog, Int64?) in
                let engine = PostgreSQLSaveEngine(session, open)
                var run: PostgreSQLBatchRun?
                var transaction: Int64?
                try engine.withTransaction {
                    // The requests use the connection themselves.
                    try engine.begin()
                    let current = PostgreSQLBatchRun(
                        session, open, engine, history: BatchHistory(origin, engine),
                        log: BatchRowLog(wantsReferences: batch.wantsReferences))
                    run = current
                    switch batch {
                    case .insert(let insertion): try PostgreSQLBatchInsert(insertion, current).execute()
                    case .update(let update): try PostgreSQLBatchUpdate(update, current).execute()
                    case .delete(let deletion): try SQLBatchDelete(deletion, current).execute()
                    }
                    transaction = try current.history?.finish()
                    engine.markFinal()
                    try beforeCommit()
                }
                return (run?.log ?? BatchRowLog(wantsReferences: false), transaction)
            }
        }
        for root in log.roots { rowCache.evictAll(root: root) }
        open.notifier.didCommit(transaction ?? 0)
        return log
    }
}

extension PostgreSQLStore {
    /// Runs a block that writes, and converts its failures into Core Data's errors.
    fileprivate func converting<Result>(_ open: OpenStore, _ body: () throws -> Result) throws -> Result {
        try PostgreSQLStoreErrors.converting(open.location.publicURL, .writing) {
            do {
                return try body()
            } catch is StoreWasMigrated {
                throw migratedError()
            } catch let failure as PostgreSQLFailure where failure.concernsTables {
                try checkModel()
                throw failure
            }
        }
    }
}

extension StoreBatch {
    fileprivate var wantsReferences: Bool {
        switch self {
        case .insert(let insertion): insertion.wantsReferences
        case .update(let update): update.wantsReferences
        case .delete(let deletion): deletion.wantsReferences
        }
    }
}

/// The execution of one batch request on one connection.
final class PostgreSQLBatchRun: SQLBatchRun {
    let session: PostgreSQLSession
    let open: PostgreSQLStore.OpenStore
    let engine: PostgreSQLSaveEngine
    let derived: DerivedRowValues
    let history: BatchHistory?
    var log: BatchRowLog

    /// The number of keys in one list.
    static let keyCount = 50_000

    init(
        _ session: PostgreSQLSession, _ open: PostgreSQLStore.OpenStore, _ engine: PostgreSQLSaveEngine,
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

    func run(_ statement: SQLBatchStatement) throws -> Int {
        try execute(statement.text, PostgreSQLParameters(statement.bindings)).affectedRows
    }

    @discardableResult
    func run(_ text: String, _ keys: [Int64]) throws -> Int {
        var count = 0
        try forEachPart(of: keys) { part in
            var parameters = PostgreSQLParameters()
            parameters.append(keys: part)
            count += try execute(text, parameters).affectedRows
        }
        return count
    }

    func readKeys(_ text: String, _ keys: [Int64], column: Int32, _ body: (Int64, Int64?) throws -> Void) throws {
        let column = Int(column)
        try forEachPart(of: keys) { part in
            let result = try session.execute(text, [.keys(part)])
            for index in 0..<result.rowCount where !result[index].isNull(column) {
                let row = result[index]
                let hasEntity = column + 1 < row.columnCount && !row.isNull(column + 1)
                try body(row.int64(column), hasEntity ? row.int64(column + 1) : nil)
            }
        }
    }

    private func forEachPart(of keys: [Int64], _ body: ([Int64]) throws -> Void) rethrows {
        var rest = keys[...]
        while !rest.isEmpty {
            try body(Array(rest.prefix(Self.keyCount)))
            rest = rest.dropFirst(Self.keyCount)
        }
    }

    // MARK: Queries

    func references(_ query: StoreQuery) throws -> [ObjectReference] {
        let statement = try session.statement(query, selecting: .identifiers)
        let result = try session.execute(statement.text, statement.bindings)
        return (0..<result.rowCount).map {
            session.reference(result[$0].int64(0), entity: result[$0].int64(1), declared: query.layout)
        }
    }

    func forEachList(_ query: StoreQuery, _ body: (EntityLayout, [Int64]) throws -> Void) throws {
        // A connection can't run another statement while it returns rows, so that a cursor gives them in parts.
        let statement = try session.statement(query, selecting: .identifiers)
        let cursor = "z_batch"
        _ = try session.execute("DECLARE \(cursor) NO SCROLL CURSOR FOR \(statement.text)", statement.bindings)
        while true {
            let result = try session.execute("FETCH FORWARD \(Self.keyCount) FROM \(cursor)")
            let rows = (0..<result.rowCount).map {
                session.reference(result[$0].int64(0), entity: result[$0].int64(1), declared: query.layout)
            }
            for (layout, keys) in keysByLayout(rows) { try body(layout, keys) }
            if rows.count < Self.keyCount { break }
        }
        try session.connection.executeScript("CLOSE \(cursor)")
    }

    // MARK: Rows

    func willDelete(_ plan: RowWritePlan, _ keys: [Int64]) throws {}

    func recordRowsChangedByTriggers(isRecorded: (ObjectReference) -> Bool) throws {
        let rows = engine.rowsChangedByTriggers()
        guard !rows.isEmpty else { return }
        for row in rows { log.touch(layouts[row.layout]) }
        try history?.recordDerivations(rows.filter { !isRecorded($0) })
        session.forgetDerivedRows()
    }

    /// Computes the derived attributes of rows again that no trigger maintains, and writes them.
    func deriveAgain(_ layout: EntityLayout, _ keys: [Int64]) throws {
        let computed = try computedProperties(layout)
        guard !computed.isEmpty else { return }
        let plan = try plans.writePlan(layout)
        let columns = plan.columns.filter { column in computed.contains { $0.cell == column.cell } }
        let rowPlan = try plans.rowPlan(layout, includesSubentities: true)
        let text = try plans.rowListStatement(rowPlan).text
        let values = BatchCells(layout)
        var rest = keys[...]
        while !rest.isEmpty {
            let result = try session.execute(text, [.keys(Array(rest.prefix(1000)))])
            rest = rest.dropFirst(1000)
            var list = rowPlan.makeList(expected: result.rowCount)
            let reader = session.reader(rowPlan)
            for index in 0..<result.rowCount { try reader.append(result[index], to: &list) }
            var arrays = PostgreSQLRowArrays(columns, mapping: plans.mapping, capacity: result.rowCount)
            for buffer in list.buffers {
                for index in 0..<buffer.count {
                    try derived.write(computed, of: layout, buffer[index].cells, to: values.cells)
                    try arrays.append(key: buffer[index].primaryKey, version: 0, values.cells, nil)
                }
            }
            let rows = arrays.text
            let assignments = rows.names.enumerated().map { "\($1) = v.c\($0 + 3)" }.joined(separator: ", ")
            _ = try execute(
                """
                UPDATE \(session.dialect.table(plan.entity.tableName)) AS t SET \(assignments) FROM \(rows.source) \
                WHERE t.Z_PK = v.c1
                """, arrays.parameters)
        }
    }
}
