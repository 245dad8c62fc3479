/// The tables of the persistent history in the schema of a store.
///
/// A transaction of the history has the number of the database's transaction that made the changes, plus an offset. The
/// numbers of running transactions are smaller than those of transactions that begin later, so a reader that waits for
/// the running ones of the store (``PostgreSQLHistoryReader``) misses none, whatever the order of their ends.
struct PostgreSQLHistoryTables: Sendable {
    /// The number that is added to the number of a transaction of the database. It isn't 0 in a database that was
    /// restored on another server, whose transactions have smaller numbers.
    let offset: Int64

    /// The first half of the key of the lock that every transaction holds that writes changes.
    static let lockClass = 1_668_246_894

    private static func statements(_ dialect: PostgreSQLDialect) -> [String] {
        [
            """
            CREATE TABLE \(dialect.table("z_transaction")) (z_number bigint PRIMARY KEY, \
            z_time timestamptz NOT NULL, z_author text, z_context text, z_bundle text, z_process text)
            """,
            """
            CREATE TABLE \(dialect.table("z_change")) (z_number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
            z_transaction bigint NOT NULL, z_type smallint NOT NULL, z_entity integer NOT NULL, z_key bigint NOT NULL, \
            z_columns bytea, z_tombstone jsonb)
            """,
            "CREATE INDEX z_change_transaction ON \(dialect.table("z_change")) (z_transaction)",
            "CREATE INDEX z_transaction_time ON \(dialect.table("z_transaction")) (z_time)",
            "CREATE TABLE \(dialect.table("z_history")) (z_offset bigint NOT NULL, z_deleted bigint NOT NULL)",
            "INSERT INTO \(dialect.table("z_history")) VALUES (0, 0)",
        ]
    }

    /// Looks for the tables; nil if the store has none.
    init?(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws {
        let present = try connection.execute(
            "SELECT to_regclass($1) IS NOT NULL", PostgreSQLParameters([.text(dialect.table("z_history"))]))
        guard present.rowCount > 0, present[0].bool(0) else { return nil }
        let result = try connection.execute(
            """
            SELECT z_offset, COALESCE((SELECT MAX(z_number) FROM \(dialect.table("z_transaction"))), 0), \
            pg_snapshot_xmax(pg_current_snapshot())::text::bigint FROM \(dialect.table("z_history"))
            """)
        guard result.rowCount > 0 else { return nil }
        let offset = result[0].int64(0)
        let (highest, next) = (result[0].int64(1), result[0].int64(2))
        if highest < next + offset || connection.location.isReadOnly {
            self.offset = offset
            return
        }
        // The newest transaction has a number that this server has not yet given: it comes from another one.
        _ = try connection.execute(
            "UPDATE \(dialect.table("z_history")) SET z_offset = GREATEST(z_offset, $1)",
            PostgreSQLParameters([.integer(highest)]))
        self.offset = max(offset, highest)
    }

    /// Creates the tables that are missing, in the open transaction.
    static func create(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws {
        for statement in statements(dialect) { try connection.executeScript(statement) }
    }

    /// The statement that a transaction with changes executes before it gets its number.
    static func lockStatement(schema: String) -> String {
        let name = schema.replacingOccurrences(of: "'", with: "''")
        return "SELECT pg_advisory_xact_lock_shared(\(lockClass), hashtext('\(name)'))"
    }
}
