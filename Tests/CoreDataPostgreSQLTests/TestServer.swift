import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// The server that `COREDATA_POSTGRESQL_URL` names: see Scripts/test-postgresql.sh.
enum TestServer {
    static let url = ProcessInfo.processInfo.environment["COREDATA_POSTGRESQL_URL"].flatMap { URL(string: $0) }

    static var isPresent: Bool { url != nil }

    /// Whether stores on the server are in a cluster, or have its statements.
    static let cluster: PostgreSQLCluster = {
        guard isPresent, let connection = try? connect() else { return .none }
        defer { connection.close() }
        return (try? PostgreSQLCluster.find(connection)) ?? .none
    }()

    /// The URL for the tools of the server.
    static func toolURL() throws -> String {
        try requireValue(url).absoluteString.replacing(#/[?&]cluster=[a-z-]+/#, with: "")
    }

    /// The server, with further items of the URL.
    static func location(
        _ items: String = "", options: [AnyHashable: Any]? = nil
    ) throws -> PostgreSQLLocation {
        let text = try requireValue(url).absoluteString
        let separator = items.isEmpty ? "" : text.contains("?") ? "&" : "?"
        return try PostgreSQLLocation(url: try requireValue(URL(string: text + separator + items)), options: options)
    }

    static func connect() throws -> PostgreSQLConnection { try PostgreSQLConnection(location()) }

    /// Waits until a number of connections with an application's name wait for a lock.
    static func waitForLocks(_ count: Int, of application: String) throws {
        let connection = try connect()
        defer { connection.close() }
        let end = ContinuousClock.now + .seconds(300)
        let text = """
            SELECT count(*) FROM pg_stat_activity \
            WHERE application_name = '\(application)' AND wait_event_type = 'Lock'
            """
        while ContinuousClock.now < end {
            if try connection.execute(text)[0].int64(0) >= count { return }
            try connection.executeScript("SELECT pg_sleep(0.005)")
        }
        Issue.record("\(count) statements should wait for a lock.")
    }

    /// Waits until another connection waits for a lock of the open transaction of one.
    static func waitForLocks(of connection: PostgreSQLConnection) throws {
        let observer = try connect()
        defer { observer.close() }
        let end = ContinuousClock.now + .seconds(300)
        // In a cluster another server has the locks, and the coordinator collects its waits.
        let text =
            cluster == .citus
            ? "SELECT count(*) FROM citus_lock_waits"
            : """
            SELECT count(*) FROM pg_locks \
            WHERE NOT granted AND \(connection.backendProcess) = ANY(pg_blocking_pids(pid))
            """
        while ContinuousClock.now < end {
            if try observer.execute(text)[0].int64(0) > 0 { return }
            try observer.executeScript("SELECT pg_sleep(0.005)")
        }
        Issue.record("A statement should wait for a lock of the connection.")
    }

    /// Ends the server's process of a connection, as an administrator does.
    static func terminate(_ process: Int32, by connection: PostgreSQLConnection) throws {
        var parameters = PostgreSQLParameters()
        parameters.append(int32: process)
        // The second parameter of the function waits for the end.
        try connection.execute("SELECT pg_terminate_backend($1, 10000)", parameters)
    }
}

extension PostgreSQLConnection {
    /// Reads the rows of a select one by one.
    func read(
        _ select: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters(),
        _ body: (PostgreSQLRow) throws -> Void = { _ in }
    ) throws {
        let rows = try rows(ofSelect: select, parameters)
        while let row = try rows.next() { try body(row) }
    }

    /// The processor time of the server's process so far, in units of its system; nil where the system has no `/proc`.
    func serverProcessorTime() throws -> Int64? {
        // The 14th and the 15th field. The second one is the name of the program, in parentheses.
        let row = try execute(
            """
            SELECT split_part(fields, ' ', 12)::bigint + split_part(fields, ' ', 13)::bigint FROM \
            (SELECT regexp_replace(pg_read_file('/proc/self/stat', 0, 1000, true), '^.*\\) ', '') AS fields) AS f
            """)[0]
        return row.isNull(0) ? nil : row.int64(0)
    }
}

extension PostgreSQLConnectionPool<PostgreSQLConnection> {
    /// Makes a pool of connections without anything beside them.
    convenience init(
        _ location: PostgreSQLLocation, maximumSize: Int? = nil, timeout: TimeInterval? = nil,
        maximumAge: TimeInterval = 3600, maximumIdleTime: TimeInterval = 300
    ) {
        self.init(
            location, maximumSize: maximumSize, timeout: timeout, maximumAge: maximumAge,
            maximumIdleTime: maximumIdleTime
        ) { $0 }
    }
}

/// Counts and collects what handlers get on other threads.
final class Signals: @unchecked Sendable {
    private let condition = NSCondition()
    private var values: [String] = []

    func add(_ value: String) {
        condition.withLock {
            values.append(value)
            condition.broadcast()
        }
    }

    var all: [String] { condition.withLock { values } }

    /// Waits until the values satisfy a condition. The result is false after 300 seconds: on a busy machine threads and
    /// servers are late.
    func wait(until isSatisfied: ([String]) -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: 300)
        condition.lock()
        defer { condition.unlock() }
        while !isSatisfied(values) { guard condition.wait(until: end) else { return isSatisfied(values) } }
        return true
    }
}
