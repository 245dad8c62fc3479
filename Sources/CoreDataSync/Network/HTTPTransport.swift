// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The way to a server over HTTP.
package final class HTTPTransport: SyncTransport {
    private let server: URL
    private let connections = HTTPConnections()
    /// The connection that listens: no other request takes it after the first one.
    private let listening = HTTPConnections()
    private let token: @Sendable () async throws -> String

    /// - Parameters:
    ///   - server: the URL below which the server has its paths.
    ///   - token: gives a token for the header `Authorization`. It is called for each request, and once more if the
    ///     server doesn't accept the token.
    package init(_ server: URL, token: @escaping @Sendable () async throws -> String) {
        self.server = server
        self.token = token
    }

    deinit {
        connections.end()
        listening.end()
    }

    package func answer(_ request: SyncRequest) async throws -> SyncResponse {
        let message = try SyncHTTP.message(request)
        for attempt in 0..<2 {
            var http = try await makeRequest(message.path)
            http.httpMethod = "POST"
            http.httpBody = message.body
            http.setValue(SyncHTTP.octets, forHTTPHeaderField: "Content-Type")
            let (answer, body) = try await connections.answer(http)
            if answer.statusCode == 401, attempt == 0 { continue }
            try Self.check(answer)
            return try SyncHTTP.response(
                status: answer.statusCode, type: answer.value(forHTTPHeaderField: "Content-Type") ?? "", body: body)
        }
        throw SyncTransportError.unauthorized
    }

    private func makeRequest(_ path: String) async throws -> URLRequest {
        var request = URLRequest(url: server.appendingPathComponent(path))
        request.setValue("Bearer \(try await token())", forHTTPHeaderField: "Authorization")
        return request
    }

    private static func check(_ answer: HTTPURLResponse) throws {
        if answer.statusCode == 401 { throw SyncTransportError.unauthorized }
        guard [429, 503].contains(answer.statusCode),
            let seconds = answer.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init), seconds.isFinite
        else { return }
        throw SyncTransportError.later(seconds: min(max(seconds, 0), 3600))
    }

    package func news() -> AsyncThrowingStream<Void, any Error> {
        // News that the reader hasn't met say nothing more than one.
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { stream in
            let listener = NewsListener(stream)
            let task = Task {
                do {
                    var request = try await self.makeRequest(SyncHTTP.newsPath)
                    request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
                    // The server sends a comment each 15 seconds.
                    request.timeoutInterval = 60
                    try await self.listening.open(request)
                    try await self.listening.listen(request, listener)
                    stream.finish()
                } catch {
                    stream.finish(throwing: error)
                }
            }
            stream.onTermination = { _ in task.cancel() }
        }
    }
}

/// Reads server-sent events. The queue of the connections calls it.
private final class NewsListener: HTTPReceiver, @unchecked Sendable {
    // Sendable: one queue uses it.
    private let stream: AsyncThrowingStream<Void, any Error>.Continuation
    private var lines = EventLines()

    init(_ stream: AsyncThrowingStream<Void, any Error>.Continuation) { self.stream = stream }

    func accepts(_ answer: HTTPURLResponse) throws {
        if answer.statusCode == 401 { throw SyncTransportError.unauthorized }
        let type = answer.value(forHTTPHeaderField: "Content-Type") ?? ""
        guard answer.statusCode == 200, type.hasPrefix("text/event-stream") else { throw URLError(.badServerResponse) }
    }

    func receive(_ data: Data) -> Bool {
        let isFirst = !lines.hasLine
        // The first line says that the connection is made: changes may have come before.
        if lines.add(data) || isFirst && lines.hasLine { stream.yield() }
        return true
    }
}

/// The lines of server-sent events.
struct EventLines {
    private var rest: [UInt8] = []
    /// Whether a line has come: an event, or a comment with which a server keeps a connection alive.
    private(set) var hasLine = false
    /// More bytes than a line of a server has.
    private static let longestLine = 1024

    /// Adds bytes of the connection.
    ///
    /// - Returns: whether an event is among them.
    mutating func add(_ data: Data) -> Bool {
        var hasEvent = false
        for byte in data {
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
                if rest.count < Self.longestLine { rest.append(byte) }
                continue
            }
            if rest.starts(with: Array("data:".utf8)) { hasEvent = true }
            if rest.contains(UInt8(ascii: ":")) { hasLine = true }
            rest = []
        }
        return hasEvent
    }
}
