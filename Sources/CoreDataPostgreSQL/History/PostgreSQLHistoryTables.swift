// SPDX-License-Identifier: Apache-2.0

/// The tables of the persistent history in the schema of a store.
///
/// A transaction of the history has the number of the database's transaction that made the changes, plus an offset. A
/// running transaction has a smaller number than any transaction that begins later. So a reader that waits for the
/// store's running transactions (``PostgreSQLHistoryReader``) misses none, in whatever order they end.
struct PostgreSQLHistoryTables: Sendable {
    /// The number that is added to the number of a transaction of the database. It isn't 0 in a database that was
    /// restored on another server, whose transactions have smaller numbers.
    let offset: Int64
    /// Whether programs number the changes with keys that they reserve. They do in a cluster, whose servers have no
    /// common counter. Otherwise the column is an identity column.
    let hasReservedNumbers: Bool

    /// The first half of the key of the lock that every transaction with changes holds.
    static let lockClass = 1_668_246_894

    /// The sequence of the numbers that programs reserve.
    static let numberSequence = PostgreSQLDefinition.sequence("z_change")

    private static func statements(_ dialect: PostgreSQLDialect) -> [String] {
        let isCluster = dialect.cluster.isCluster
        return [
            """
            CREATE TABLE \(dialect.table("z_transaction")) (z_number bigint PRIMARY KEY, \
            z_time timestamptz NOT NULL, z_author text, z_context text, z_bundle text, z_process text)
            """,
            """
            CREATE TABLE \(dialect.table("z_change")) \
            (z_number bigint\(isCluster ? "" : " GENERATED ALWAYS AS IDENTITY") PRIMARY KEY, \
            z_transaction bigint NOT NULL, z_type smallint NOT NULL, z_entity integer NOT NULL, z_key bigint NOT NULL, \
            z_columns bytea, z_tombstone jsonb)
            """,
            "CREATE INDEX z_change_transaction ON \(dialect.table("z_change")) (z_transaction)",
            "CREATE INDEX z_transaction_time ON \(dialect.table("z_transaction")) (z_time)",
            // With a primary key, Citus can move the table while other sessions write to it.
            """
            CREATE TABLE \(dialect.table("z_history")) (z_offset bigint NOT NULL, z_deleted bigint NOT NULL, \
            z_row integer NOT NULL DEFAULT 1 PRIMARY KEY)
            """,
            "INSERT INTO \(dialect.table("z_history")) VALUES (0, 0, 1)",
        ] + (isCluster ? ["CREATE SEQUENCE \(dialect.table(numberSequence)) AS bigint"] : [])
    }

    /// Looks for the tables; nil if the store has none.
    init?(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws {
        guard let hasReservedNumbers = try Self.hasReservedNumbers(connection, dialect) else { return nil }
        self.hasReservedNumbers = hasReservedNumbers
        let result = try connection.execute(
            """
            SELECT z_offset, COALESCE((SELECT MAX(z_number) FROM \(dialect.table("z_transaction"))), 0) \
            FROM \(dialect.table("z_history"))
            """)
        // In a statement with tables it would be the number of another server of a cluster.
        let snapshot = try connection.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
        guard result.rowCount > 0, snapshot.rowCount > 0 else { return nil }
        let offset = result[0].int64(0)
        let (highest, next) = (result[0].int64(1), snapshot[0].int64(0))
        guard highest >= next + offset else {
            self.offset = offset
            return
        }
        // The newest transaction has a number that this server has not yet given: it comes from another server.
        self.offset = max(offset, highest)
        if connection.location.isReadOnly { return }
        _ = try connection.execute(
            "UPDATE \(dialect.table("z_history")) SET z_offset = GREATEST(z_offset, $1)",
            PostgreSQLParameters([.integer(highest)]))
    }

    /// Whether programs number the changes; nil for a store without a history.
    static func hasReservedNumbers(
        _ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect
    ) throws -> Bool? {
        let result = try connection.execute(
            """
            SELECT to_regclass($1) IS NOT NULL, NOT EXISTS (SELECT FROM pg_attribute \
            WHERE attrelid = to_regclass($2) AND attname = 'z_number' AND attidentity <> '')
            """, PostgreSQLParameters([.text(dialect.table("z_history")), .text(dialect.table("z_change"))]))
        return result.rowCount > 0 && result[0].bool(0) ? result[0].bool(1) : nil
    }

    /// Creates the tables that are missing, in the open transaction.
    static func create(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws {
        for statement in statements(dialect) { try connection.executeScript(statement) }
    }

    /// The call that a transaction with changes executes before it gets its number.
    static func lockCall(schema: String) -> String { "pg_advisory_xact_lock_shared(\(lockClass), \(hash(schema)))" }

    private static func hash(_ schema: String) -> String {
        "hashtext('\(schema.replacingOccurrences(of: "'", with: "''"))')"
    }

    /// A select of the lower 32 bits of the numbers of the running transactions that have executed the call, as `xid`.
    static func runningTransactions(schema: String) -> String {
        """
        SELECT o.transactionid::text::bigint AS xid FROM pg_locks a JOIN pg_locks o ON o.pid = a.pid \
        WHERE a.locktype = 'advisory' AND a.classid = \(lockClass) \
        AND a.objid = (\(hash(schema))::bigint & 4294967295)::oid AND a.objsubid = 2 \
        AND o.locktype = 'transactionid' AND o.mode = 'ExclusiveLock'
        """
    }

    /// A select of the smallest number of the store's running transactions that began before the current one; NULL if
    /// there is none. If no other transaction runs on the server, the locks aren't read.
    static func earlierTransaction(schema: String) -> String {
        """
        SELECT CASE WHEN pg_snapshot_xmin(pg_current_snapshot()) = pg_current_xact_id() THEN NULL ELSE \
        (SELECT pg_current_xact_id()::text::bigint - MAX(age) FROM \
        (SELECT (pg_current_xact_id()::text::bigint - xid) & 4294967295 AS age \
        FROM (\(runningTransactions(schema: schema))) AS r) AS a WHERE age BETWEEN 1 AND 2147483647) END
        """
    }
}
