// SPDX-License-Identifier: Apache-2.0

/// Whether the database is one server, or a cluster that runs each schema on one of several servers.
///
/// In a cluster (Citus) programs speak with the coordinator. It sends a statement with a table of the store whole to
/// the server of the schema, functions included; a statement without a table it runs itself. The number of a
/// transaction, which the history relies on, is the coordinator's, and so are advisory locks.
enum PostgreSQLCluster: String, Sendable {
    /// One server.
    case none
    /// Citus, with a server for each schema.
    case citus
    /// One server that gets the statements of a cluster, so that tests can run them without one.
    case statements = "citus-statements"

    /// Whether the store is in a cluster, so that statements must avoid what a cluster can't execute.
    var isCluster: Bool { self != .none }

    /// Looks for a cluster in the database, unless the URL says whether it is one.
    ///
    /// - Throws: `NSPersistentStoreOpenError` (134080) if the URL names a cluster that the database isn't, or if the
    ///   connection leads to a server of the cluster that isn't its coordinator.
    static func find(_ connection: PostgreSQLConnection) throws -> PostgreSQLCluster {
        let location = connection.location
        if let cluster = location.cluster, cluster != .citus { return cluster }
        let result = try connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'citus'")
        guard result.rowCount > 0 else {
            guard location.cluster == .citus else { return .none }
            throw PostgreSQLError.opening(
                location.publicURL,
                reason: "The URL has the item cluster=citus, but the database has no extension citus.",
                suggestion: "Execute CREATE EXTENSION citus on the coordinator and its workers, or leave the item out.")
        }
        guard try connection.execute("SELECT citus_is_coordinator()")[0].bool(0) else {
            throw PostgreSQLError.opening(
                location.publicURL, reason: "The server is a worker of a Citus cluster.",
                suggestion: "Connect to the coordinator: the history relies on the numbers of its transactions.")
        }
        return .citus
    }

    /// The settings that the statements of a store need, as they stand after `SET` or `SET LOCAL`.
    ///
    /// - Parameter lockTimeout: the setting of the lock timeout; nil without a timeout.
    func settings(lockTimeout: String?) -> [String] {
        guard self == .citus else { return lockTimeout.map { [$0] } ?? [] }
        // Workers get settings of a transaction. Triggers run there, and report the rows that they have changed.
        return ["citus.propagate_set_commands = 'local'", "citus.worker_min_messages = 'info'"]
            + (lockTimeout.map { [$0] } ?? [])
    }

    /// The settings of a session.
    func sessionSettings(_ location: PostgreSQLLocation) -> String? {
        // Behind a pooler a setting must end with its transaction.
        guard location.usesNamedStatements else { return nil }
        let settings =
            settings(lockTimeout: location.lockTimeoutSetting) + [location.idleTransactionSetting] + Self.keepalives
        return settings.map { "SET \($0)" }.joined(separator: "; ")
    }

    /// How soon the server notices that a program is gone, as the program notices the same of the server. Unix sockets
    /// need none of them.
    private static let keepalives = [
        "tcp_keepalives_idle = 30", "tcp_keepalives_interval = 10", "tcp_keepalives_count = 3",
        "tcp_user_timeout = 60000",
    ]

    /// The settings with which a transaction begins.
    func transactionSettings(_ location: PostgreSQLLocation) -> [String] {
        guard location.usesNamedStatements else {
            return settings(lockTimeout: location.lockTimeoutSetting) + [location.idleTransactionSetting]
        }
        // Only a setting of the transaction reaches the workers.
        return self == .citus ? location.lockTimeoutSetting.map { [$0] } ?? [] : []
    }
}

extension PostgreSQLConnection {
    /// Looks for a cluster in the database, and makes the settings for it.
    func findCluster() throws { try use(PostgreSQLCluster.find(self)) }

    /// Makes the settings for a cluster.
    func use(_ cluster: PostgreSQLCluster) throws {
        self.cluster = cluster
        guard let settings = cluster.sessionSettings(location) else { return }
        // A pooler in session mode reports its own process number to the client, so the server is asked for the real
        // one.
        let result = try resultOfScript("\(settings); SELECT pg_backend_pid()::text")
        if result.rowCount > 0 { serverProcess = Int32(result[0].text(0)) }
    }
}

extension PostgreSQLConnection {
    /// Creates the schema of a store, in the open transaction, unless there is one. In a cluster one of the servers
    /// gets it.
    func createSchema() throws {
        let name = PostgreSQLDialect(schema: location.schema).schemaText
        // The schema public stays on the coordinator.
        let isPlaced = cluster == .citus && location.schema != PostgreSQLLocation.defaultSchema
        if isPlaced { try executeScript("SET LOCAL citus.enable_schema_based_sharding = on") }
        // CREATE SCHEMA IF NOT EXISTS needs the right to create schemas even where the schema exists.
        let found = try execute(
            "SELECT to_regnamespace($1) IS NOT NULL", PostgreSQLParameters([.text(name)]))
        if !found[0].bool(0) { try executeScript("CREATE SCHEMA IF NOT EXISTS \(name)") }
        guard isPlaced else { return }
        // An administrator may have made the schema.
        let placed = try execute(
            "SELECT 1 FROM citus_schemas WHERE schema_name = to_regnamespace($1)",
            PostgreSQLParameters([.text(name)]))
        if placed.rowCount == 0 {
            try execute("SELECT citus_schema_distribute($1::text::regnamespace)", PostgreSQLParameters([.text(name)]))
        }
    }
}
