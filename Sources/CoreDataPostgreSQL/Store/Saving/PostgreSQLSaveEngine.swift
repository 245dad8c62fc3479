// SPDX-License-Identifier: Apache-2.0

/// Another process has migrated the store to a model that this one doesn't know, or replaced it. The store is closed
/// then.
struct StoreRefusesSaves: Error {}

/// Runs the row operations of one save on one connection. Each operation is one statement for up to 10,000 rows, or
/// for fewer rows that have much to write.
final class PostgreSQLSaveEngine: SQLSaveEngine {
    private static let rowsOfStatement = 10_000

    let session: PostgreSQLSession
    let open: PostgreSQLDatabase.OpenStore
    private let statementSize: Int
    /// Whether the transaction can be repeated: it was not committed, and no other store has been asked to commit.
    private(set) var isRepeatable = true

    private let isolation: PostgreSQLIsolation
    /// The tables that no other transaction may write during the save.
    private let lockedTables: [String]

    init(
        _ session: PostgreSQLSession, _ open: PostgreSQLDatabase.OpenStore,
        isolation: PostgreSQLIsolation = .readCommitted, lockingTables tables: [String] = []
    ) {
        self.session = session
        self.open = open
        self.isolation = isolation
        lockedTables = tables
        statementSize = open.limits.withLock { $0.statementSize }
    }

    var plans: SQLPlans { session.plans }
    private var dialect: PostgreSQLDialect { session.dialect }

    /// The number of the database's transaction; empty before it has begun.
    private var transaction = ""
    /// The number of the first of the store's transactions that began before this one and had not ended then.
    private var earlierTransaction: Int64?
    private var history: PostgreSQLHistoryTables?
    /// The recorder of the transaction, while it is open.
    private var recorder: PostgreSQLHistoryRecorder?
    /// One of the changes of the save; nil before the first one.
    private var trace: PostgreSQLSaveTrace?

    func historyRecorder(_ origin: ChangeOrigin) -> (any HistoryRecorder)? {
        recorder = history.map { tables in
            PostgreSQLHistoryRecorder(
                session, origin, tables, transaction: (Int64(transaction) ?? 0) + tables.offset,
                reserve: reserveNumbersOfChanges)
        }
        return recorder
    }

    /// The position from which a reader of the history misses no transaction: the number of the open transaction, or
    /// the number before the earliest transaction that still runs and may end later.
    func historyPosition(_ number: Int64?) -> Int64? {
        guard let number, let earlierTransaction, let history else { return number }
        return min(number, earlierTransaction + history.offset - 1)
    }

    /// Notes a change by which the transaction is recognized if its COMMIT isn't answered.
    func noteTrace(_ trace: PostgreSQLSaveTrace) { self.trace = trace }

    func forbidRepetition() { isRepeatable = false }

    // MARK: Transaction

    /// A transaction begins with its first statement, in one round trip. With a history it begins at once, since its
    /// number is recorded.
    func withTransaction(_ body: () throws -> Void) throws {
        session.forgetDerivedRows()
        transaction = ""
        trace = nil
        // The recorder keeps the engine.
        defer { recorder = nil }
        // Before the transaction: a statement that fails would end it.
        let run = session.serverRun
        history = try session.history(open)
        do {
            if open.history != nil { try begin() }
            try body()
            try begin()
        } catch {
            if session.connection.isUsable, session.connection.transactionStatus != .idle {
                try? session.connection.rollback()
            }
            throw error
        }
        isRepeatable = false
        do {
            try session.connection.commit()
        } catch let failure as PostgreSQLFailure where failure.isConnectionLost {
            let recorded = recorder?.recordedTransaction.map { PostgreSQLSaveTrace.transaction(number: $0) }
            let lost = PostgreSQLLostCommit(
                open: open, transaction: transaction, run: run, trace: recorded ?? trace)
            guard try lost.wasCommitted() else { throw failure }
        }
    }

    /// Begins the transaction, if no statement has begun it.
    func begin() throws {
        if transaction.isEmpty { _ = try begin(executing: nil) }
    }

    /// - Throws: `StoreRefusesSaves`, and the failure of the statement.
    private func begin(
        executing statement: (text: String, parameters: PostgreSQLParameters)?
    ) throws -> PostgreSQLResult? {
        let texts =
            lockedTables.isEmpty
            ? session.texts.beginning(isolation) { PostgreSQLTransactionTexts(open, dialect, isolation: isolation) }
            : PostgreSQLTransactionTexts(open, dialect, isolation: isolation, lockingTables: lockedTables)
        let beginning = try session.connection.beginTransaction(texts, then: statement)
        transaction = beginning.number
        earlierTransaction = beginning.earlierTransaction
        if beginning.condition == 0 { throw StoreRefusesSaves() }
        return try beginning.first?.get()
    }

    /// Runs a statement. A violated unique index becomes the error that a save resolves.
    private func execute(_ text: String, _ parameters: PostgreSQLParameters) throws -> PostgreSQLResult {
        do {
            if transaction.isEmpty, let result = try begin(executing: (text, parameters)) { return result }
            return try session.connection.execute(text, parameters)
        } catch let failure as PostgreSQLFailure where failure.isUniqueViolation {
            throw failure.storeError(url: session.url, operation: .writing)
        }
    }

    // MARK: Reading

    func row(_ layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        let plan = try plans.rowPlan(layout, includesSubentities: true)
        let result = try execute(plans.rowStatement(plan).text, PostgreSQLParameters([.integer(key)]))
        guard result.rowCount > 0 else { return nil }
        return try session.reader(plan).readRow(result[0])
    }

    func entityNumber(_ plan: RowWritePlan, key: Int64) throws -> Int64? {
        let result = try execute(plan.entityText, PostgreSQLParameters([.integer(key)]))
        return result.rowCount > 0 ? result[0].int64(0) : nil
    }

    func rows(_ lookup: UniqueRowLookup, _ cells: [Cells]) throws -> [RetainedRow?] {
        var arrays = PostgreSQLRowArrays(lookup.columns, mapping: plans.mapping, capacity: cells.count)
        for (index, cells) in cells.enumerated() { try arrays.append(key: Int64(index), version: 0, cells, nil) }
        let columns = (lookup.plan.selectedColumns.map { "t.\(SQLGenerator.identifier($0))" } + ["v.c1"])
            .joined(separator: ", ")
        let result = try execute(
            """
            SELECT \(columns) FROM \(arrays.text.source) \
            JOIN \(dialect.table(lookup.tableName)) AS t ON \(arrays.text.condition)
            """, arrays.parameters)
        var rows = [RetainedRow?](repeating: nil, count: cells.count)
        var list = lookup.plan.makeList()
        let reader = session.reader(lookup.plan)
        for row in result {
            rows[Int(row.int64(lookup.plan.selectedColumns.count))] = try reader.append(row, to: &list)
        }
        return rows
    }

    func positions(_ order: RelationshipWritePlan.Order, owners: [Int64]) throws -> [Int64: [Int64: Int64]] {
        var positions: [Int64: [Int64: Int64]] = [:]
        let result = try execute(order.readAllText, PostgreSQLParameters([.keys(owners)]))
        for row in result where !row.isNull(2) {
            positions[row.int64(0), default: [:]][row.int64(1)] = row.int64(2)
        }
        return positions
    }

    func positions(_ order: RelationshipWritePlan.Order, owner: Int64, members: [Int64]) throws -> [Int64: Int64] {
        var positions: [Int64: Int64] = [:]
        let result = try execute(
            order.readMemberText, PostgreSQLParameters([.integer(owner), .keys(members)]))
        for row in result where !row.isNull(1) { positions[row.int64(0)] = row.int64(1) }
        return positions
    }

    func rowsChangedByTriggers() -> [ObjectReference] {
        session.derivedRows.isEmpty ? [] : plans.mapping.references(of: session.derivedRows)
    }

    // MARK: Writing

    func check(_ check: VersionCheck) throws -> [StoreChanges.CheckedRow] {
        // The lock keeps other transactions from changing the rows before this transaction ends.
        let condition =
            check.rows.count == 1
            ? PostgreSQLRowText.rowCondition
            : "(t.Z_PK, t.Z_OPT) IN (SELECT * FROM unnest($1::bigint[], $2::integer[]))"
        let text = """
            SELECT t.Z_PK FROM \(dialect.table(check.plan.entity.tableName)) AS t \
            WHERE \(condition)\(check.plan.entityCondition) ORDER BY t.Z_PK FOR SHARE OF t
            """
        return try missing(check.rows, text, key: \.key, version: \.version)
    }

    func delete(_ deletion: RowDeletion) throws -> [StoreChanges.DeletedRow] {
        if let row = deletion.rows.first { trace = trace ?? .deleted(layout: row.layout, key: row.key) }
        let table = dialect.table(deletion.plan.entity.tableName)
        guard deletion.isVersioned else {
            _ = try execute(
                "DELETE FROM \(table) WHERE Z_PK = ANY($1::bigint[])\(deletion.plan.entityCondition)",
                keys(deletion.rows.map(\.key)))
            return []
        }
        let condition =
            deletion.rows.count == 1
            ? "WHERE \(PostgreSQLRowText.rowCondition)"
            : "USING unnest($1::bigint[], $2::integer[]) AS v(c1, c2) WHERE t.Z_PK = v.c1 AND t.Z_OPT = v.c2"
        let text = "DELETE FROM \(table) AS t \(condition)\(deletion.plan.entityCondition) RETURNING t.Z_PK"
        return try missing(deletion.rows, text, key: \.key, version: \.version)
    }

    /// Runs a statement with the keys and versions of rows: as arrays, or as plain parameters for a single row. The
    /// statement returns the keys of the rows that it has found.
    ///
    /// - Returns: the rows that the statement hasn't found.
    private func missing<Row>(
        _ rows: ArraySlice<Row>, _ text: String, key: KeyPath<Row, Int64>, version: KeyPath<Row, Int32>
    ) throws -> [Row] {
        var parameters = PostgreSQLParameters()
        if rows.count == 1, let row = rows.first {
            parameters.append(int64: row[keyPath: key])
            parameters.append(int32: row[keyPath: version])
            return missing(rows, in: try execute(text, parameters), key: key)
        }
        var keys = PostgreSQLArray(type: .int8, capacity: rows.count)
        var versions = PostgreSQLArray(type: .int4, capacity: rows.count)
        for row in rows {
            keys.append(int64: row[keyPath: key])
            versions.append(int32: row[keyPath: version])
        }
        parameters.append(array: keys)
        parameters.append(array: versions)
        return missing(rows, in: try execute(text, parameters), key: key)
    }

    /// The rows whose keys a result doesn't have in its first column.
    private func missing<Row>(
        _ rows: ArraySlice<Row>, in found: PostgreSQLResult, key: KeyPath<Row, Int64>
    ) -> [Row] {
        if found.rowCount == rows.count { return [] }
        let present = Set(found.map { $0.int64(0) })
        return rows.filter { !present.contains($0[keyPath: key]) }
    }

    private func keys(_ keys: [Int64]) -> PostgreSQLParameters {
        var parameters = PostgreSQLParameters()
        parameters.append(keys: keys)
        return parameters
    }

    func update(_ update: RowUpdate, _ keys: PermanentKeys) throws -> [StoreChanges.UpdatedRow] {
        if let row = update.rows.first {
            trace = .row(layout: row.layout, key: row.key, version: row.version &+ 1, cells: row.cells)
        }
        var missing: [StoreChanges.UpdatedRow] = []
        var rest = update.rows
        while let sample = rest.first {
            let isOfOneRow = rest.count == 1
            let text = session.texts.update(update, isOfOneRow: isOfOneRow) { self.text(update, sample, isOfOneRow) }
            let parameters: PostgreSQLParameters
            let count: Int
            if isOfOneRow {
                count = 1
                parameters = try PostgreSQLRowArrays.parameters(
                    update.columns, mapping: plans.mapping, key: sample.key, version: sample.version, sample.cells, keys
                )
            } else {
                let arrays = try part(update.columns, of: rest.count) { offset, arrays in
                    let row = rest[rest.startIndex + offset]
                    try arrays.append(key: row.key, version: row.version, row.cells, keys)
                }
                count = arrays.count
                parameters = arrays.parameters
            }
            missing += self.missing(rest.prefix(count), in: try execute(text, parameters), key: \.key)
            rest = rest.dropFirst(count)
        }
        return missing
    }

    /// The arrays of the first rows of a list: of as many as one statement takes, and of one at least.
    ///
    /// - Parameter append: appends the row at an offset.
    private func part(
        _ columns: [RowWritePlan.Column], of count: Int, _ append: (Int, inout PostgreSQLRowArrays) throws -> Void
    ) throws -> PostgreSQLRowArrays {
        let limit = min(count, Self.rowsOfStatement)
        var arrays = PostgreSQLRowArrays(columns, mapping: plans.mapping, capacity: limit)
        repeat { try append(arrays.count, &arrays) } while arrays.count < limit && arrays.size < statementSize
        return arrays
    }

    private func text(_ update: RowUpdate, _ sample: StoreChanges.UpdatedRow, _ isOfOneRow: Bool) -> String {
        let rows = PostgreSQLRowText(update.columns)
        // All rows of an update lose the position of the same relationships.
        let cleared = update.columns.compactMap { column in
            sample.cells.isPresent(column.cell) ? nil : column.orderColumn
        }
        let assignments =
            rows.names.enumerated().map { "\($1) = \(isOfOneRow ? rows.parameter($0) : "v.c\($0 + 3)")" }
            + cleared.map { "\(SQLGenerator.identifier($0)) = NULL" }
        if isOfOneRow {
            return """
                UPDATE \(dialect.table(update.plan.entity.tableName)) AS t \
                SET \((assignments + ["Z_OPT = $2::integer + 1"]).joined(separator: ", ")) \
                WHERE \(PostgreSQLRowText.rowCondition)\(update.plan.entityCondition) RETURNING t.Z_PK
                """
        }
        return """
            UPDATE \(dialect.table(update.plan.entity.tableName)) AS t \
            SET \((assignments + ["Z_OPT = v.c2 + 1"]).joined(separator: ", ")) FROM \(rows.source) \
            WHERE t.Z_PK = v.c1 AND t.Z_OPT = v.c2\(update.plan.entityCondition) RETURNING t.Z_PK
            """
    }

    func insert(_ insertion: RowInsertion, _ keys: PermanentKeys) throws {
        let plan = insertion.plan
        if let row = insertion.rows.first {
            let key = insertion.keys[insertion.rows.startIndex]
            trace = .row(layout: row.layout, key: key, version: row.version, cells: row.cells)
        }
        var start = insertion.rows.startIndex
        while start < insertion.rows.endIndex {
            let rest = insertion.rows.endIndex - start
            let isOfOneRow = rest == 1
            let text = session.texts.insertion(plan, isOfOneRow: isOfOneRow) { self.text(plan, isOfOneRow) }
            if isOfOneRow {
                let row = insertion.rows[start]
                let parameters = try PostgreSQLRowArrays.parameters(
                    plan.columns, mapping: plans.mapping, key: insertion.keys[start], version: row.version, row.cells,
                    keys)
                _ = try execute(text, parameters)
                return
            }
            let arrays = try part(plan.columns, of: rest) { offset, arrays in
                let row = insertion.rows[start + offset]
                try arrays.append(key: insertion.keys[start + offset], version: row.version, row.cells, keys)
            }
            _ = try execute(text, arrays.parameters)
            start += arrays.count
        }
    }

    private func text(_ plan: RowWritePlan, _ isOfOneRow: Bool) -> String {
        let rows = PostgreSQLRowText(plan.columns)
        let names = (["Z_PK", "Z_ENT", "Z_OPT"] + rows.names).joined(separator: ", ")
        let beginning = "INSERT INTO \(dialect.table(plan.entity.tableName)) (\(names))"
        if isOfOneRow {
            let values =
                ["$1::bigint", "\(plan.entity.number)", "$2::integer"] + rows.names.indices.map(rows.parameter)
            return "\(beginning) VALUES (\(values.joined(separator: ", ")))"
        }
        let values = ["v.c1", "\(plan.entity.number)", "v.c2"] + rows.names.indices.map { "v.c\($0 + 3)" }
        return """
            \(beginning) SELECT \(values.joined(separator: ", ")) \
            FROM \(rows.source)\(dialect.sourceSuffix(insertingInto: plan.entity.tableName))
            """
    }

    func write(_ write: KeyWrite) throws {
        let count = write.values.count / write.width
        for start in stride(from: 0, to: count, by: Self.rowsOfStatement) {
            let range = start..<min(start + Self.rowsOfStatement, count)
            var parameters = PostgreSQLParameters()
            for parameter in 0..<write.width {
                parameters.append(keys: range.map { write.values[$0 * write.width + parameter] })
            }
            _ = try execute(write.text, parameters)
        }
    }

    // MARK: Keys

    func reserveKeys(root: UInt32, count: Int64) throws -> Int64 {
        try open.keys.reserve(root: root, count: count, run: session.serverRun) {
            try session.reserveKeys(open.layouts[root], count: $0)
        }
    }
}
