import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Copies to a server by a program that is killed: the server hears nothing more of it.
@Suite("A copy that ends before all is copied", .enabled(if: TestServer.isPresent))
struct KilledCopyTests {
    private let database: TestDatabase
    private let source: NSPersistentStoreCoordinator

    init() throws {
        database = try TestDatabase()
        source = try database.coordinator(NSSQLiteStoreType, at: database.folder.file("source"))
        try database.fill(source)
    }

    private func copy(to url: URL) throws {
        try source.migratePersistentStore(
            requireValue(source.persistentStores.first), to: url, type: .postgreSQL)
    }

    /// Begins a copy whose connections end after a number of commits. The first one makes the store.
    private func beginCopy(commits: Int) throws {
        let proxy = try TestProxy()
        defer { proxy.stop() }
        var seen = 0
        proxy.cut { message in
            if message.isCommitted { seen += 1 }
            // Not a COMMIT: the copy would wait for the answer of another connection.
            return message.sender == .client && seen >= commits ? .before : nil
        }
        let error = try requireError { try copy(to: proxy.url(database.url("store", "connect_timeout=5"))) }
        expectEqual(error.domain, NSCocoaErrorDomain)
        try expectTrue(database.hasSchema())
    }

    @Test("isn\u{2019}t opened, and says why", arguments: [1, 2, 4])
    func opening(commits: Int) throws {
        try beginCopy(commits: commits)
        let error = try requireError { _ = try database.coordinator(at: database.url()) }
        expectEqual(error.code, NSPersistentStoreOpenError)
        expectEqual(error.localizedFailureReason?.contains("copy"), true)
        expectEqual(error.localizedRecoverySuggestion?.isEmpty, false)
        #expect(error.userInfo[NSURLErrorKey] as? URL == database.url())
        let replacement = try requireError {
            try source.replacePersistentStore(
                at: database.url("other"), withPersistentStoreFrom: database.url(), type: .postgreSQL)
        }
        expectEqual(replacement.code, NSPersistentStoreOpenError)
        try expectFalse(database.hasSchema("other"))
        try source.destroyPersistentStore(at: database.url(), type: .postgreSQL)
        try expectFalse(database.hasSchema())
    }

    @Test("is made anew by a second try", arguments: [1, 2, 4])
    func secondTry(commits: Int) throws {
        try beginCopy(commits: commits)
        try copy(to: database.url())
        try expectEqual(database.contents(source), TestDatabase.expected)
        let copy = try database.coordinator(at: database.url())
        try expectEqual(database.contents(copy), TestDatabase.expected)
        for entity in ["Author": 1, "Chapter": 6, "Tag": 2] {
            let count = try database.use(copy) {
                try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: entity.key))
            }
            expectEqual(count, entity.value)
        }
    }

    @Test("leaves no mark in a complete store")
    func completeCopy() throws {
        try copy(to: database.url())
        let keys = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: .postgreSQL, at: database.url()
        ).keys
        #expect(!keys.contains { $0.contains("Copy") }, "\(keys)")
        let store = try requireValue(source.persistentStores.first)
        #expect(!source.metadata(for: store).keys.contains { $0.contains("Copy") })
        // A second copy adds to a complete store, as with any other one.
        let coordinator = try database.coordinator(NSSQLiteStoreType, at: database.folder.file("second"))
        try database.fill(coordinator)
        try coordinator.migratePersistentStore(
            requireValue(coordinator.persistentStores.first), to: database.url(), type: .postgreSQL)
        try expectEqual(database.contents(coordinator).count, 4)
    }
}
