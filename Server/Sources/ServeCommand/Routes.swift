// SPDX-License-Identifier: Apache-2.0

import CoreDataSyncServer
import Foundation
import Hummingbird

/// What the server knows of a request.
struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The user of the token.
    var user = ""

    init(source: Source) { coreContext = .init(source: source) }
}

/// Finds the user of a request's token.
struct TokenMiddleware: RouterMiddleware {
    let users: UserTokens

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard let user = users.user(authorization: request.headers[.authorization]) else {
            return Response(status: .unauthorized, headers: [.wwwAuthenticate: "Bearer"])
        }
        var context = context
        context.user = user
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
            let body = try await request.collectBody(upTo: sync.mostBytes)
            guard
                let response = await sync.respond(
                    to: "sync/\(kind)", body: Data(buffer: body), account: SyncAccount(context.user))
            else { throw HTTPError(.notFound) }
            var headers: HTTPFields = [.contentType: response.contentType, .cacheControl: "no-store"]
            if let seconds = response.retryAfter { headers[.retryAfter] = "\(seconds)" }
            return Response(
                status: .init(code: response.status), headers: headers,
                body: .init(byteBuffer: ByteBuffer(data: response.body)))
        }
        group.get("news") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: ResponseBody { writer in
                    for await text in events() { try await writer.write(ByteBuffer(string: text)) }
                    try await writer.finish(nil)
                })
        }
    }

    /// Server-sent events, and a comment each 15 seconds, by which both sides notice that a connection is lost.
    private func events() -> AsyncStream<String> {
        AsyncStream(bufferingPolicy: .bufferingNewest(2)) { stream in
            let news = Task {
                for await _ in sync.news() { stream.yield(SyncServer.event) }
            }
            let beat = Task {
                while !Task.isCancelled {
                    stream.yield(":\n\n")
                    try? await Task.sleep(for: .seconds(15))
                }
            }
            stream.onTermination = { _ in
                news.cancel()
                beat.cancel()
            }
        }
    }
}
