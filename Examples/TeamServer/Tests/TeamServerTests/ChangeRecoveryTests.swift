import CoreData
import Dispatch
import HTTPTypes
import Logging
import Testing

@testable import TeamServer

/// Clients that come again, and a feed whose database fails.
@Suite("Going on with changes")
struct ChangeRecoveryTests {
    private func status(_ client: Client, after last: String) async throws -> Client.Answer {
        try await client.send(.get, "/changes", headers: ["Last-Event-ID": last])
    }

    @Test(
        "An event that the history doesn't have is gone",
        arguments: ["0", "9000000000000000000", "9223372036854775807"])
    func unknownEvents(last: String) async throws {
        try await TestServer().run { client in
            let answer = try await status(client, after: last)
            #expect(answer.status == .gone)
            #expect(answer.message.contains("read the objects again"))
        }
    }

    @Test("An event that is no number is refused", arguments: ["", "x", "-1", "1.5", "99999999999999999999"])
    func otherTexts(last: String) async throws {
        try await TestServer().run { client in
            let answer = try await status(client, after: last)
            #expect(answer.status == .badRequest)
            #expect(answer.message.contains("Last-Event-ID"))
        }
    }

    @Test("An event after which history was deleted is gone, and new clients hear what follows")
    func deletedHistory() async throws {
        try await TestServer().runServer { client, server in
            let id = try await client.lastEvent()
            for title in ["a", "b"] { _ = try await client.send(.post, "/tasks", #"{"title":"\#(title)"}"#) }
            try await #expect(eventually { try await server.feed.position(after: Int64(id)) != nil })
            try await server.database.perform { try ChangeHistory.deleteOld(before: .distantFuture, $0) }
            try await #expect(status(client, after: id).status == .gone)
            // The feed may have missed something, too. It would end the streams that it has then.
            try await server.feed.readNew()
            let listening = try client.listen()
            _ = try await listening.receive(until: ": connected")
            let key = try await client.send(.post, "/tasks", #"{"title":"c"}"#).key
            let text = try await listening.receive(until: key)
            #expect(text.components(separatedBy: "event: change").count == 2)
        }
    }

    private struct Connected: Error {}

    /// Listens until the feed calls the client connected, and returns whether it does.
    private func isConnected(_ feed: ChangeFeed) async throws -> Bool {
        do {
            try await feed.listen("blue", after: nil) { _ in
                throw Connected()
            } _: { _ in
            }
            return false
        } catch is Connected {
            return true
        }
    }

    @Test("A feed without a place in the history accepts no client, which would miss what is committed meanwhile")
    func clientDuringRestart() async throws {
        try await TestServer().runServer { _, server in
            // This feed doesn't run: it reads when the test says so.
            let feed = ChangeFeed(server.database, logger: Logger(label: "test"))
            let isEarly = try await isConnected(feed)
            #expect(!isEarly)
            #expect(try await feed.position(after: nil) == nil)
            let isInTime = try await isConnected(feed)
            #expect(isInTime)
            // Transactions that follow are deleted after the client has asked for its place.
            let end = try await server.database.perform { try ChangeHistory.end(age: 3600, limit: 10, $0) }
            feed.restart(after: end.token)
            let isDuringRestart = try await isConnected(feed)
            #expect(!isDuringRestart)
            try await feed.readNew()
            let isAfterwards = try await isConnected(feed)
            #expect(isAfterwards)
            #expect(feed.subscriberCount == 0)
        }
    }

    @Test("An event that too many changes follow is gone")
    func tooManyChanges() async throws {
        try await TestServer { $0.changes.changeLimit = 2 }.run { client in
            let id = try await client.lastEvent()
            for _ in 0..<2 { _ = try await client.send(.post, "/tasks", #"{"title":"a"}"#) }
            let listening = try client.listen(after: id)
            _ = try await listening.receive(until: ": connected")
            _ = try await client.send(.post, "/tasks", #"{"title":"a"}"#)
            try await #expect(status(client, after: id).status == .gone)
        }
    }

    @Test("A client that has missed more transactions than are read at a time gets each of them once")
    func manyTransactions() async throws {
        try await TestServer().runServer { client, server in
            let id = try await client.lastEvent()
            let last = UUID()
            try await server.database.perform { context in
                for number in 1...1100 {
                    let task = NSEntityDescription.insertNewObject(forEntityName: "Task", into: context)
                    task.setValue(number == 1100 ? last : UUID(), forKey: "key")
                    task.setValue("blue", forKey: "owner")
                    task.setValue("Task \(number)", forKey: "title")
                    try context.save()
                }
            }
            let text = try await client.listen(after: id).receive(until: last.uuidString)
            #expect(text.components(separatedBy: "event: change").count - 1 == 1100)
        }
    }

    @Test("A client goes on at another server, which has not read as far yet")
    func anotherServer() async throws {
        let server = try TestServer()
        try await server.run { first in
            try await server.another().runServer { second, other in
                let id = try await first.lastEvent()
                #expect(try await other.feed.position(after: Int64(id)) != nil)
                let key = try await first.send(.post, "/tasks", #"{"title":"a"}"#).key
                try await #expect(second.listen(after: id).receive(until: key).contains("insert"))
            }
        }
    }

    @Test("The end of a history is that of its newest transaction, however old it is")
    func endOfHistory() async throws {
        try await TestServer().runServer { client, server in
            _ = try await client.send(.post, "/tasks", #"{"title":"a"}"#)
            try await server.database.perform { context in
                // No transaction is young enough.
                let end = try ChangeHistory.end(age: 0, limit: 10, context)
                #expect(end.newest.isEmpty)
                try #expect(ChangeHistory.part(after: end.token, context).transactions.isEmpty)
                try #expect(!ChangeHistory.end(age: 3600, limit: 10, context).newest.isEmpty)
            }
        }
    }

    @Test("A client that comes while the feed waits for the database hears what is read then")
    func clientDuringReading() async throws {
        let server = try TestServer { $0.workLimit = 1 }
        try await server.runServer { client, parts in
            try await server.another().run { other in
                let (started, startedContinuation) = AsyncStream<Void>.makeStream()
                let isReleased = DispatchSemaphore(value: 0)
                // The only work that may run.
                let work = Task {
                    try await parts.database.perform { _ in
                        startedContinuation.yield()
                        isReleased.wait()
                    }
                }
                for await _ in started { break }
                // Without clients the feed begins to wait for its turn here.
                let reading = Task { try await parts.feed.readNew() }
                _ = try await other.send(.post, "/tasks", #"{"title":"a"}"#)
                let listening = try client.listen()
                _ = try await listening.receive(until: ": connected")
                let key = try await other.send(.post, "/tasks", #"{"title":"b"}"#).key
                isReleased.signal()
                try await work.value
                try await reading.value
                try await #expect(listening.receive(until: key).contains(key))
            }
        }
    }

    @Test("The feed goes on after errors of the database, and the server with it")
    func errors() async throws {
        try await TestServer { $0.changes.pause = .milliseconds(5) }.runServer { client, server in
            let listening = try client.listen()
            _ = try await listening.receive(until: ": connected")
            let coordinator = server.database.container.persistentStoreCoordinator
            let store = try #require(coordinator.persistentStores.first)
            try coordinator.remove(store)
            await #expect(throws: NSError.self) { try await server.feed.readNew() }
            NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator)
            try await #expect(client.send(.get, "/health").status == .noContent)
            for description in server.database.container.persistentStoreDescriptions {
                coordinator.addPersistentStore(with: description) { #expect($1 == nil) }
            }
            let key = try await client.send(.post, "/tasks", #"{"title":"a"}"#).key
            try await #expect(listening.receive(until: key).contains(key))
        }
    }

    @Test("An object whose row is gone by now has no insertion, and a history that can't be read is an error")
    func missingRows() async throws {
        try await TestServer().runServer { client, server in
            let begin = try await server.database.perform { try ChangeHistory.end(age: 3600, limit: 10, $0) }
            for title in ["a", "b"] { _ = try await client.send(.post, "/tasks", #"{"title":"\#(title)"}"#) }
            try await server.database.perform { context in
                let tasks = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Task"))
                context.delete(tasks[0])
                try context.save()
                let part = try ChangeHistory.part(after: begin.token, context)
                let types = part.transactions.flatMap { $0.changes["blue"] ?? [] }.map { $0["type"] }
                #expect(types == [.string("insert"), .string("delete")])
                let coordinator = server.database.container.persistentStoreCoordinator
                for store in coordinator.persistentStores { try coordinator.remove(store) }
                #expect(throws: NSError.self) { try ChangeHistory.part(after: begin.token, context) }
            }
        }
    }
}
