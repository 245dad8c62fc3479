// SPDX-License-Identifier: Apache-2.0

/// Tells one run of the server from the next one, which a crash begins.
///
/// After a crash the server gives out again the numbers of transactions whose log it had not written yet. Such a number
/// says nothing of the transaction that had it before. The table `z_run` is unlogged: a crash, and a failover to a
/// standby, empty it. Its row has a random value, so a value that a session has read stands for the run in which its
/// connection was made.
enum PostgreSQLServerRun {
    static let tableName = "z_run"

    static func definition(_ dialect: PostgreSQLDialect) -> String {
        """
        CREATE UNLOGGED TABLE IF NOT EXISTS \(dialect.table(tableName)) \
        (z_row integer PRIMARY KEY, z_value uuid NOT NULL)
        """
    }

    /// The value of the present run; nil if the table is missing, or the server allows no writing.
    static func value(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws -> String? {
        let table = dialect.table(tableName)
        do {
            if let value = try read(connection, table) { return value }
            _ = try connection.execute(
                "INSERT INTO \(table) VALUES (1, gen_random_uuid()) ON CONFLICT (z_row) DO NOTHING")
            return try read(connection, table)
        } catch let failure as PostgreSQLFailure where !failure.isConnectionLost {
            return nil
        }
    }

    private static func read(_ connection: PostgreSQLConnection, _ table: String) throws -> String? {
        let result = try connection.execute("SELECT z_value::text FROM \(table)")
        return result.rowCount > 0 ? result[0].text(0) : nil
    }
}

/// A change that a save has written, to be looked for when the answer to its COMMIT is lost.
enum PostgreSQLSaveTrace {
    /// A row with these values and this version. The cells are memory of the context, which the save keeps.
    case row(layout: EntityLayout, key: Int64, version: Int32, cells: Cells)
    /// A row that was deleted.
    case deleted(layout: EntityLayout, key: Int64)

    /// Whether the store has what the save has written.
    func isIn(_ session: PostgreSQLSession) throws -> Bool {
        switch self {
        case .row(let layout, let key, let version, let cells):
            guard let found = try Self.row(session, layout, key) else { return false }
            return found.version == version
                && layout.properties.allSatisfy {
                    !Self.isComparable($0) || $0.isEqual(found.row.cells, cells)
                }
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
