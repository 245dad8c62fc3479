// SPDX-License-Identifier: Apache-2.0

import CoreData

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Takes the bytes of an answer that doesn't end.
protocol HTTPReceiver: AnyObject, Sendable {
    /// - Throws: the error for an answer of another kind.
    func accepts(_ answer: HTTPURLResponse) throws
    /// - Returns: false to end the connection.
    func receive(_ data: Data) -> Bool
}

/// Requests of one session, without cookies, cache and redirections: a token goes to the server alone.
///
/// A delegate has the bytes: Foundation on Linux follows redirections for tasks without one, and gives them the header
/// with the token.
final class HTTPConnections: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Sendable: the lock guards what changes.

    /// A request that is under way.
    private final class Work {
        let receiver: (any HTTPReceiver)?
        let continuation: CheckedContinuation<(HTTPURLResponse, Data), any Error>
        var answer: HTTPURLResponse?
        var data = Data()
        var failure: (any Error)?

        init(
            _ receiver: (any HTTPReceiver)?, _ continuation: CheckedContinuation<(HTTPURLResponse, Data), any Error>
        ) {
            (self.receiver, self.continuation) = (receiver, continuation)
        }
    }

    private let lock = NSLock()
    private var works: [Int: Work] = [:]
    private var madeSession: URLSession?
    private var isEnded = false
    /// The most bytes of an answer.
    private static let mostBytes = 1 << 30

    private func session() throws -> URLSession {
        try lock.withLock {
            guard !isEnded else { throw URLError(.cancelled) }
            if let madeSession { return madeSession }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            configuration.timeoutIntervalForRequest = 60
            configuration.httpCookieAcceptPolicy = .never
            configuration.httpShouldSetCookies = false
            let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
            madeSession = session
            return session
        }
    }

    /// Ends all connections. A session keeps its delegate until then.
    func end() {
        let session = lock.withLock {
            isEnded = true
            defer { madeSession = nil }
            return madeSession
        }
        session?.invalidateAndCancel()
    }

    /// Sends a request, and collects the answer.
    func answer(_ request: URLRequest) async throws -> (HTTPURLResponse, Data) { try await run(request, nil) }

    /// Makes the connection of a request that waits for long, by a short request whose answer doesn't matter.
    ///
    /// Foundation on Linux waits for room to write on each socket that it has connected, also when there is nothing to
    /// write, and so uses a whole core until the request has ended. A request on a connection that is there waits for
    /// bytes alone. A body of more than 64 KB has the same effect until it is answered.
    func open(_ request: URLRequest) async throws {
        #if canImport(FoundationNetworking)
            var request = request
            request.httpMethod = "HEAD"
            _ = try await answer(request)
        #endif
    }

    /// Sends a request, and gives the bytes of the answer to a receiver, until the connection ends.
    func listen(_ request: URLRequest, _ receiver: any HTTPReceiver) async throws {
        _ = try await run(request, receiver)
    }

    private func run(_ request: URLRequest, _ receiver: (any HTTPReceiver)?) async throws -> (HTTPURLResponse, Data) {
        let task = try session().dataTask(with: request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                lock.withLock { works[task.taskIdentifier] = Work(receiver, continuation) }
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }

    private func work(_ task: URLSessionTask) -> Work? { lock.withLock { works[task.taskIdentifier] } }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        guard let work = work(dataTask) else { return completionHandler(.cancel) }
        do {
            guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            work.answer = answer
            try work.receiver?.accepts(answer)
            completionHandler(.allow)
        } catch {
            work.failure = error
            completionHandler(.cancel)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let work = work(dataTask) else { return }
        if let receiver = work.receiver {
            if !receiver.receive(data) { dataTask.cancel() }
            return
        }
        guard work.data.count + data.count <= Self.mostBytes else {
            work.failure = URLError(.dataLengthExceedsMaximum)
            return dataTask.cancel()
        }
        work.data.append(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let work = lock.withLock({ works.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let failure = work.failure ?? error {
            work.continuation.resume(throwing: failure)
        } else if let answer = work.answer {
            work.continuation.resume(returning: (answer, work.data))
        } else {
            work.continuation.resume(throwing: URLError(.badServerResponse))
        }
    }
}
