import CoreData
import CoreDataSyncWire
import Foundation
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataSync
@testable import sync_simulator

@Suite("An engine", .timeLimit(.minutes(TestRun.hangMinutes))) struct SyncEngineTests {
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

    @Test("asks for nothing when it hears of its own import")
    func quiet() async throws {
        let server = try LocalServer()
        let (one, two) = (try EngineApp(server, "one"), try EngineApp(server, "two"))
        try await one.engine.start()
        try await one.engine.syncNow()
        try await two.engine.start()
        try await two.save { $0.insertNote("Milk") }
        try await two.engine.waitForPending()
        await two.engine.stop()
        while try await one.titles().isEmpty { await Task.yield() }
        await one.status { $0.phase == .idle }
        _ = server.takePaths()
        // The next exchange is one for a save: it comes after the one for the import.
        try await one.save { $0.insertNote("Salt") }
        try await one.engine.waitForPending()
        let paths = server.takePaths()
        #expect(paths.count { $0 == "sync/push" } == 1)
        #expect(paths.count { $0 == "sync/changes" } <= 3, "\(paths)")
        await one.engine.stop()
    }

    @Test("brings large values with their objects, and says so once they are there")
    func largeValues() async throws {
        let server = try LocalServer()
        let (one, two) = (try EngineApp(server, "one"), try EngineApp(server, "two"))
        try await one.engine.start()
        try await one.save {
            $0.insertNote("Milk").setValue(Data(repeating: 7, count: 200_000), forKey: "picture")
            $0.insertNote("Salt").setValue(Data(repeating: 8, count: 200_000), forKey: "film")
        }
        try await one.engine.waitForPending()
        await one.engine.stop()
        let events = two.engine.events
        try await two.engine.start()
        try await two.engine.syncNow()
        for await event in events where event == .imported { break }
        let context = two.container.newBackgroundContext()
        let sizes = try await context.perform {
            try context.all("Note").compactMap { note in
                ((note.value(forKey: "picture") ?? note.value(forKey: "film")) as? Data)?.count
            }
        }
        expectEqual(sizes, [200_000, 200_000])
        await two.engine.stop()
    }

    @Test("starts and stops in the order of the calls")
    func turns() async throws {
        let server = try LocalServer()
        let app = try EngineApp(server, "one")
        async let first: Void = app.engine.start()
        async let second: Void = app.engine.stop()
        async let third: Void = app.engine.start()
        _ = try await (first, second, third)
        // The calls above have no order among each other.
        try await app.engine.start()
        try await app.engine.syncNow()
        await app.engine.stop()
        try await app.engine.start()
        try await app.engine.syncNow()
        await app.engine.stop()
        await #expect(throws: SyncEngineError.stopped) { try await app.engine.syncNow() }
    }

    @Test("ends with its last reference, and its connection too")
    func release() async throws {
        let server = try LocalServer()
        var app: EngineApp? = try EngineApp(server, "one")
        weak let engine = app?.engine
        try await app?.engine.start()
        try await app?.engine.syncNow()
        app = nil
        while engine != nil || server.hasListeners { await Task.yield() }
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

    @Test("makes refused insertions that refer to each other together")
    func repetitionOfGroup() async throws {
        let server = try LocalServer()
        let (one, two) = (try EngineApp(server, "one"), try EngineApp(server, "two"))
        for app in [one, two] { try await app.engine.start() }
        try await two.save { context in
            let folder = context.insert("Folder", "name", "Lists")
            let note = context.insertNote("Milk")
            note.setValue(folder, forKey: "folder")
            context.insert("Comment", "text", "two").setValue(note, forKey: "note")
        }
        server.refuse(true)
        try await two.engine.waitForPending()
        server.refuse(false)
        let problems = try await two.engine.problems()
        expectEqual(problems.map(\.entityName).sorted(), ["Comment", "Folder", "Note"])
        try await two.engine.repeat(try requireValue(problems.first { $0.entityName == "Note" }))
        try await expectEqual(two.engine.problems().count, 0)
        try await two.engine.waitForPending()
        try await one.engine.syncNow()
        let context = one.container.newBackgroundContext()
        try await context.perform {
            let note = try context.first("Note")
            expectEqual((note.value(forKey: "folder") as? NSManagedObject)?.value(forKey: "name") as? String, "Lists")
            expectEqual(try context.first("Comment").value(forKey: "note") as? NSManagedObject, note)
        }
        for app in [one, two] { await app.engine.stop() }
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
