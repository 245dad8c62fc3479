import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Openings whose connection is cut.
@Suite("The opening of a store is repeated", .enabled(if: TestServer.isPresent))
struct RepeatedOpeningTests {
    private func open(_ url: URL) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try coordinator.addPersistentStore(ofType: NSPostgreSQLStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    @Test("whose connection is cut at the COMMIT that creates it", arguments: TestProxy.Cut.allCases)
    func creation(_ cut: TestProxy.Cut) throws {
        let proxy = try TestProxy()
        defer { proxy.stop() }
        let folder = try TemporaryFolder()
        proxy.cut(cut) { $0.isCommit }
        let context = try open(proxy.url(StoreKind.postgresql.url("store", in: folder)))
        expectEqual(proxy.cutCount, 1)
        try on(context) {
            context.make("Author", "a")
            try context.save()
            try expectEqual(context.names("Author"), ["a"])
        }
    }

    @Test("and ends with an error when every attempt loses its connection")
    func limit() throws {
        let proxy = try TestProxy()
        defer { proxy.stop() }
        let folder = try TemporaryFolder()
        proxy.cut(.before, times: .max) { $0.isCommit }
        let error = try requireError { _ = try open(proxy.url(StoreKind.postgresql.url("store", in: folder))) }
        expectEqual(error.code, NSPersistentStoreOpenError)
        expectEqual(proxy.cutCount, PostgreSQLRepetition.attemptLimit)
    }
}
