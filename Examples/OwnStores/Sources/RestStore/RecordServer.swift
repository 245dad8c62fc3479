import FlyingFox
import FlyingSocks
import Foundation
import OwnStores

/// Serves the records of a service in the process over HTTP, on the loopback address and a port that is free.
struct RecordServer {
    private let records = MemoryRecordService()
    /// The requests so far, as a log.
    let log = RequestLog()

    /// Runs a block while the server runs.
    ///
    /// - Parameter body: gets the port.
    func run(_ body: @escaping @Sendable (UInt16) async throws -> Void) async throws {
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
        await addRoutes(to: server)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            try await server.waitUntilListening()
            guard case .ip4(_, let port)? = await server.listeningAddress else { throw URLError(.cannotConnectToHost) }
            try await body(port)
            group.cancelAll()
        }
    }

    private func addRoutes(to server: HTTPServer) async {
        let (records, log) = (records, log)
        await server.appendRoute("GET /identifier") { _ in try Self.response(records.identifier()) }
        await server.appendRoute("GET /records/:entity") { request in
            let entity = request.routeParameters["entity"] ?? ""
            log.add("GET /records/\(entity)")
            return try Self.response(records.records(of: entity))
        }
        await server.appendRoute("GET /records/:entity/:id") { request in
            let name = RecordName(
                entity: request.routeParameters["entity"] ?? "", id: request.routeParameters["id"] ?? "")
            log.add("GET /records/\(name.entity)/…")
            guard let record = try records.record(name) else { return HTTPResponse(statusCode: .notFound) }
            return try Self.response(record)
        }
        await server.appendRoute("POST /changes") { request in
            let changes = try JSONDecoder().decode(RecordChanges.self, from: try await request.bodyData)
            let conflicts = try records.write(changes)
            log.add(
                """
                POST /changes: \(changes.inserted.count) new, \(changes.updated.count) changed, \
                \(changes.deleted.count) deleted\(conflicts.isEmpty ? "" : ": 409, \(conflicts.count) in conflict")
                """)
            return try Self.response(conflicts, status: conflicts.isEmpty ? .ok : .conflict)
        }
    }

    private static func response(_ value: some Encodable, status: HTTPStatusCode = .ok) throws -> HTTPResponse {
        HTTPResponse(
            statusCode: status, headers: [.contentType: "application/json"], body: try JSONEncoder().encode(value))
    }
}

/// The requests that the server has got. The lock guards the lines.
final class RequestLog: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    func add(_ line: String) { lock.withLock { lines.append(line) } }

    /// The lines since the last call.
    func take() -> [String] {
        lock.withLock {
            defer { lines = [] }
            return lines
        }
    }
}
