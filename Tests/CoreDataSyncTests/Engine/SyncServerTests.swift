import CoreData
import CoreDataSyncServer
import CoreDataSyncWire
import Foundation
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataSync
@testable import sync_simulator

@Suite("A server's half without a framework") struct SyncServerTests {
    /// The way of a device to a server in the process.
    private struct Transport: SyncTransport {
        let server: SyncServer
        let requests = LockedValue(0)

        func answer(_ request: SyncRequest) async throws -> SyncResponse {
            requests.withLock { $0 += 1 }
            let message = try SyncHTTP.message(request)
            let account = SyncAccount("ann")
            let response = try requireValue(
                await server.respond(to: message.path, body: message.body, account: account))
            return try SyncHTTP.response(status: response.status, type: response.contentType, body: response.body)
        }

        func news() -> AsyncThrowingStream<Void, any Error> {
            let news = server.news()
            return AsyncThrowingStream { stream in
                let task = Task {
                    for await _ in news { stream.yield() }
                    stream.finish()
                }
                stream.onTermination = { _ in task.cancel() }
            }
        }
    }

    private static func store(_ model: NSManagedObjectModel, _ url: URL) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let keys = [NSPersistentHistoryTrackingKey, NSPersistentStoreRemoteChangeNotificationPostOptionKey]
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: Dictionary(uniqueKeysWithValues: keys.map { ($0, NSNumber(value: true)) }))
        return coordinator
    }

    @Test("tells devices of positions, and of nothing else that it saves")
    func news() async throws {
        let folder = try TemporaryFolder()
        let stores = try Self.store(SyncServer.model(for: SimulationModel.model), folder.file("server.sqlite"))
        var configuration = SyncServer.Configuration()
        configuration.hook = { _ in .replica }
        let server = try SyncServer(stores, configuration)
        let (one, two) = (Transport(server: server), Transport(server: server))
        let apps = try ["one", "two"].map { try Self.store(SimulationModel.model, folder.file("\($0).sqlite")) }
        let engines = [
            try SyncEngine(apps[0], SyncEngine.Configuration(), one),
            try SyncEngine(apps[1], SyncEngine.Configuration(), two),
        ]
        for engine in engines {
            try await engine.start()
            try await engine.syncNow()
        }
        let events = engines[1].events
        let context = SimulatedStore.context(apps[0])
        try await context.perform {
            context.insertNote("Milk")
            try context.save()
        }
        for await event in events where event == .imported { break }
        // The server's own program saves.
        let other = SimulatedStore.context(stores)
        try await other.perform {
            other.insertNote("Salt")
            try other.save()
        }
        for await event in events where event == .imported { break }
        for engine in engines { try await engine.waitForPending() }
        let news = server.news()
        for engine in engines { try await engine.syncNow() }
        for engine in engines { await engine.stop() }
        for transport in [one, two] { #expect(transport.requests.withLock { $0 } < 30) }
        // The next news are those of the next save.
        try await other.perform {
            other.insertNote("Bread")
            try other.save()
        }
        for await _ in news { break }
    }

    @Test("tells an account of what is saved in its scopes")
    func newsOfScopes() async throws {
        let folder = try TemporaryFolder()
        let stores = try Self.store(SyncServer.model(for: ScopedModel.make()), folder.file("server.sqlite"))
        var configuration = SyncServer.Configuration()
        configuration.scopes = ScopedModel.scopes
        let server = try SyncServer(stores, configuration)
        let accounts = ["ada", "grace"].map { SyncAccount($0, constants: ["SHARED": []]) }
        let streams = accounts.map { server.news(for: $0) }
        // Without its constants an account hears of everything.
        let all = server.news(for: SyncAccount("mary"))
        let context = SimulatedStore.context(stores)
        for round in 0..<3 {
            for (account, stream) in zip(accounts, streams) {
                try await context.perform {
                    context.insert("Note", "title", "\(round)").setValue(account.name, forKey: "owner")
                    try context.save()
                }
                for await _ in stream { break }
                for await _ in all { break }
            }
        }
        expectEqual(server.listenerCount, 3)
    }

    @Test("refuses a model with an entity of its own name")
    func model() throws {
        let entity = NSEntityDescription()
        entity.name = "SyncObject"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        #expect(throws: (any Error).self) { try SyncServer.model(for: model) }
    }

    @Test("answers a path that is none with nil, and a body that is none with 400")
    func paths() async throws {
        let folder = try TemporaryFolder()
        let stores = try Self.store(SyncServer.model(for: SimulationModel.model), folder.file("server.sqlite"))
        var configuration = SyncServer.Configuration()
        configuration.hook = { _ in .replica }
        let server = try SyncServer(stores, configuration)
        let account = SyncAccount("ann")
        for path in ["", "sync", "sync/", "sync/other", "push"] {
            let response = await server.respond(to: path, body: Data("{}".utf8), account: account)
            #expect(response == nil)
        }
        for body in ["", "{", "\n", "{}\n{}", "[1]"] {
            let response = try requireValue(
                await server.respond(to: "sync/push", body: Data(body.utf8), account: account))
            expectEqual(response.status, 400)
            expectEqual(response.contentType, "application/json")
        }
    }

    @Test("refuses what comes while 256 requests wait, and answers those")
    func busy() async throws {
        let folder = try TemporaryFolder()
        let stores = try Self.store(SyncServer.model(for: SimulationModel.model), folder.file("server.sqlite"))
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let gate = DispatchSemaphore(value: 0)
        var configuration = SyncServer.Configuration()
        configuration.hook = { _ in .replica }
        configuration.authorize = { _ in
            begin.yield()
            gate.wait()
            return true
        }
        let transport = Transport(server: try SyncServer(stores, configuration))
        let change = SyncObjectChange(
            object: UUID(), entity: "Folder", kind: .insert, life: 0, time: 0, properties: [:])
        let push = SyncPush(replica: UUID(), number: 1, groups: [SyncGroup(changes: [change])])
        let first = SyncRequest.push(
            SyncPushRequest(body: try JSONEncoder().encode(push), attempt: 1, newestBase: nil))
        let statuses = try await withThrowingTaskGroup(of: Bool.self) { group in
            func add(_ request: SyncRequest) {
                group.addTask {
                    if case .failure(let failure) = try await transport.answer(request) {
                        expectEqual(failure.reason, .unavailable)
                        return false
                    }
                    return true
                }
            }
            add(first)
            for await _ in begun { break }
            for _ in 0..<300 {
                add(.session(SyncSessionRequest(replica: UUID(), positions: [], answeredPush: 0)))
            }
            var answered: [Bool] = []
            for _ in 0..<45 { answered.append(try await group.next() ?? true) }
            gate.signal()
            for try await status in group { answered.append(status) }
            return answered
        }
        expectEqual(statuses, Array(repeating: false, count: 45) + Array(repeating: true, count: 256))
    }
}
