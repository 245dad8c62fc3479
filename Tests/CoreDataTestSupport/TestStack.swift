import CoreData
import OwnStores
import TestSupport

/// The kinds of stores that behaviour is tested on.
package enum StoreKind: String, CaseIterable, Sendable {
    case sqlite, memory, binary, xml
    /// A store of a program's own: ``DictionaryStore``.
    case custom
    /// The stores of Examples/OwnStores: a JSON file, and a service within the process.
    case json, incremental
    /// A schema on the server that `COREDATA_POSTGRESQL_URL` names: see Scripts/test-postgresql.sh.
    case postgresql

    /// The kinds that the environment variable `COREDATA_STORE_KINDS` names, for example `binary,xml`.
    private static let named: [StoreKind]? =
        ProcessInfo.processInfo.environment["COREDATA_STORE_KINDS"].map { text in
            text.split(separator: ",").compactMap { StoreKind(rawValue: String($0)) }
        }

    /// All kinds, for what depends on how values, relationships and conflicts are stored.
    package static let everyKind: [StoreKind] = named ?? [.sqlite, .memory, .binary, .xml, .json, .incremental]

    /// The kinds that every behaviour is tested on: rows in tables, and rows in memory.
    package static let allCases: [StoreKind] = named ?? [.sqlite, .memory]

    /// The kind for histories, batch requests and query generations, which only stores in tables have.
    package static let tables: StoreKind = named == [.postgresql] ? .postgresql : .sqlite

    package var type: String {
        Self.registration
        return switch self {
        case .sqlite: NSSQLiteStoreType
        case .memory: NSInMemoryStoreType
        case .binary: NSBinaryStoreType
        case .xml: NSXMLStoreType
        case .custom: DictionaryStore.storeType
        case .json: JSONStore.storeType
        case .incremental: RecordStore.storeType
        case .postgresql: PostgreSQLServer.storeType
        }
    }

    /// Registers the classes of the store types of the program's own, once.
    private static let registration: Void = {
        DictionaryStore.register()
        NSPersistentStoreCoordinator.registerStoreClass(JSONStore.self, forStoreType: JSONStore.storeType)
        RecordStore.register { RecordServices.shared.service(at: $0) }
    }()

    /// Whether another coordinator can read what a store of this kind has saved.
    package var hasFile: Bool { self != .memory }

    /// The URL of a store with a name, in a folder of a test: a file, or a schema on the server.
    package func url(_ name: String, in folder: TemporaryFolder) -> URL {
        guard self == .postgresql else { return folder.file(name) }
        return PostgreSQLServer.url(schema: folder.url.lastPathComponent + "_" + name)
    }
}

/// A coordinator with one fresh store and a context, in a new folder.
///
/// Sendable, since tests use it in blocks of its context.
package final class TestStack: @unchecked Sendable {
    package let kind: StoreKind
    package let folder: TemporaryFolder
    package let model: NSManagedObjectModel
    package let coordinator: NSPersistentStoreCoordinator
    package let store: NSPersistentStore
    package let context: NSManagedObjectContext

    package init(
        _ kind: StoreKind, model: NSManagedObjectModel = LibraryModel.make(), folder: TemporaryFolder? = nil,
        options: [AnyHashable: Any]? = nil
    ) throws {
        self.kind = kind
        self.model = model
        self.folder = try folder ?? TemporaryFolder()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        store = try coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil, at: kind.url("store.sqlite", in: self.folder), options: options)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    package var url: URL { kind.url("store.sqlite", in: folder) }

    /// Another context on the same coordinator.
    package func newContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// A context that shares nothing but the store: for a file another coordinator, for memory another context.
    package func afresh() throws -> NSManagedObjectContext {
        guard kind.hasFile else { return newContext() }
        let other = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try other.addPersistentStore(ofType: kind.type, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = other
        return context
    }
}

/// Runs a test on a fresh stack, on its context's queue.
package func withStack(
    _ kind: StoreKind, model: NSManagedObjectModel = LibraryModel.make(), _ body: (TestStack) throws -> Void
)
    throws
{
    let stack = try TestStack(kind, model: model)
    try stack.context.performAndWait { try body(stack) }
}

/// Runs a block on the queue of a context that shares nothing but the store.
package func inFreshContext(_ stack: TestStack, _ body: (NSManagedObjectContext) throws -> Void) throws {
    let context = try stack.afresh()
    try context.performAndWait { try body(context) }
}

/// Runs a block on a context's queue.
package func on(_ context: NSManagedObjectContext, _ body: () throws -> Void) throws {
    try context.performAndWait { try body() }
}
