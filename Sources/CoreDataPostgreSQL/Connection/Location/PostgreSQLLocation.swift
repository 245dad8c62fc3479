// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// Where a store is: the server, the database and the schema, and how a connection to them is made.
///
/// The URL is `postgresql://user:password@host:5432/database?schema=shop&sslmode=verify-full`, with libpq's further
/// items. libpq doesn't see the store's own items (`ownItems`).
/// Missing items come from libpq's environment variables, service and password files.
package struct PostgreSQLLocation: Sendable {
    /// The schema that holds the tables of the store.
    let schema: String
    /// The URL without passwords, for errors, logs and `NSPersistentStore.url`.
    let publicURL: URL
    let isReadOnly: Bool
    /// Whether statements get names. They don't where a pooler gives each transaction another connection.
    let usesNamedStatements: Bool
    /// Whether the database is a cluster; nil if it is asked.
    let cluster: PostgreSQLCluster?
    let poolSize: Int
    let poolTimeout: TimeInterval
    /// How long one host is tried.
    let connectTimeout: TimeInterval
    /// How long a statement waits for a lock, or nil for the server's setting.
    let lockTimeout: TimeInterval?
    /// The setting of the lock timeout of a session or transaction; nil without a timeout.
    var lockTimeoutSetting: String? {
        // The server takes milliseconds, and 0 for no limit.
        lockTimeout.map { "lock_timeout = \(Int(min(max($0 * 1000, 1), Double(Int32.max))))" }
    }
    /// After how many seconds without an answer the server is asked whether it still works on a request; 0 for never.
    let silenceTimeout: TimeInterval
    /// After how many seconds the server ends a transaction in which the program does nothing; 0 for never.
    private let idleTransactionTimeout: TimeInterval
    /// The setting of the timeout of idle transactions.
    var idleTransactionSetting: String {
        "idle_in_transaction_session_timeout = \(Int(min(idleTransactionTimeout * 1000, Double(Int32.max))))"
    }
    /// Where a listener connects, past a pooler.
    private let listenerURL: URL?
    /// The replicas of the server, from which fetches may read.
    private(set) var replicas: [PostgreSQLLocation] = []
    /// The items of the connection, in libpq's words.
    private(set) var items: [String: String]
    /// The passwords of the items, which must not be shown.
    let secrets: [String]

    static let defaultSchema = "public"
    /// The items of the URL that are the store's own.
    static let ownItems = [
        "schema", "pool_size", "pool_timeout", "silence_timeout", "idle_transaction_timeout", "pooler", "replicas",
        "cluster",
    ]
    package static let schemes: Set<String> = ["postgresql", "postgres"]

    /// The complete connection string in libpq's form. It has the password: it is never logged.
    var connectionString: String { Self.connectionString(items) }

    /// The connection strings that are tried one after another: one for each host.
    var attempts: [String] {
        let hosts = (items["host"] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let ports = (items["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        // libpq itself goes through the hosts where their order has a further meaning.
        let leavesOrder = items["hostaddr"] != nil || items["load_balance_hosts"] != nil
        let isPreference = items["target_session_attrs"] == "prefer-standby"
        guard hosts.count > 1, !leavesOrder, !isPreference, ports.count == 1 || ports.count == hosts.count else {
            return [connectionString]
        }
        return hosts.indices.map { index in
            var items = items
            items["host"] = hosts[index]
            items["port"] = ports.count == 1 ? ports[0] : ports[index]
            if items["port"] == "" { items["port"] = nil }
            return Self.connectionString(items)
        }
    }

    /// Where to listen: the URL of `NSPostgreSQLListenerURLOption`, or else this location. Nil if that is unknown, for
    /// a URL of a pooler, which passes no notices on.
    ///
    /// - Parameter options: the options of the store.
    func listener(_ options: [AnyHashable: Any]?) throws -> PostgreSQLLocation? {
        if let listenerURL { return try PostgreSQLLocation(url: listenerURL, options: options) }
        return usesNamedStatements ? self : nil
    }

    /// Replaces the passwords in a text, in case a message of libpq has one.
    func redacted(_ text: String) -> String {
        secrets.reduce(text) { $0.replacingOccurrences(of: $1, with: "\u{2022}\u{2022}\u{2022}\u{2022}") }
    }

    private static func connectionString(_ items: [String: String]) -> String {
        items.sorted { $0.key < $1.key }.map { key, value in
            let escaped = value.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "'", with: "\\'")
            return "\(key)='\(escaped)'"
        }.joined(separator: " ")
    }
}

extension PostgreSQLLocation {
    /// Reads the URL and the options of a store.
    ///
    /// - Throws: `NSPersistentStoreInvalidTypeError` if the URL isn't one of PostgreSQL, `NSPersistentStoreOpenError`
    ///   if a part of it or an option is wrong. The error names the part, without its value if that may be secret.
    init(url: URL, options: [AnyHashable: Any]? = nil) throws {
        let parts = try PostgreSQLURL(url)
        publicURL = parts.publicURL
        var items = parts.items
        var own: [String: String] = [:]
        for key in Self.ownItems + ["connect_timeout"] { own[key] = items.removeValue(forKey: key) }
        let settings = PostgreSQLOwnSettings(publicURL: parts.publicURL, options: options, items: own)
        schema = try settings.schema()
        poolSize = Int(try settings.number("pool_size", NSPostgreSQLPoolSizeOption, 10, from: 1))
        poolTimeout = try settings.number("pool_timeout", NSPostgreSQLPoolTimeoutOption, 30, from: 0)
        idleTransactionTimeout = try settings.number(
            "idle_transaction_timeout", NSPostgreSQLIdleTransactionTimeoutOption, 60, from: 0)
        connectTimeout = try settings.number("connect_timeout", NSPostgreSQLConnectTimeoutOption, 10, from: 0.001)
        usesNamedStatements = try !settings.hasPooler()
        // A pooler doesn't say which process of the server works for a connection.
        silenceTimeout = try settings.number(
            "silence_timeout", NSPostgreSQLSilenceTimeoutOption, usesNamedStatements ? 30 : 0, from: 0)
        cluster = try settings.cluster()
        listenerURL = try settings.listenerURL()
        lockTimeout = (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue
        isReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
        try Self.checkNames(of: items, settings.failure)
        self.items = Self.completed(items, isReadOnly: isReadOnly)
        secrets = PostgreSQLURL.secretKeys.compactMap { items[$0] }.filter { !$0.isEmpty }
        replicas = try settings.replicas().map { replica(of: items, at: $0) }
    }

    /// The location of a replica, which is connected to like the server itself.
    private func replica(of items: [String: String], at place: (host: String, port: String?)) -> PostgreSQLLocation {
        var given = items
        given["host"] = place.host
        given["port"] = place.port
        given["hostaddr"] = nil
        // A replica only reads.
        given["target_session_attrs"] = "any"
        var replica = self
        replica.items = Self.completed(given, isReadOnly: true)
        return replica
    }

    /// Adds what the URL doesn't say.
    private static func completed(_ items: [String: String], isReadOnly: Bool) -> [String: String] {
        var result = items
        let hosts = (items["host"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let isLocal = items["hostaddr"] == nil && hosts.allSatisfy { $0.hasPrefix("/") || $0.hasPrefix("@") }
        // Without a host, a service file or an environment variable may name one. libpq ignores the mode on Unix
        // sockets.
        if !isLocal, items["sslmode"] == nil { result["sslmode"] = "verify-full" }
        let defaults = [
            "application_name": "CoreData", "client_encoding": "UTF8", "keepalives": "1", "keepalives_idle": "30",
            "keepalives_interval": "10", "keepalives_count": "3", "tcp_user_timeout": "60000",
            "target_session_attrs": isReadOnly ? "any" : "read-write",
        ]
        return result.merging(defaults) { given, _ in given }
    }

    /// libpq's own message about a wrong name quotes the whole item.
    private static func checkNames(of items: [String: String], _ failure: (String) -> NSError) throws {
        guard let options = PQconndefaults() else { return }
        defer { PQconninfoFree(options) }
        var known: Set<String> = []
        var option = options
        while let keyword = option.pointee.keyword {
            known.insert(String(cString: keyword))
            option += 1
        }
        for key in items.keys.sorted() where !known.contains(key) {
            throw failure("The item \u{201c}\(key)\u{201d} of the URL is unknown.")
        }
        if items["client_encoding"].map({ $0.uppercased() != "UTF8" && $0.uppercased() != "UTF-8" }) == true {
            throw failure("The item client_encoding of the URL is not UTF8.")
        }
    }
}

extension PostgreSQLLocation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "\(publicURL.absoluteString), schema \(schema)" }
    package var debugDescription: String { description }
    /// Without the password that the properties have.
    package var customMirror: Mirror { Mirror(self, children: ["publicURL": publicURL, "schema": schema]) }
}
