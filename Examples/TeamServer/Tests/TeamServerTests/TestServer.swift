import CoreData
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

@testable import TeamServer

/// A server on a fresh database, in this process.
struct TestServer: Sendable {
    static let blue = "blue-token-of-16-or-more"
    static let red = "red-token-of-16-or-more"

    let settings: Settings
    private let folder: Folder

    /// A folder that is removed with its last reference.
    private final class Folder: Sendable {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("TeamServer-\(UUID().uuidString)")

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: url) }
    }

    init(_ configure: (inout Settings) -> Void = { _ in }) throws {
        folder = try Folder()
        var settings = Settings(
            database: folder.url.appendingPathComponent("teams.sqlite"),
            teams: [Self.blue: "blue", Self.red: "red"])
        settings.port = 0
        configure(&settings)
        self.settings = settings
    }

    func application() throws -> some ApplicationProtocol {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return try TeamServer(settings).application(logger)
    }

    /// Runs a body while the server listens on a port of its own.
    func run(_ body: @escaping @Sendable (Client) async throws -> Void) async throws {
        try await application().test(.live) { try await body(Client(client: $0)) }
    }
}

/// A client of the server that sends and gets JSON.
struct Client: Sendable {
    let client: any TestClientProtocol

    var port: Int { client.port ?? 0 }

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

    func send(
        _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil, token: String? = TestServer.blue,
        match: String? = nil
    ) async throws -> Answer {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.authorization] = token.map { "Bearer \($0)" }
        headers[.ifMatch] = match
        return try await client.execute(
            uri: uri, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) }
        ) { Answer(status: $0.status, headers: $0.headers, text: String(buffer: $0.body)) }
    }
}
