import CoreData
import CoreDataSyncWire
import Foundation
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataSync
@testable import sync_simulator

@Suite("Changes that wait for the server", .timeLimit(.minutes(5))) struct BacklogTests {
    /// The titles of the notes on a server.
    private func titles(_ server: LocalServer) async throws -> [String] {
        let context = server.serverContext
        return try await context.perform { try context.all("Note").compactMap { $0.value(forKey: "title") as? String } }
    }

    @Test("are waited for while the program saves others all the time")
    func otherChanges() async throws {
        let server = try LocalServer()
        let app = try EngineApp(server, "one") { context in
            context.insertNote("later")
            try context.save()
        }
        try await app.engine.start()
        try await app.save { $0.insertNote("Milk") }
        try await app.engine.waitForPending()
        try await expectTrue(titles(server).contains("Milk"))
        try await app.engine.syncNow()
        await app.engine.stop()
    }

    @Test("are waited for while the program changes the same object all the time")
    func sameObject() async throws {
        let server = try LocalServer()
        let app = try EngineApp(server, "one") { context in
            let note = try context.first("Note")
            note.setValue("\(note.value(forKey: "title") ?? "")+", forKey: "title")
            try context.save()
        }
        try await app.engine.start()
        try await app.save { $0.insertNote("Milk") }
        try await app.engine.waitForPending()
        try await expectTrue(requireValue(titles(server).first).hasPrefix("Milk"))
        await app.engine.stop()
    }

    @Test("of the time after the call are sent, too, without a further call")
    func laterChanges() async throws {
        let server = try LocalServer()
        let isFirst = LockedValue(true)
        let app = try EngineApp(server, "one") { context in
            guard
                isFirst.withLock({ value in
                    defer { value = false }
                    return value
                })
            else { return }
            context.insertNote("later")
            try context.save()
        }
        try await app.engine.start()
        try await app.save { $0.insertNote("Milk") }
        try await app.engine.waitForPending()
        while try await titles(server).sorted() != ["Milk", "later"] { await Task.yield() }
        await app.engine.stop()
    }

    @Test("are waited for by no engine that was stopped, and by none while another process syncs")
    func withoutExchange() async throws {
        let server = try LocalServer()
        let (one, two) = (try EngineApp(server, "one"), try EngineApp(server, "two", file: "one"))
        await #expect(throws: SyncEngineError.stopped) { try await one.engine.waitForPending() }
        try await one.engine.start()
        try await two.engine.start()
        try await two.save { $0.insertNote("Milk") }
        await #expect(throws: SyncEngineError.otherProcess) { try await two.engine.waitForPending() }
        try await one.engine.waitForPending()
        for app in [one, two] { await app.engine.stop() }
    }

    @Test("are those that a restored server has lost, too")
    func restoredServer() throws {
        let scenario = try SyncScenario(devices: 1)
        let device = scenario.devices[0]
        try scenario.backUpServer()
        try device.save { $0.insertNote("Milk") }
        let backlog = try device.replica.backlog()
        expectFalse(try device.replica.rest(of: backlog).isEmpty)
        try scenario.push(device)
        try scenario.pull(device)
        expectTrue(try device.replica.rest(of: backlog).isEmpty)
        try scenario.restoreServer()
        try scenario.pull(device)
        expectFalse(try device.replica.rest(of: backlog).isEmpty)
        try scenario.sync()
        expectTrue(try device.replica.rest(of: backlog).isEmpty)
    }

    @Test("go in smaller pushes while the program saves")
    func smallPushes() throws {
        let scenario = try SyncScenario(devices: 1)
        let device = scenario.devices[0]
        for number in 0..<64 { try device.save { $0.insertNote("\(number)") } }
        var saves = 0
        device.atStep = { step in
            guard step == .beforeFreeze, saves < 6 else { return }
            saves += 1
            try device.save { $0.insertNote("later") }
        }
        guard case .push(let request) = try device.replica.pushRequest() else {
            Issue.record("The device has no push.")
            return
        }
        expectEqual(try JSONDecoder().decode(SyncPush.self, from: request.body).groups.count, 1)
        device.atStep = { _ in }
        try scenario.sync()
        expectEqual(try device.count("Note"), 70)
    }
}
