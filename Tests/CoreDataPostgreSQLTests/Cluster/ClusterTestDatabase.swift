import CoreDataTestSupport
import Foundation

@testable import CoreDataPostgreSQL

/// Stores that use the statements of a cluster, on the test server.
final class ClusterTestDatabase {
    let database: TestDatabase
    private static let items = TestServer.cluster.isCluster ? "" : "cluster=citus-statements"

    init() throws { database = try TestDatabase() }

    var schema: String { database.schema("store") }
    var url: URL { database.url("store", Self.items) }

    /// A store of one server, also where the server is in a cluster.
    func plainURL(_ name: String) -> URL {
        let url = database.url(name).absoluteString.replacing(#/&cluster=[a-z-]+/#, with: "")
        return URL(string: url + "&cluster=none") ?? database.url(name)
    }

    func coordinator(
        _ options: [AnyHashable: Any]? = nil, model: NSManagedObjectModel = LibraryModel.make()
    ) throws -> NSPersistentStoreCoordinator { try database.coordinator(at: url, options: options, model: model) }

    func store(of coordinator: NSPersistentStoreCoordinator) -> PostgreSQLDatabase? {
        (coordinator.persistentStores.first as? PostgreSQLStore)?.database
    }

    /// The statements that a store sends on one of its connections while a block runs. The pool has one connection.
    func statements(_ coordinator: NSPersistentStoreCoordinator, _ body: () throws -> Void) throws -> [String] {
        let signals = Signals()
        guard let store = store(of: coordinator) else { return [] }
        try store.read { $0.connection.log = { text, _ in signals.add(text) } }
        try body()
        try store.read { $0.connection.log = nil }
        return signals.all
    }
}
