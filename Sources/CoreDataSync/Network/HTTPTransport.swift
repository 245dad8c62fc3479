// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The way to a server over HTTP.
package final class HTTPTransport: SyncTransport {
    private let server: URL
    private let session: URLSession
    private let token: @Sendable () async throws -> String

    /// - Parameters:
    ///   - server: the URL below which the server has its paths.
    ///   - token: gives a token for the header `Authorization`. It is called for each request, and once more if the
    ///     server doesn't accept the token.
    package init(_ server: URL, token: @escaping @Sendable () async throws -> String) {
        self.server = server
        self.token = token
        let configuration = URLSessionConfiguration.ephemeral
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = 60
        configuration.httpCookieAcceptPolicy = .never
        session = URLSession(configuration: configuration)
    }

    deinit { session.finishTasksAndInvalidate() }

    package func answer(_ request: SyncRequest) async throws -> SyncResponse {
        let message = try SyncHTTP.message(request)
        for attempt in 0..<2 {
            var http = try await makeRequest(message.path)
            http.httpMethod = "POST"
            http.httpBody = message.body
            http.setValue(SyncHTTP.octets, forHTTPHeaderField: "Content-Type")
            let (body, answer) = try await session.data(for: http)
            guard let answer = answer as? HTTPURLResponse else { throw URLError(.badServerResponse) }
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
                    listener.start(request)
                } catch {
                    stream.finish(throwing: error)
                }
            }
            stream.onTermination = { _ in
                task.cancel()
                listener.cancel()
            }
        }
    }
}

/// A connection with server-sent events. Foundation on Linux gives the bytes of an answer that doesn't end to a
/// delegate alone.
private final class NewsListener: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Sendable: the lock guards what changes.
    private let stream: AsyncThrowingStream<Void, any Error>.Continuation
    private let lock = NSLock()
    private var session: URLSession?
    private var isCancelled = false
    private var lines = EventLines()

    init(_ stream: AsyncThrowingStream<Void, any Error>.Continuation) { self.stream = stream }

    func start(_ request: URLRequest) {
        lock.withLock {
            guard !isCancelled else { return }
            let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
            self.session = session
            session.dataTask(with: request).resume()
        }
    }

    func cancel() {
        lock.withLock {
            isCancelled = true
            session?.invalidateAndCancel()
            session = nil
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else {
            stream.finish(throwing: status == 401 ? SyncTransportError.unauthorized : URLError(.badServerResponse))
            return completionHandler(.cancel)
        }
        stream.yield()
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let hasNews = lock.withLock { lines.add(data) }
        if hasNews { stream.yield() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        stream.finish(throwing: error)
        session.finishTasksAndInvalidate()
    }
}

/// The lines of server-sent events.
struct EventLines {
    private var rest: [UInt8] = []
    /// More bytes than a line of a server has.
    private static let longestLine = 1024

    /// Adds bytes of the connection.
    ///
    /// - Returns: whether an event is among them. Comments, with which a server keeps a connection alive, are none.
    mutating func add(_ data: Data) -> Bool {
        var hasEvent = false
        for byte in data {
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
                if rest.count < Self.longestLine { rest.append(byte) }
                continue
            }
            if rest.starts(with: Array("data:".utf8)) { hasEvent = true }
            rest = []
        }
        return hasEvent
    }
}
