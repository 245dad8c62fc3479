// SPDX-License-Identifier: Apache-2.0

import CoreDataSyncServer
import Foundation
import Hummingbird
import ServiceLifecycle

/// The context of a request, with its account.
struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The account of the token.
    var account = SyncAccount("")

    init(source: Source) { coreContext = .init(source: source) }
}

/// Finds the account of a request's token.
struct TokenMiddleware: RouterMiddleware {
    let accounts: Accounts
    /// The only account that may ask; nil for each.
    var only: String?

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard let account = await accounts.account(authorization: request.headers[.authorization]) else {
            return Response(status: .unauthorized, headers: [.wwwAuthenticate: "Bearer"])
        }
        guard only == nil || only == account.name else { return Response(status: .forbidden) }
        var context = context
        context.account = account
        return try await next(request, context)
    }
}

/// The requests of devices, and the news for them.
struct SyncRoutes: Sendable {
    let sync: SyncServer

    func add(to group: RouterGroup<ServerContext>) {
        group.post(":kind") { request, context in
            let kind = try context.parameters.require("kind")
            var request = request
            let path = "sync/\(kind)"
            let body = try await request.collectBody(upTo: sync.mostBytes(of: path))
            guard
                let response = await sync.respond(
                    to: path, body: Data(buffer: body), account: context.account)
            else { throw HTTPError(.notFound) }
            var headers: HTTPFields = [.contentType: response.contentType, .cacheControl: "no-store"]
            if let seconds = response.retryAfter { headers[.retryAfter] = "\(seconds)" }
            return Response(
                status: .init(code: response.status), headers: headers,
                body: .init(byteBuffer: ByteBuffer(data: response.body)))
        }
        // A device makes the connection by which it listens by a request that ends.
        group.head("news") { _, _ in Response(status: .ok) }
        group.get("news") { _, context in
            // From here on: the device asks for changes when the answer begins.
            let events = NewsEvents(sync.news(for: context.account))
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: ResponseBody { writer in
                    // A server that ends doesn't wait for those that listen.
                    for await _ in events.signals.cancelOnGracefulShutdown() {
                        try await writer.write(ByteBuffer(string: events.take()))
                    }
                    try await writer.finish(nil)
                })
        }
    }
}

/// Server-sent events, and a comment each 15 seconds, by which both sides notice that a connection is lost.
private final class NewsEvents: Sendable {
    /// An element when there is something to send. A slow device gets several as one.
    let signals: AsyncStream<Void>
    private let flag = NewsFlag()
    private let tasks: [Task<Void, Never>]

    init(_ news: AsyncStream<Void>) {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.signals = signals
        let flag = flag
        tasks = [
            Task {
                for await _ in news {
                    flag.raise()
                    signal.yield()
                }
            },
            Task {
                while !Task.isCancelled {
                    signal.yield()
                    try? await Task.sleep(for: .seconds(15))
                }
            },
        ]
    }

    deinit { for task in tasks { task.cancel() } }

    /// The text of the event, or of a comment if there is no news.
    func take() -> String { flag.take() ? SyncServer.event : ":\n\n" }
}

/// Whether there is news that wasn't sent.
private final class NewsFlag: @unchecked Sendable {
    // Sendable: the lock guards the flag.
    private let lock = NSLock()
    private var isRaised = false

    func raise() { lock.withLock { isRaised = true } }

    func take() -> Bool {
        lock.withLock {
            defer { isRaised = false }
            return isRaised
        }
    }
}
