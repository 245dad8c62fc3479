// SPDX-License-Identifier: Apache-2.0

/// The lock that excludes migrations and all other transactions of a store from each other.
///
/// On one server it is a lock on the table `z_modelcache`, which costs next to nothing while no migration waits. A
/// cluster would lock a table on all of its servers, so there it is an advisory lock of the coordinator. Migrations
/// take both locks.
enum PostgreSQLModelLock {
    /// The first half of the key of the advisory lock.
    private static let lockClass = 1_668_246_895

    /// The first statement of a transaction that must not run during a migration: it waits for a running migration, and
    /// makes the next migration wait. The snapshot of the transaction is taken afterwards.
    static func shared(_ dialect: PostgreSQLDialect) -> String {
        "LOCK TABLE \(dialect.table("z_modelcache")) IN ACCESS SHARE MODE"
    }

    /// The advisory lock of such a transaction in a cluster, as a call.
    static func sharedCall(_ schema: String) -> String { call("pg_advisory_xact_lock_shared", schema) }

    /// Waits for the other transactions of a store, and makes further transactions wait until the open transaction
    /// ends.
    static func lock(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws {
        try connection.executeScript("SELECT \(call("pg_advisory_xact_lock", connection.location.schema))")
        try connection.executeScript("LOCK TABLE \(dialect.table("z_modelcache")) IN ACCESS EXCLUSIVE MODE")
    }

    /// The statements that begin a transaction which reads one snapshot until its end.
    static func beginSnapshot(_ dialect: PostgreSQLDialect, schema: String) -> String {
        let begin =
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(PostgreSQLConnection.unlimitedIdleTime)"
        guard dialect.cluster.isCluster else { return "\(begin); \(shared(dialect))" }
        // A select takes the snapshot before it waits for a lock. So the session waits before the transaction begins.
        // The last select takes the snapshot of the server that has the tables. COMMIT ends the implicit transaction,
        // so that one message has all statements: behind a pooler the next message may go to another session.
        return """
            SELECT \(call("pg_advisory_lock_shared", schema)); COMMIT; \(begin); SELECT \(sharedCall(schema)); \
            SELECT \(call("pg_advisory_unlock_shared", schema)); SELECT 1 FROM \(dialect.table("z_metadata"))
            """
    }

    private static func call(_ function: String, _ schema: String) -> String {
        "\(function)(\(lockClass), hashtext('\(schema.replacingOccurrences(of: "'", with: "''"))'))"
    }
}
