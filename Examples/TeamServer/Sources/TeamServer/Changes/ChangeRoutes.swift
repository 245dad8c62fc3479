import CoreData
import HTTPTypes
import Hummingbird

/// Live changes as server-sent events.
struct ChangeRoutes: Sendable {
    let feed: ChangeFeed

    func add(to group: RouterGroup<TeamContext>) {
        group.get("changes") { request, context in try await changes(request, context) }
        group.refuseOtherMethods("changes", than: [.get])
    }

    private func changes(_ request: Request, _ context: TeamContext) async throws -> Response {
        try Self.checkBody(request)
        let (feed, team, number) = (feed, context.team, try Self.lastEvent(request))
        let position: ChangeHistory.Position?
        do {
            position = try await feed.position(after: number)
        } catch is ChangeFeed.Gone {
            throw HTTPError(
                .gone,
                message: "The changes after this event are not kept, or too many: read the objects again, "
                    + "and listen without Last-Event-ID.")
        }
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
            // A client that goes away ends the task, and with it the subscription.
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                try await feed.listen(team, after: position) { newest in
                    // An ID without data is no event, but the client knows from where to go on.
                    let id = newest.map { "id: \($0)\n" } ?? ""
                    try await writer.write(ByteBuffer(string: ": connected\n\(id)\n"))
                } _: { message in
                    switch message {
                    case .alive: try await writer.write(ByteBuffer(string: ": alive\n\n"))
                    case .transaction(let transaction):
                        guard let events = try transaction.events(of: team) else { return }
                        try await writer.write(ByteBuffer(string: events))
                    }
                }
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
    }

    /// Refuses a request with a body. The events leave it unread, and Hummingbird would wait without an end for a place
    /// for its fifth part: the answer, and with it the server, would never end.
    private static func checkBody(_ request: Request) throws {
        let headers = request.headers
        guard headers[.transferEncoding] == nil, headers[.contentLength].map({ Int($0) == 0 }) ?? true else {
            throw HTTPError(.badRequest, message: "A request for changes has no body.")
        }
    }

    /// The number of the last transaction that the client knows; nil for a new client.
    private static func lastEvent(_ request: Request) throws -> Int64? {
        guard let text = HTTPField.Name("Last-Event-ID").flatMap({ request.headers[$0] }) else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw HTTPError(.badRequest, message: "Last-Event-ID is the id of an event, which is a number.")
        }
        return number
    }
}
