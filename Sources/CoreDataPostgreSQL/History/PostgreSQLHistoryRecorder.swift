// SPDX-License-Identifier: Apache-2.0

/// Records changes in the history tables, in the open transaction. New and updated rows are collected, and written by
/// one statement at the end, or for each 10,000 of them.
final class PostgreSQLHistoryRecorder: HistoryRecorder {
    private static let changesOfStatement = 10_000

    private let session: PostgreSQLSession
    private let origin: ChangeOrigin
    private let tables: PostgreSQLHistoryTables
    /// The number of the transaction.
    private let transaction: Int64
    private var types = PostgreSQLArray(type: .int2)
    private var entities = PostgreSQLArray(type: .int4)
    private var keys = PostgreSQLArray(type: .int8)
    private var columns = PostgreSQLArray(type: .bytea)
    /// Whether the transaction itself was recorded.
    private var hasTransaction = false
    /// The number of the transaction, if it was recorded.
    var recordedTransaction: Int64? { hasTransaction ? transaction : nil }
    /// Reserves consecutive numbers of changes, and gives the first one.
    private let reserve: (Int64) throws -> Int64
    /// The last number that was reserved.
    private var lastNumber: Int64 = 0

    init(
        _ session: PostgreSQLSession, _ origin: ChangeOrigin, _ tables: PostgreSQLHistoryTables, transaction: Int64,
        reserve: @escaping (Int64) throws -> Int64
    ) {
        self.reserve = reserve
        self.session = session
        self.origin = origin
        self.tables = tables
        self.transaction = transaction
    }

    private var dialect: PostgreSQLDialect { session.dialect }

    func recordInsertions(_ plan: HistoryPlan, keys: ArraySlice<Int64>) throws {
        for key in keys { try record(.insert, plan, key, nil) }
    }

    func recordUpdate(_ plan: HistoryPlan, key: Int64, columns: [UInt8]) throws {
        try record(.update, plan, key, columns)
    }

    func recordUpdates(_ plan: HistoryPlan, keys: some Sequence<Int64>, columns: [UInt8]) throws {
        for key in keys { try record(.update, plan, key, columns) }
    }

    private func record(
        _ type: NSPersistentHistoryChangeType, _ plan: HistoryPlan, _ key: Int64, _ changed: [UInt8]?
    ) throws {
        types.append(int16: Int16(type.rawValue))
        entities.append(int32: Int32(plan.entityNumber))
        keys.append(int64: key)
        if let changed {
            changed.withUnsafeBytes { columns.append(bytes: $0) }
        } else {
            columns.appendNull()
        }
        if types.count >= Self.changesOfStatement { try write() }
    }

    /// Records rows while they are still there: the preserved values are copied. Keys without a row are ignored.
    ///
    /// The rows are locked: if several transactions delete the same row, only the transaction that succeeds records the
    /// deletion.
    func recordDeletions(_ plan: HistoryPlan, keys: some Sequence<Int64>) throws {
        try write()
        try begin()
        let tombstone = PostgreSQLTombstone.expression(plan)
        let rows = """
            FROM \(dialect.table(plan.tableName)) AS t WHERE t.Z_PK = ANY($1::bigint[]) ORDER BY t.Z_PK FOR UPDATE OF t
            """
        if tables.hasReservedNumbers || dialect.cluster.isCluster {
            // Citus can't insert rows that a select locks, nor what its functions have made: they come here in between.
            let found = try session.execute(
                "SELECT t.Z_ENT, t.Z_PK, (\(tombstone))::text \(rows)", [.keys(Array(keys))])
            return try writeDeletions(found)
        }
        var parameters = PostgreSQLParameters()
        parameters.append(keys: Array(keys))
        parameters.append(int64: transaction)
        let text = """
            WITH deleted AS MATERIALIZED (SELECT t.Z_ENT AS entity, t.Z_PK AS key, \(tombstone) AS tombstone, \
            t.xmin::text::bigint AS writer \(rows)), \
            recorded AS (INSERT INTO \(dialect.table("z_change")) \
            (z_transaction, z_type, z_entity, z_key, z_tombstone) \
            SELECT $2, \(Self.deletion), entity, key, tombstone::jsonb FROM deleted ORDER BY key) \
            SELECT EXISTS (SELECT FROM deleted WHERE \(Self.isLater("writer")))
            """
        guard try session.connection.execute(text, parameters)[0].bool(0) else { return }
        // The history would have the deletion before the later transaction's change of the row.
        throw PostgreSQLFailure(
            sqlState: PostgreSQLFailure.State.serializationFailure,
            message: "A row to delete was written by a transaction that began later", statement: text)
    }

    /// Whether a transaction has a greater number than the current one. The server knows the lower half of the number
    /// only, which an old row may have from numbers before: a later transaction can't be far away.
    private static func isLater(_ transaction: String) -> String {
        """
        (\(transaction) - pg_current_xact_id()::text::bigint) & 4294967295 BETWEEN 1 AND 1000000 + \
        pg_snapshot_xmax(pg_current_snapshot())::text::bigint - pg_current_xact_id()::text::bigint
        """
    }

    private static let deletion = NSPersistentHistoryChangeType.delete.rawValue

    /// Writes deletions.
    ///
    /// - Parameter rows: the entity number, the key and the preserved values of each row.
    private func writeDeletions(_ rows: PostgreSQLResult) throws {
        guard rows.rowCount > 0 else { return }
        var entities = PostgreSQLArray(type: .int4, capacity: rows.rowCount)
        var keys = PostgreSQLArray(type: .int8, capacity: rows.rowCount)
        var tombstones = PostgreSQLArray(type: .jsonb, capacity: rows.rowCount)
        for row in rows {
            entities.append(int32: Int32(truncatingIfNeeded: row.int64(0)))
            keys.append(int64: row.int64(1))
            if row.isNull(2) { tombstones.appendNull() } else { tombstones.append(jsonb: row.text(2)) }
        }
        let numbers = numbers("v.c4", parameter: 5)
        var parameters = PostgreSQLParameters()
        for array in [entities, keys, tombstones] { parameters.append(array: array) }
        parameters.append(int64: transaction)
        try appendNumbers(rows.rowCount, to: &parameters)
        _ = try session.connection.execute(
            """
            INSERT INTO \(dialect.table("z_change")) \
            (\(numbers.column)z_transaction, z_type, z_entity, z_key, z_tombstone) \
            SELECT \(numbers.value)$4, \(Self.deletion), v.c1, v.c2, v.c3 \
            FROM unnest($1::integer[], $2::bigint[], $3::jsonb[]) \
            WITH ORDINALITY AS v(c1, c2, c3, c4)\(dialect.sourceSuffix(insertingInto: "z_change"))
            """, parameters)
    }

    /// The column of the numbers of changes, and their value; nothing where the column is an identity.
    private func numbers(_ ordinal: String, parameter: Int) -> (column: String, value: String) {
        tables.hasReservedNumbers ? ("z_number, ", "$\(parameter) + \(ordinal), ") : ("", "")
    }

    /// Reserves numbers of changes, and appends the number before them.
    private func appendNumbers(_ count: Int, to parameters: inout PostgreSQLParameters) throws {
        guard tables.hasReservedNumbers else { return }
        // The changes of a transaction are read in the order of their numbers. A block that another thread has taken
        // earlier may come later.
        var first = try reserve(Int64(count))
        while first <= lastNumber { first = try reserve(Int64(count)) }
        lastNumber = first + Int64(count) - 1
        parameters.append(int64: first - 1)
    }

    /// Records the transaction at its first change.
    private func begin() throws {
        guard !hasTransaction else { return }
        hasTransaction = true
        let process = ProcessInfo.processInfo.processName
        func value(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
        _ = try session.execute(
            """
            INSERT INTO \(dialect.table("z_transaction")) (z_number, z_time, z_author, z_context, z_bundle, z_process) \
            VALUES ($1, clock_timestamp(), $2, $3, $4, $5)
            """,
            [
                .integer(transaction), value(origin.author), value(origin.contextName),
                .text(Bundle.main.bundleIdentifier ?? process), .text(process),
            ])
    }

    /// Writes the collected changes.
    private func write() throws {
        guard types.count > 0 else { return }
        try begin()
        var parameters = PostgreSQLParameters()
        parameters.append(int64: transaction)
        for array in [types, entities, keys, columns] { parameters.append(array: array) }
        let numbers = numbers("v.c5", parameter: 6)
        try appendNumbers(types.count, to: &parameters)
        _ = try session.connection.execute(
            """
            INSERT INTO \(dialect.table("z_change")) \
            (\(numbers.column)z_transaction, z_type, z_entity, z_key, z_columns) \
            SELECT \(numbers.value)$1, v.c1, v.c2, v.c3, v.c4 \
            FROM unnest($2::smallint[], $3::integer[], $4::bigint[], $5::bytea[]) \
            WITH ORDINALITY AS v(c1, c2, c3, c4, c5)\(dialect.sourceSuffix(insertingInto: "z_change"))
            """, parameters)
        types.removeAll()
        entities.removeAll()
        keys.removeAll()
        columns.removeAll()
    }

    func finish() throws -> Int64? {
        try write()
        return hasTransaction ? transaction : nil
    }
}

/// The preserved values of a deleted object, as JSON.
enum PostgreSQLTombstone {
    /// `jsonb_build_object` takes a hundred arguments.
    private static let pairsOfCall = 40

    /// The document of the row `t`, as SQL.
    static func expression(_ plan: HistoryPlan) -> String {
        let pairs = plan.preservedColumns.map { column in
            "'\(column.key.replacingOccurrences(of: "'", with: "''"))', \(value(column))"
        }
        guard !pairs.isEmpty else { return "NULL" }
        return stride(from: 0, to: pairs.count, by: pairsOfCall).map { start in
            "jsonb_build_object(\(pairs[start..<min(start + pairsOfCall, pairs.count)].joined(separator: ", ")))"
        }.joined(separator: " || ")
    }

    /// Values that JSON doesn't have exactly are texts.
    private static func value(_ column: HistoryPlan.PreservedColumn) -> String {
        let name = "t." + SQLGenerator.identifier(column.name)
        switch column.kind {
        case .date: return "CAST(EXTRACT(EPOCH FROM \(name)) * 1000000 AS bigint)"
        case .decimal, .double, .float, .integer64, .uuid: return "\(name)::text"
        case .binary, .transformable: return "encode(\(name), 'base64')"
        default: return name
        }
    }

    /// The values of a document, by the names of the attributes.
    static func values(_ json: String, _ plan: HistoryPlan) -> [AnyHashable: Any] {
        let document = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        var values: [AnyHashable: Any] = [:]
        for column in plan.preservedColumns {
            guard let stored = document?[column.key], !(stored is NSNull) else { continue }
            values[column.key] = value(stored, column)
        }
        return values
    }

    private static func value(_ stored: Any, _ column: HistoryPlan.PreservedColumn) -> Any? {
        let text = stored as? String
        let number = stored as? NSNumber
        switch column.kind {
        case .boolean: return number.map { NSNumber(value: $0.int64Value != 0) }
        case .integer16, .integer32: return number.map { NSNumber(value: $0.int64Value) }
        case .integer64: return text.flatMap { Int64($0) }.map { NSNumber(value: $0) }
        case .double: return text.flatMap { Double($0) }.map { NSNumber(value: $0) }
        case .float: return text.flatMap { Float($0) }.map { NSNumber(value: $0) }
        case .decimal: return text.map { NSDecimalNumber(string: $0) }
        case .date:
            return number.map {
                Date(timeIntervalSinceReferenceDate: Double($0.int64Value &- 978_307_200_000_000) / 1e6)
            }
        case .uri: return text.flatMap { URL(string: $0) }
        case .uuid: return text.flatMap { UUID(uuidString: $0) }
        case .binary: return text.flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }
        case .transformable:
            return text.flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }.flatMap {
                TransformableCoding.decode(StoredTransformable($0), slot: column.slot)
            }
        case .undefined:
            return PostgreSQLUntyped.value(of: stored)
        default: return text
        }
    }
}
