import CoreData
import FoundationNetworking
import Logging
import NotesModel
import NotesServer
import ServiceLifecycle

/// A server on a fresh file, in this process.
struct TestServer {
    static let token = "a-token-of-16-or-more"

    let url: URL

    /// Runs a body while the server listens on a free port, and shuts it down gracefully.
    static func run(_ body: (TestServer) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("notes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let server = NotesServer(store: folder.appendingPathComponent("Notes.sqlite"), token: token)
        let application = server.application(port: 0, logger: logger) { continuation.yield($0) }
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [application], logger: logger))
        let running = Task {
            defer { continuation.finish() }
            try await group.run()
        }
        var iterator = ports.makeAsyncIterator()
        let result: Result<Void, any Error>
        do {
            if let port = await iterator.next(), let url = URL(string: "http://127.0.0.1:\(port)/") {
                try await server.database.waitUntilReady()
                try await body(TestServer(url: url))
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await running.value
        try result.get()
    }

    /// Sends a request, and returns the status and the body.
    func send(
        _ method: String, _ path: String, _ body: Data? = nil, token: String? = token
    ) async throws -> (status: Int, body: Data) {
        guard let url = URL(string: path, relativeTo: url) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
    }
}
