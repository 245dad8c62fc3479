// SPDX-License-Identifier: Apache-2.0

/// The lock that keeps migrations and the other transactions of a store apart.
///
/// On one server it is one of the table `z_modelcache`, which costs next to nothing where no migration waits. A
/// cluster would lock a table on all of its servers: there it is an advisory one of the coordinator. Migrations take
/// both.
enum PostgreSQLModelLock {
    /// The first half of the key of the advisory lock.
    private static let lockClass = 1_668_246_895

    /// The statement with which a transaction begins that must not meet a migration: it waits for one that runs, and
    /// has the next one wait. The snapshot of the transaction is taken afterwards.
    static func shared(_ dialect: PostgreSQLDialect) -> String {
        "LOCK TABLE \(dialect.table("z_modelcache")) IN ACCESS SHARE MODE"
    }

    /// The advisory lock of such a transaction in a cluster, as a call.
    static func sharedCall(_ schema: String) -> String { call("pg_advisory_xact_lock_shared", schema) }

    /// Waits for the other transactions of a store, and has further ones wait until the open transaction ends.
    static func lock(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws {
        try connection.executeScript("SELECT \(call("pg_advisory_xact_lock", connection.location.schema))")
        try connection.executeScript("LOCK TABLE \(dialect.table("z_modelcache")) IN ACCESS EXCLUSIVE MODE")
    }

    /// The statements that begin a transaction which reads the same snapshot for good.
    static func beginSnapshot(_ dialect: PostgreSQLDialect, schema: String) -> String {
        let begin =
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(PostgreSQLConnection.unlimitedIdleTime)"
        guard dialect.cluster.isCluster else { return "\(begin); \(shared(dialect))" }
        // A select takes the snapshot before it waits for a lock. So the session waits before the transaction begins.
        // The last select takes the snapshot of the server that has the tables. COMMIT ends the implicit transaction,
        // so that all is one message: behind a pooler the next one may go to another session.
        return """
            SELECT \(call("pg_advisory_lock_shared", schema)); COMMIT; \(begin); SELECT \(sharedCall(schema)); \
            SELECT \(call("pg_advisory_unlock_shared", schema)); SELECT 1 FROM \(dialect.table("z_metadata"))
            """
    }

    private static func call(_ function: String, _ schema: String) -> String {
        "\(function)(\(lockClass), hashtext('\(schema.replacingOccurrences(of: "'", with: "''"))'))"
    }
}
