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

    /// Runs a body while the server listens on a port of its own, and shuts it down gracefully.
    func run(_ body: @escaping @Sendable (Client) async throws -> Void) async throws {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let application = try TeamServer(settings).application(logger) { port in
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
            if let port = await iterator.next() { try await body(Client(port: port)) }
        } catch {
            await group.triggerGracefulShutdown()
            try? await running.value
            throw error
        }
        await group.triggerGracefulShutdown()
        try await running.value
    }
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
        /// The key paths of the problems.
        var problems: [String] {
            (values["problems"] as? [[String: Any]] ?? []).compactMap { $0["keyPath"] as? String }
        }
        var items: [[String: Any]] { values["items"] as? [[String: Any]] ?? [] }
    }

    struct NoAnswer: Error {}

    /// Sends a request on a connection of its own.
    func send(
        _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil, token: String? = TestServer.blue,
        match: String? = nil
    ) async throws -> Answer {
        var text = "\(method.rawValue) \(uri) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        if let token { text += "Authorization: Bearer \(token)\r\n" }
        if let match { text += "If-Match: \(match)\r\n" }
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
