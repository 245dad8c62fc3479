import CoreData
import CoreDataSyncWire
import Foundation
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataSync
@testable import sync_simulator

@Suite("An engine") struct SyncEngineTests {
    @Test("brings what a program saves to another device, which hears of it")
    func twoDevices() async throws {
        let server = try LocalServer()
        let (one, two) = (try EngineApp(server, "one"), try EngineApp(server, "two"))
        try await one.engine.start()
        try await two.engine.start()
        try await two.engine.syncNow()
        let events = two.engine.events
        try await one.save { $0.insertNote("Milk") }
        try await one.engine.waitForPending()
        for await event in events where event == .imported { break }
        try await expectEqual(two.titles(), ["Milk"])
        let status = await one.engine.status
        expectEqual(status.pendingCount, 0)
        expectTrue(status.isConnected)
        #expect(status.lastSynced != nil)
        await one.engine.stop()
        await two.engine.stop()
        await expectEqual(one.engine.status.phase, .stopped)
    }

    @Test("sends a save without being asked")
    func savesAreNoticed() async throws {
        let server = try LocalServer()
        let app = try EngineApp(server, "one")
        try await app.engine.start()
        try await app.engine.syncNow()
        try await app.save { $0.insertNote("Milk") }
        let context = server.serverContext
        while try await context.perform({ try context.all("Note").isEmpty }) { await Task.yield() }
        await app.engine.stop()
    }

    @Test("asks for nothing when it hears of its own import, or of a save that it has sent")
    func quiet() async throws {
        let server = try LocalServer()
        let (one, two) = (try EngineApp(server, "one"), try EngineApp(server, "two"))
        try await one.engine.start()
        try await one.engine.syncNow()
        try await two.engine.start()
        try await two.save { $0.insertNote("Milk") }
        try await two.engine.waitForPending()
        await two.engine.stop()
        try await one.engine.syncNow()
        await one.status { $0.phase == .idle }
        _ = server.takePaths()
        // An exchange that a save begins sends nothing, since the save is empty.
        try await one.save { $0.refreshAllObjects() }
        await one.status { $0.phase == .idle }
        expectEqual(server.takePaths(), [])
        await one.engine.stop()
    }

    @Test("keeps changes without a network, and sends them when there is one")
    func withoutNetwork() async throws {
        let server = try LocalServer()
        server.connect(false)
        let app = try EngineApp(server, "one")
        try await app.engine.start()
        try await app.save { $0.insertNote("Milk") }
        await #expect(throws: URLError.self) { try await app.engine.syncNow() }
        await app.status { $0.phase == .waiting && !$0.isConnected && $0.failure != nil }
        server.connect(true)
        try await app.engine.waitForPending()
        let context = server.serverContext
        try await context.perform { try expectEqual(context.all("Note").count, 1) }
        await app.engine.stop()
    }

    @Test("waits while its token isn't accepted, and goes on with another one")
    func token() async throws {
        let server = try LocalServer()
        server.accept(["new"])
        let app = try EngineApp(server, "one")
        try await app.engine.start()
        try await app.save { $0.insertNote("Milk") }
        await #expect(throws: SyncEngineError.unauthorized) { try await app.engine.syncNow() }
        server.accept(["one"])
        try await app.engine.waitForPending()
        await app.engine.stop()
    }

    @Test("lets one process after the other sync a store")
    func twoProcesses() async throws {
        let server = try LocalServer()
        let (one, two) = (try EngineApp(server, "one"), try EngineApp(server, "two", file: "one"))
        try await one.engine.start()
        try await one.engine.syncNow()
        try await two.engine.start()
        await two.status { $0.phase == .otherProcess }
        await #expect(throws: SyncEngineError.otherProcess) { try await two.engine.waitForPending() }
        try await two.save { $0.insertNote("Milk") }
        try await one.engine.waitForPending()
        await one.engine.stop()
        try await two.engine.syncNow()
        await two.status { $0.phase == .idle }
        await two.engine.stop()
    }

    @Test("asks what becomes of a store with objects")
    func firstStart() async throws {
        let server = try LocalServer()
        let app = try EngineApp(server, "one")
        try await app.save { $0.insertNote("Milk") }
        await #expect(throws: SyncEngineError.needsFirstStart) { try await app.engine.start() }
        try await app.engine.begin(.upload)
        try await app.engine.start()
        try await app.engine.waitForPending()
        let context = server.serverContext
        try await context.perform { try expectEqual(context.all("Note").count, 1) }
        await app.engine.stop()
    }

    @Test("needs a store with a history")
    func unfitStores() throws {
        let server = try LocalServer()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SimulationModel.model)
        let transport = LocalTransport(server: server)
        #expect(throws: SyncEngineError.noStore) {
            try SyncEngine(coordinator, SyncEngine.Configuration(), transport)
        }
        let url = server.folder.file("plain.sqlite")
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        #expect(throws: SyncEngineError.noHistory(url)) {
            try SyncEngine(coordinator, SyncEngine.Configuration(), transport)
        }
    }

    @Test("that stops ends the waits for it")
    func stopping() async throws {
        let server = try LocalServer()
        let app = try EngineApp(server, "one")
        await #expect(throws: SyncEngineError.stopped) { try await app.engine.syncNow() }
        try await app.engine.start()
        try await app.engine.syncNow()
        await app.engine.stop()
        await #expect(throws: SyncEngineError.stopped) { try await app.engine.waitForPending() }
    }

    // MARK: Problems

    /// Two apps with the same note, of which the second has changed the note after the first: the server refuses it.
    private func withRefusedChange(_ body: (EngineApp) async throws -> Void) async throws {
        let server = try LocalServer()
        let (one, two) = (try EngineApp(server, "one"), try EngineApp(server, "two"))
        try await one.engine.start()
        try await one.save { $0.insertNote("Milk") }
        try await one.engine.waitForPending()
        try await two.engine.start()
        try await two.engine.syncNow()
        await two.engine.stop()
        try await one.save { try $0.first("Note").setValue(5, forKey: "refuse") }
        try await one.engine.waitForPending()
        await one.engine.stop()
        try await two.save { try $0.first("Note").setValue(6, forKey: "refuse") }
        try await two.engine.start()
        try await two.engine.waitForPending()
        try await body(two)
        await two.engine.stop()
    }

    @Test("keeps a refused change with its values")
    func problems() async throws {
        try await withRefusedChange { app in
            let problem = try requireValue(try await app.engine.problems().first)
            expectEqual(problem.kind, .change)
            expectEqual(problem.entityName, "Note")
            expectEqual(problem.keys, ["refuse"])
            expectEqual(problem.value(forKey: "refuse") as? Int64, 6)
            #expect(problem.objectID != nil && !problem.reason.isEmpty)
            await expectEqual(app.engine.status.problemCount, 1)
            try await app.engine.drop(problem)
            try await expectEqual(app.engine.problems().count, 0)
            await expectEqual(app.engine.status.problemCount, 0)
        }
    }

    @Test("makes a refused change again, with the server's present values in sight")
    func repetition() async throws {
        try await withRefusedChange { app in
            let problem = try requireValue(try await app.engine.problems().first)
            try await app.engine.repeat(problem)
            try await app.engine.waitForPending()
            try await expectEqual(app.engine.problems().count, 0)
            let context = app.container.newBackgroundContext()
            try await context.perform {
                try expectEqual(context.first("Note").value(forKey: "refuse") as? Int64, 6)
            }
        }
    }

    @Test("doesn't make a change of a deleted object again")
    func repetitionWithoutObject() async throws {
        try await withRefusedChange { app in
            try await app.save { try $0.delete($0.first("Note")) }
            let problem = try requireValue(try await app.engine.problems().first)
            await #expect(throws: SyncEngineError.refused("The object isn't in the store any more.")) {
                try await app.engine.repeat(problem)
            }
            try await expectEqual(app.engine.problems().count, 1)
        }
    }
}
