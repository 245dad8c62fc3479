import CoreData
import CoreDataSync
import CoreDataSyncServer
import CoreDataSyncWire
import TestSupport

/// A server in the process, with the stores of devices that sync with it, for tests of tools that read these.
public final class NotesServer: @unchecked Sendable {
    // Sendable: the lock guards what changes.

    /// The way to the server.
    public enum Connection: Sendable {
        case works
        /// No request arrives.
        case isCut
        /// Each request arrives, and its answer is lost.
        case losesAnswers
    }

    public let folder: TemporaryFolder
    private let service: SyncService
    private let lock = NSLock()
    private var state = Connection.works
    private let isRefusing = LockedValue(false)

    public init() throws {
        folder = try TemporaryFolder()
        guard let model = SyncServerModel.merged(with: NotesModel.make()) else { throw TestFailure("No model.") }
        let container = try Self.container(model, folder.file("Server.sqlite"))
        service = try SyncService(
            container.persistentStoreCoordinator, authorize: { [isRefusing] _ in isRefusing.withLock { !$0 } })
    }

    /// Lets the server refuse each change.
    public func refuse(_ refuses: Bool) { isRefusing.withLock { $0 = refuses } }

    public var connection: Connection {
        get { lock.withLock { state } }
        set { lock.withLock { state = newValue } }
    }

    fileprivate func answer(_ request: SyncRequest) throws -> SyncResponse {
        guard connection != .isCut else { throw URLError(.cannotConnectToHost) }
        let answer = service.answer(request, account: "ann")
        guard connection == .works else { throw URLError(.networkConnectionLost) }
        return answer
    }

    fileprivate static func container(_ model: NSManagedObjectModel, _ url: URL) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }
}

/// A device with a store that syncs.
public final class NotesDevice: Sendable {
    private let container: NSPersistentContainer
    public let engine: SyncEngine
    /// The paths of the store and of its side store.
    public let (path, sidePath): (String, String)

    /// Makes an empty store that has begun to sync.
    public init(_ server: NotesServer, _ name: String) async throws {
        path = server.folder.path("\(name).sqlite")
        sidePath = server.folder.path("\(name)-sync.sqlite")
        container = try NotesServer.container(NotesModel.make(), URL(fileURLWithPath: path))
        engine = try SyncEngine(
            container.persistentStoreCoordinator, SyncEngine.Configuration(), NotesTransport(server: server))
        try await sync()
    }

    /// Changes objects, and saves.
    public func save(_ body: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws {
        let context = container.newBackgroundContext()
        try await context.perform {
            try body(context)
            try context.save()
        }
    }

    /// Exchanges everything, and stops.
    public func sync() async throws {
        try await engine.start()
        try await engine.waitForPending()
        await engine.stop()
    }

    /// Tries an exchange, which fails, and stops.
    public func failToSync() async throws {
        try await engine.start()
        _ = try? await engine.syncNow()
        // The engine notes the saves after a failure.
        while await engine.status.pendingCount == 0 { await Task.yield() }
        await engine.stop()
    }
}

private struct NotesTransport: SyncTransport {
    let server: NotesServer

    func answer(_ request: SyncRequest) async throws -> SyncResponse { try server.answer(request) }

    /// The engine asks when a test wants it to.
    func news() -> AsyncThrowingStream<Void, any Error> { AsyncThrowingStream { _ in } }
}

extension NSManagedObjectContext {
    @discardableResult
    public func insertNote(_ title: String, folder: NSManagedObject? = nil) -> NSManagedObject {
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: self)
        note.setValue(UUID(), forKey: "id")
        note.setValue(title, forKey: "title")
        note.setValue(folder, forKey: "folder")
        return note
    }

    @discardableResult
    public func insertFolder(_ name: String) -> NSManagedObject {
        let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: self)
        folder.setValue(name, forKey: "name")
        return folder
    }

    /// The note with a title.
    public func note(_ title: String) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = NSPredicate(format: "title == %@", title)
        guard let note = try fetch(request).first else { throw TestFailure("There is no note \(title).") }
        return note
    }
}
