import CoreData
import Foundation
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataSync
@testable import sync_simulator

@Suite("The side store", .timeLimit(.minutes(10))) struct SideStoreTests {
    @Test("has another name for stores whose names differ by their extensions")
    func names() {
        let names = ["Notes.sqlite", "Notes.store", "Notes"].map {
            SyncSideStore.url(of: URL(fileURLWithPath: "/notes/\($0)")).path
        }
        expectEqual(names, ["/notes/Notes-sync.sqlite", "/notes/Notes-sync.store", "/notes/Notes-sync"])
    }

    @Test("of each of two stores keeps its own changes, though the stores' names differ by their extensions alone")
    func extensions() async throws {
        let server = try LocalServer()
        let one = try EngineApp(server, "one", file: "Notes.sqlite")
        let two = try EngineApp(server, "two", file: "Notes.store")
        for app in [one, two] { try await app.engine.start() }
        try await one.save { $0.insertNote("Milk") }
        try await two.save { $0.insertNote("Salt") }
        for app in [one, two, one] { try await app.engine.waitForPending() }
        for app in [one, two] {
            try await app.engine.syncNow()
            try await expectEqual(app.titles(), ["Milk", "Salt"])
            await app.engine.stop()
        }
    }

    @Test("of another store isn't taken")
    func sharedSideStore() async throws {
        let server = try LocalServer()
        let side = server.folder.file("side.sqlite")
        let one = try EngineApp(server, "one", sideStore: side)
        try await one.engine.start()
        try await one.engine.syncNow()
        await one.engine.stop()
        #expect(throws: SyncEngineError.sharedSideStore("one.sqlite")) {
            try EngineApp(server, "two", sideStore: side)
        }
    }

    @Test("of another store isn't taken by an engine that was made before that store began to sync")
    func sharedSideStoreAtStart() async throws {
        let server = try LocalServer()
        let side = server.folder.file("side.sqlite")
        let one = try EngineApp(server, "one", sideStore: side)
        let two = try EngineApp(server, "two", sideStore: side)
        try await one.engine.start()
        try await one.save { $0.insertNote("Milk") }
        try await one.engine.waitForPending()
        await one.engine.stop()
        await #expect(throws: SyncEngineError.sharedSideStore("one.sqlite")) { try await two.engine.start() }
        try await one.engine.start()
        try await one.engine.syncNow()
        await one.engine.stop()
    }

    @Test("of a store that was removed is for the store in its place")
    func removedStore() async throws {
        let server = try LocalServer()
        let side = server.folder.file("side.sqlite")
        let one = try EngineApp(server, "one", sideStore: side)
        try await one.engine.start()
        try await one.save { $0.insertNote("Milk") }
        try await one.engine.waitForPending()
        await one.engine.stop()
        let coordinator = one.container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        try FileManager.default.removeItem(at: server.folder.file("one.sqlite"))
        let two = try EngineApp(server, "two", sideStore: side)
        try await two.engine.start()
        try await two.engine.syncNow()
        try await expectEqual(two.titles(), ["Milk"])
        await two.engine.stop()
    }
}
