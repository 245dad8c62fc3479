// SPDX-License-Identifier: Apache-2.0

/// Tells one run of the server from the next one, which a crash begins.
///
/// After a crash the server gives out again the numbers of transactions whose log it had not written yet. Such a number
/// says nothing of the transaction that had it before. The table `z_run` is unlogged: a crash, and a failover to a
/// standby, empty it. Its row has a random value, so a value that a session has read stands for the run in which its
/// connection was made. The first session of a run writes the row.
struct PostgreSQLServerRun: Equatable, Sendable {
    static let tableName = "z_run"

    /// The random value.
    let value: String
    /// The lower half of the number of the transaction that has written the row.
    let transaction: UInt32

    static func definition(_ dialect: PostgreSQLDialect) -> String {
        """
        CREATE UNLOGGED TABLE IF NOT EXISTS \(dialect.table(tableName)) \
        (z_row integer PRIMARY KEY, z_value uuid NOT NULL)
        """
    }

    /// The present run; nil if the table is missing, or the server allows no writing.
    ///
    /// - Throws: `PostgreSQLFailure` if the connection is lost.
    static func present(
        _ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect
    ) throws -> PostgreSQLServerRun? {
        let table = dialect.table(tableName)
        do {
            if let run = try read(connection, table) { return run }
            _ = try connection.execute(
                "INSERT INTO \(table) VALUES (1, gen_random_uuid()) ON CONFLICT (z_row) DO NOTHING")
            return try read(connection, table)
        } catch let failure as PostgreSQLFailure where !failure.isConnectionLost {
            return nil
        }
    }

    /// The value of the present run: see ``present(_:_:)``.
    static func value(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws -> String? {
        try present(connection, dialect)?.value
    }

    private static func read(_ connection: PostgreSQLConnection, _ table: String) throws -> PostgreSQLServerRun? {
        let result = try connection.execute("SELECT z_value::text, xmin::text FROM \(table)")
        guard result.rowCount > 0, let transaction = UInt32(result[0].text(1)) else { return nil }
        return PostgreSQLServerRun(value: result[0].text(0), transaction: transaction)
    }

    /// Whether this run of the server has given a transaction number, and not an earlier run. Numbers grow from run to
    /// run, and this run has given the numbers from ``transaction`` on. Numbers wrap around, so the sign of the
    /// difference decides.
    func hasGiven(_ number: UInt64) -> Bool {
        Int32(bitPattern: UInt32(truncatingIfNeeded: number) &- transaction) >= 0
    }
}

/// A change that a save has written, to be looked for when the answer to its COMMIT is lost.
enum PostgreSQLSaveTrace {
    /// A transaction of the history.
    case transaction(number: Int64)
    /// A row with these values and this version, which other transactions may have changed since. The cells are memory
    /// of the context, which the save keeps.
    case row(layout: EntityLayout, key: Int64, version: Int32, cells: Cells)
    /// A new row, whose key no other transaction has.
    case inserted(layout: EntityLayout, key: Int64)
    /// A row that was deleted.
    case deleted(layout: EntityLayout, key: Int64)

    /// Whether the store contains the change that the save has written.
    func isIn(_ session: PostgreSQLSession) throws -> Bool {
        switch self {
        case .transaction(let number):
            let table = session.dialect.table("z_transaction")
            return try session.integer("SELECT 1::bigint FROM \(table) WHERE z_number = $1", [.integer(number)]) != nil
        case .row(let layout, let key, let version, let cells):
            guard let found = try Self.row(session, layout, key) else { return false }
            // Versions wrap around, so the sign of the difference decides.
            let distance = found.version &- version
            guard distance == 0 else { return distance > 0 }
            return withExtendedLifetime(found.buffer) {
                layout.properties.allSatisfy { !Self.isComparable($0) || $0.isEqual(found.row.cells, cells) }
            }
        case .inserted(let layout, let key): return try Self.row(session, layout, key) != nil
        case .deleted(let layout, let key):
            return try Self.row(session, layout, key) == nil
        }
    }

    private static func row(_ session: PostgreSQLSession, _ layout: EntityLayout, _ key: Int64) throws -> RetainedRow? {
        let plan = try session.plans.rowPlan(layout, includesSubentities: true)
        let result = try session.execute(session.plans.rowStatement(plan).text, [.integer(key)])
        return result.rowCount > 0 ? try session.reader(plan).readRow(result[0]) : nil
    }

    /// Whether the server gives the value back as it was written, and no trigger changes it.
    private static func isComparable(_ slot: PropertySlot) -> Bool {
        guard slot.derivation == nil, !slot.isTransient else { return false }
        return slot.kind.isInteger || [.boolean, .string, .uuid].contains(slot.kind)
    }
}
