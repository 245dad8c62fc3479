import CoreData
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// Live changes as server-sent events.
struct ChangeRoutes: Sendable {
    /// A line that tells clients and proxies that the connection lives.
    private static let keepAlive = Duration.seconds(15)

    let feed: ChangeFeed

    func add(to group: RouterGroup<TeamContext>) {
        group.get("changes") { request, context in try await changes(request, context) }
    }

    private func changes(_ request: Request, _ context: TeamContext) async throws -> Response {
        let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
        var transaction: Int64?
        if let last {
            guard let number = Int64(last), number >= 0 else { throw HTTPError(.badRequest) }
            transaction = number
        }
        let events = try await feed.events(of: context.team, after: transaction)
        let lines = AsyncStream<ByteBuffer>.makeStream(bufferingPolicy: .bufferingOldest(1024))
        let task = Task {
            for await event in events {
                let json = String(decoding: (try? event.json.json()) ?? Data(), as: UTF8.self)
                let text = "id: \(event.transaction)\nevent: change\ndata: \(json)\n\n"
                if case .dropped = lines.continuation.yield(ByteBuffer(string: text)) { break }
            }
            lines.continuation.finish()
        }
        let ticks = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: Self.keepAlive)
                lines.continuation.yield(ByteBuffer(string: ": alive\n\n"))
            }
        }
        lines.continuation.onTermination = { _ in
            task.cancel()
            ticks.cancel()
        }
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: ": connected\nretry: 1000\n\n"))
            for await line in lines.stream.cancelOnGracefulShutdown() { try await writer.write(line) }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
    }
}
