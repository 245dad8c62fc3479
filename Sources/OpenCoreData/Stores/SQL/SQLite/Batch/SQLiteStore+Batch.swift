import CoreDataPredicates

extension SQLiteStore: BatchStore {
    func execute(_ batch: StoreBatch, origin: ChangeOrigin, beforeCommit: () throws -> Void) throws -> BatchRowLog {
        try withOpen { open in
            let run = SQLiteBatchRun(open, identity: identity, origin: origin, wantsReferences: batch.wantsReferences)
            try run.engine.withTransaction {
                switch batch {
                case .insert(let insertion): try SQLiteBatchInsert(insertion, run).execute()
                case .update(let update): try SQLiteBatchUpdate(update, run).execute()
                case .delete(let deletion): try SQLBatchDelete(deletion, run).execute()
                }
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

extension StoreBatch {
    fileprivate var wantsReferences: Bool {
        switch self {
        case .insert(let insertion): insertion.wantsReferences
        case .update(let update): update.wantsReferences
        case .delete(let deletion): deletion.wantsReferences
        }
    }
}

/// The execution of one batch request on the connection of an open SQLite store.
final class SQLiteBatchRun: SQLBatchRun {
    let open: SQLiteStore.OpenStore
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

    /// The number of keys that one run of a statement binds.
    static let keyCount = 8192

    init(_ open: SQLiteStore.OpenStore, identity: StoreIdentity, origin: ChangeOrigin, wantsReferences: Bool) {
        self.open = open
        self.identity = identity
        engine = SQLiteSaveEngine(open)
        connection = open.connection
        history = BatchHistory(origin, engine)
        derived = DerivedRowValues(engine)
        log = BatchRowLog(wantsReferences: wantsReferences)
    }

    /// Records that triggers have changed derived attributes of rows, and forgets which rows.
    ///
    /// - Parameter isRecorded: whether the history has a row already, or the row is deleted.
    func recordRowsChangedByTriggers(isRecorded: (ObjectReference) -> Bool) throws {
        guard !connection.affectedRows.isEmpty else { return }
        let rows = engine.rowsChangedByTriggers()
        for row in rows { log.touch(open.layouts[row.layout]) }
        try history?.recordDerivations(rows.filter { !isRecorded($0) })
        connection.affectedRows.removeAll(keepingCapacity: true)
    }

    // MARK: Lists of keys

    /// Runs a statement whose parameters are all the same list of keys, for all keys.
    ///
    /// - Returns: the number of changed rows.
    @discardableResult
    func run(_ text: String, _ keys: [Int64]) throws -> Int {
        var count = 0
        try forEachList(keys) { list in
            try statement(text, list).run()
            count += connection.changedRowCount
        }
        return count
    }

    func readKeys(_ text: String, _ keys: [Int64], column: Int32, _ body: (Int64, Int64?) throws -> Void) throws {
        try forEachList(keys) { list in
            let statement = try statement(text, list)
            defer { statement.reset() }
            while try statement.step() {
                if statement.isNull(at: column) { continue }
                let hasEntity = column + 1 < statement.columnCount && !statement.isNull(at: column + 1)
                try body(statement.int64(at: column), hasEntity ? statement.int64(at: column + 1) : nil)
            }
        }
    }

    func run(_ batch: SQLBatchStatement) throws -> Int {
        let statement = try connection.statement(batch.text)
        try statement.bind(batch.bindings)
        try statement.run()
        return connection.changedRowCount
    }

    func willDelete(_ plan: RowWritePlan, _ keys: [Int64]) throws {
        try engine.recordUnusedFiles(plan.externalColumns, plan, keys)
    }

    private func statement(_ text: String, _ list: SQLValue) throws -> SQLiteStatement {
        let statement = try connection.statement(text)
        for parameter in 0..<statement.parameterCount { try statement.bind(list, at: Int32(parameter + 1)) }
        return statement
    }

    private func forEachList(_ keys: [Int64], _ body: (SQLValue) throws -> Void) rethrows {
        var rest = keys[...]
        while !rest.isEmpty {
            try body(SQLiteDialect().list(ofKeys: Array(rest.prefix(Self.keyCount))))
            rest = rest.dropFirst(Self.keyCount)
        }
    }

    // MARK: Queries

    /// The rows of a query.
    func references(_ query: StoreQuery) throws -> [ObjectReference] {
        try open.references(
            try open.statement(query, selecting: .identifiers).statement, declared: query.layout)
    }

    /// Calls a block for the rows of a query, grouped by entity, with bounded lists of keys.
    func forEachList(_ query: StoreQuery, _ body: (EntityLayout, [Int64]) throws -> Void) throws {
        var rows: [ObjectReference] = []
        rows.reserveCapacity(Self.keyCount)
        func flush() throws {
            for (layout, keys) in keysByLayout(rows) { try body(layout, keys) }
            rows.removeAll(keepingCapacity: true)
        }
        let statement = try open.statement(query, selecting: .identifiers).statement
        try open.forEachReference(statement, declared: query.layout) { row in
            rows.append(row)
            if rows.count == Self.keyCount { try flush() }
        }
        try flush()
    }

    // MARK: Derived attributes

    /// Computes the derived attributes of rows again, and writes them.
    func deriveAgain(_ layout: EntityLayout, _ keys: [Int64]) throws {
        let computed = try computedProperties(layout)
        guard !computed.isEmpty else { return }
        let plan = try open.plans.writePlan(layout)
        let columns = plan.columns.filter { column in computed.contains { $0.cell == column.cell } }
        let text = plan.statements.update(
            plan.entity.tableName, columns.map { .parameter($0.name) }, where: ["Z_PK"])
        let binder = SQLiteCellBinder(engine: engine, keys: nil)
        let values = BatchCells(layout)
        var rest = keys[...]
        while !rest.isEmpty {
            let rows = try open.rows(layout, keys: Array(rest.prefix(256)))
            rest = rest.dropFirst(256)
            for buffer in rows.buffers {
                for index in 0..<buffer.count {
                    let row = buffer[index]
                    try derived.write(computed, of: layout, row.cells, to: values.cells)
                    let statement = try connection.statement(text)
                    var parameter: Int32 = 1
                    for column in columns {
                        parameter = try binder.bind(column, values.cells, to: statement, at: parameter)
                    }
                    try statement.bind(row.primaryKey, at: parameter)
                    try statement.run()
                }
            }
        }
    }
}
