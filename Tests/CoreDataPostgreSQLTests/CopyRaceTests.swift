import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Copies to a location where another process makes a store during the copy.
@Suite("A copy to a location where another process makes a store", .enabled(if: TestServer.isPresent))
struct CopyRaceTests {
    /// When the other process makes its store.
    enum Moment: CaseIterable {
        /// After the copy has found no store, before it opens one.
        case beforeOpening
        /// After the opening has found no store, before it makes one.
        case beforeCreation
    }

    private let database: TestDatabase
    private let proxy: TestProxy
    private let signals = Signals()

    init() throws {
        database = try TestDatabase()
        proxy = try TestProxy()
    }

    /// Makes and fills a store beside the proxy, at the first message that satisfies a condition.
    private func makeStore(_ name: String, at matches: @escaping (TestProxy.Message) -> Bool) {
        var isMade = false
        proxy.cut { [database, signals] message in
            guard !isMade, matches(message) else { return nil }
            isMade = true
            let error = thrownError { try database.fill(database.coordinator(at: database.url(name))) }
            signals.add(error.map { "\($0)" } ?? "made")
            return nil
        }
    }

    /// A URL through the proxy. A connection waits there until the store of the other process is made.
    private func proxyURL(_ name: String) -> URL { proxy.url(database.url(name, "connect_timeout=60")) }

    private func identifier(_ name: String) throws -> String? {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .postgreSQL, at: database.url(name))[
            NSStoreUUIDKey] as? String
    }

    @Test("throws, and that store stays", arguments: Moment.allCases)
    func migration(_ moment: Moment) throws {
        defer { proxy.stop() }
        let coordinator = try database.coordinator(NSSQLiteStoreType, at: database.folder.file("source"))
        try database.fill(coordinator)
        let store = try requireValue(coordinator.persistentStores.first)
        // The first connection looks at the location, the second one opens the store.
        makeStore("store") { message in
            message.connection == 2 && (moment == .beforeOpening ? message.type == " " : message.isBegin)
        }
        let error = try requireError {
            _ = try coordinator.migratePersistentStore(store, to: proxyURL("store"), type: .postgreSQL)
        }
        expectEqual(signals.all, ["made"])
        expectEqual(error.code, NSPersistentStoreOperationError)
        expectEqual(error.localizedFailureReason?.contains("Another process"), true)
        expectEqual(coordinator.persistentStores, [store])
        try expectEqual(database.contents(coordinator), TestDatabase.expected)
        try expectEqual(database.contents(database.coordinator(at: database.url())), TestDatabase.expected)
    }

    @Test("of whole tables throws, and that store stays")
    func replacement() throws {
        defer { proxy.stop() }
        let coordinator = try database.coordinator(at: database.url("source"))
        try database.fill(coordinator)
        makeStore("copy") { $0.isBegin }
        let error = try requireError {
            try coordinator.replacePersistentStore(
                at: proxyURL("copy"), withPersistentStoreFrom: database.url("source"), type: .postgreSQL)
        }
        expectEqual(signals.all, ["made"])
        expectEqual(error.code, NSPersistentStoreOperationError)
        expectEqual(error.localizedFailureReason?.contains("Another process"), true)
        let copy = try database.coordinator(at: database.url("copy"))
        try expectEqual(database.contents(copy), TestDatabase.expected)
        try #expect(identifier("copy") != identifier("source"))
    }

    @Test("knows its own store, though the answer to the COMMIT that made it got lost")
    func lostAnswer() throws {
        defer { proxy.stop() }
        let coordinator = try database.coordinator(NSSQLiteStoreType, at: database.folder.file("source"))
        try database.fill(coordinator)
        proxy.cut(.after) { $0.isCommit }
        try coordinator.migratePersistentStore(
            requireValue(coordinator.persistentStores.first), to: proxyURL("store"), type: .postgreSQL)
        expectEqual(proxy.cutCount, 1)
        try expectEqual(database.contents(database.coordinator(at: database.url())), TestDatabase.expected)
    }
}
