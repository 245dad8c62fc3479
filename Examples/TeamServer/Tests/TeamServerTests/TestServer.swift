import CoreData
import CoreDataPostgreSQL
import HTTPTypes
import Logging
import ServiceLifecycle
import Testing

@testable import TeamServer

/// A server on a fresh database, in this process.
struct TestServer: Sendable {
    static let blue = "blue-token-of-16-or-more"
    static let red = "red-token-of-16-or-more"

    let settings: Settings
    private let database: Database
    /// Whether no other server of the test is on the same database.
    private var isFirst = true
    private static let places = Places(8)

    /// A file, or a schema on the server that `COREDATA_POSTGRESQL_URL` names. It is removed with its last reference.
    private final class Database: Sendable {
        let url: URL

        init() throws {
            let name = "team_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "_")
            if let server = ProcessInfo.processInfo.environment["COREDATA_POSTGRESQL_URL"] {
                url = try #require(URL(string: "\(server)\(server.contains("?") ? "&" : "?")schema=\(name)"))
            } else {
                let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                url = folder.appendingPathComponent("teams.sqlite")
            }
        }

        deinit {
            guard !url.isFileURL else {
                try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
                return
            }
            try? NSPersistentStoreCoordinator(managedObjectModel: TeamModel.make())
                .destroyPersistentStore(at: url, type: .postgreSQL)
        }
    }

    init(_ configure: (inout Settings) -> Void = { _ in }) throws {
        database = try Database()
        var settings = Settings(database: database.url, teams: [Self.blue: "blue", Self.red: "red"])
        settings.port = 0
        configure(&settings)
        self.settings = settings
    }

    /// Another server on the same database.
    func another(_ configure: (inout Settings) -> Void = { _ in }) throws -> TestServer {
        var other = try TestServer {
            $0.database = settings.database
            configure(&$0)
        }
        other.isFirst = false
        return other
    }

    /// Whether the databases of the tests are on a PostgreSQL server.
    static var isPostgreSQL: Bool { ProcessInfo.processInfo.environment["COREDATA_POSTGRESQL_URL"] != nil }

    /// Runs a body while the server listens on a free port, and shuts it down gracefully.
    func run(_ body: @escaping @Sendable (Client) async throws -> Void) async throws {
        try await runServer { client, _ in try await body(client) }
    }

    /// As `run(_:)`, with the parts of the server.
    func runServer(_ body: @escaping @Sendable (Client, TeamServer) async throws -> Void) async throws {
        if isFirst { await Self.places.take() }
        let result = await Task { try await runNow(body) }.result
        if isFirst { await Self.places.leave() }
        try result.get()
    }

    private func runNow(_ body: @escaping @Sendable (Client, TeamServer) async throws -> Void) async throws {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let server = TeamServer(settings, logger: logger)
        let application = try server.application { port in
            continuation.yield(port)
            continuation.finish()
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [application], logger: logger))
        let running = Task {
            defer { continuation.finish() }
            try await group.run()
        }
        do {
            var iterator = ports.makeAsyncIterator()
            if let port = await iterator.next() { try await body(Client(port: port), server) }
        } catch {
            await group.triggerGracefulShutdown()
            try? await running.value
            throw error
        }
        await group.triggerGracefulShutdown()
        try await running.value
    }
}

/// The number of servers that run at the same time: a server of databases has few connections.
private actor Places {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

/// Waits until something is so, at most for half a minute.
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return false
}

/// A client of the server that sends and gets JSON.
struct Client: Sendable {
    let port: Int

    struct Answer: Sendable {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let text: String

        /// The JSON as a dictionary.
        var values: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
        }
        var key: String { values["key"] as? String ?? "" }
        /// The message of an error.
        var message: String { (values["error"] as? [String: Any])?["message"] as? String ?? "" }
        /// The key paths of the problems.
        var problems: [String] {
            (values["problems"] as? [[String: Any]] ?? []).compactMap { $0["keyPath"] as? String }
        }
        var items: [[String: Any]] { values["items"] as? [[String: Any]] ?? [] }
    }

    struct NoAnswer: Error {}

    /// Sends a request on a new connection.
    func send(
        _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil, token: String? = TestServer.blue,
        match: String? = nil, headers: [String: String] = [:]
    ) async throws -> Answer {
        var text = "\(method.rawValue) \(uri) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        if let token { text += "Authorization: Bearer \(token)\r\n" }
        if let match { text += "If-Match: \(match)\r\n" }
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
        text += "\r\n" + (body ?? "")
        let request = text
        let connection = try await Connection.onThread {
            let connection = try Connection(port: port)
            try connection.send(request)
            return connection
        }
        return try Self.answer(try await connection.receiveAll())
    }

    /// Begins to listen to the changes of a team.
    ///
    /// - Parameter last: the number of the last event that the client knows.
    func listen(_ token: String = TestServer.blue, after last: String? = nil) throws -> Connection {
        let connection = try Connection(port: port)
        let header = last.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        try connection.send(
            "GET /changes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\(header)\r\n")
        return connection
    }

    /// Makes a task and returns the number of its event.
    func lastEvent() async throws -> String {
        let listening = try listen()
        _ = try await listening.receive(until: ": connected")
        let key = try await send(.post, "/tasks", #"{"title":"known"}"#).key
        let text = try await listening.receive(until: key)
        return String(text.components(separatedBy: "id: ").last?.prefix { $0.isNumber } ?? "")
    }

    private static func answer(_ text: String) throws -> Answer {
        guard let end = text.range(of: "\r\n\r\n") else { throw NoAnswer() }
        var lines = text[..<end.lowerBound].components(separatedBy: "\r\n")[...]
        guard let code = lines.popFirst()?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw NoAnswer()
        }
        var headers = HTTPFields()
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if parts.count == 2, let name = HTTPField.Name(parts[0]) { headers[name] = parts[1] }
        }
        return Answer(
            status: HTTPResponse.Status(code: code), headers: headers, text: String(text[end.upperBound...]))
    }
}
