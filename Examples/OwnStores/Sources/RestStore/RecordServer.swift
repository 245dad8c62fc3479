import Foundation
import Hummingbird
import OwnStores

/// Serves the records of a service in the process over HTTP, on the loopback address and a port that is free.
struct RecordServer {
    private let records = MemoryRecordService()
    /// The requests so far, as a log.
    let log = RequestLog()

    /// Runs a block while the server runs.
    ///
    /// - Parameter body: gets the port.
    func run(_ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in continuation.yield(channel.localAddress?.port ?? 0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            for await port in ports {
                try await body(port)
                break
            }
            group.cancelAll()
        }
    }

    private var router: Router<BasicRequestContext> {
        let (records, log) = (records, log)
        let router = Router()
        router.get("identifier") { _, _ in try Self.response(records.identifier()) }
        router.get("records/:entity") { _, context in
            let entity = try context.parameters.require("entity")
            log.add("GET /records/\(entity)")
            return try Self.response(records.records(of: entity))
        }
        router.get("records/:entity/:id") { _, context in
            let name = RecordName(
                entity: try context.parameters.require("entity"), id: try context.parameters.require("id"))
            log.add("GET /records/\(name.entity)/…")
            guard let record = try records.record(name) else { throw HTTPError(.notFound) }
            return try Self.response(record)
        }
        router.post("changes") { request, _ in
            let body = try await request.body.collect(upTo: 16 << 20)
            let changes = try JSONDecoder().decode(RecordChanges.self, from: Data(body.readableBytesView))
            let conflicts = try records.write(changes)
            log.add(
                """
                POST /changes: \(changes.inserted.count) new, \(changes.updated.count) changed, \
                \(changes.deleted.count) deleted\(conflicts.isEmpty ? "" : ": 409, \(conflicts.count) in conflict")
                """)
            return try Self.response(conflicts, status: conflicts.isEmpty ? .ok : .conflict)
        }
        return router
    }

    private static func response(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let data = try JSONEncoder().encode(value)
        return Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
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
