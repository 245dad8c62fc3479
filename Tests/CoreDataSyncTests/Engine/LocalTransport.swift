import CoreData
import CoreDataSyncWire
import Foundation
import TestExpectations
import TestSupport

@testable import CoreDataSync
@testable import CoreDataSyncServer
@testable import sync_simulator

/// A server in the process, with the messages of HTTP and without a network.
final class LocalServer: @unchecked Sendable {
    // Sendable: the lock guards what changes.
    private let scenario: SyncScenario
    private let lock = NSLock()
    private var listeners: [UUID: AsyncThrowingStream<Void, any Error>.Continuation] = [:]
    private var paths: [String] = []
    private var isReachable = true
    private var tokens: Set<String> = ["one"]
    private let refuses = LockedValue(false)

    /// - Parameter versions: the older versions of the model that devices may have.
    init(model: NSManagedObjectModel = SimulationModel.model, versions: [NSManagedObjectModel] = []) throws {
        let refuses = refuses
        scenario = try SyncScenario(
            devices: 0, model: model, serverModel: model, authorize: { _ in refuses.withLock { !$0 } })
        // Engines have the clock of the machine.
        scenario.clock = { Date().timeIntervalSinceReferenceDate }
        if !versions.isEmpty { try scenario.migrateServer(to: model, versions: versions) }
        try scenario.startServer(partBytes: 65_536)
    }

    var serverContext: NSManagedObjectContext { scenario.serverContext }
    var folder: TemporaryFolder { scenario.folder }

    /// The paths of the requests since the last call.
    func takePaths() -> [String] {
        lock.withLock {
            defer { paths = [] }
            return paths
        }
    }

    /// Cuts or makes the connection of all.
    func connect(_ isReachable: Bool) {
        let cut = lock.withLock {
            self.isReachable = isReachable
            return isReachable ? [] : Array(listeners.values)
        }
        for listener in cut { listener.finish(throwing: URLError(.networkConnectionLost)) }
    }

    /// Whether a device listens.
    var hasListeners: Bool { lock.withLock { !listeners.isEmpty } }

    /// Lets the server refuse each change.
    func refuse(_ isRefusing: Bool) { refuses.withLock { $0 = isRefusing } }

    func accept(_ tokens: Set<String>) { lock.withLock { self.tokens = tokens } }

    func answer(_ request: SyncRequest, token: String) throws -> SyncResponse {
        let message = try SyncHTTP.message(request)
        try lock.withLock {
            paths.append(message.path)
            guard isReachable else { throw URLError(.cannotConnectToHost) }
            guard tokens.contains(token) else { throw SyncTransportError.unauthorized }
        }
        let received = try SyncHTTP.request(path: message.path, body: message.body)
        let response = scenario.service.answer(try requireValue(received), account: "one")
        if case .push = response { publish() }
        let answer = try SyncHTTP.message(response)
        return try SyncHTTP.response(status: answer.status, type: answer.type, body: answer.body)
    }

    private func publish() { for listener in lock.withLock({ Array(listeners.values) }) { listener.yield() } }

    func listen() -> AsyncThrowingStream<Void, any Error> {
        AsyncThrowingStream { stream in
            let id = UUID()
            let isReachable = lock.withLock {
                if self.isReachable { listeners[id] = stream }
                return self.isReachable
            }
            guard isReachable else { return stream.finish(throwing: URLError(.cannotConnectToHost)) }
            stream.yield()
            stream.onTermination = { [weak self] _ in
                guard let self else { return }
                lock.withLock { listeners[id] = nil }
            }
        }
    }
}

/// The way of one device to a local server.
struct LocalTransport: SyncTransport {
    let server: LocalServer
    var token = "one"
    /// Called before the server gets a push.
    var beforePush: @Sendable () async throws -> Void = {}

    func answer(_ request: SyncRequest) async throws -> SyncResponse {
        if case .push = request { try await beforePush() }
        return try server.answer(request, token: token)
    }

    func news() -> AsyncThrowingStream<Void, any Error> { server.listen() }
}

/// An app with an engine.
final class EngineApp: Sendable {
    let container: NSPersistentContainer
    let engine: SyncEngine

    /// - Parameters:
    ///   - file: the name of the file of the store, without `.sqlite` if it has that extension.
    ///   - beforePush: called before the server gets a push of the app.
    init(
        _ server: LocalServer, _ name: String, token: String = "one", file: String? = nil, sideStore: URL? = nil,
        beforePush: (@Sendable (NSManagedObjectContext) throws -> Void)? = nil
    ) throws {
        container = NSPersistentContainer(name: name, managedObjectModel: SimulationModel.model)
        let file = file ?? name
        let description = NSPersistentStoreDescription(
            url: server.folder.file(file.contains(".") ? file : "\(file).sqlite"))
        description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        description.setOption(NSNumber(value: true), forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        var configuration = SyncEngine.Configuration()
        configuration.sideStoreURL = sideStore
        var transport = LocalTransport(server: server, token: token)
        if let beforePush {
            transport.beforePush = { [container] in
                let context = container.newBackgroundContext()
                try await context.perform { try beforePush(context) }
            }
        }
        engine = try SyncEngine(container.persistentStoreCoordinator, configuration, transport)
    }

    func save(_ body: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws {
        let context = container.newBackgroundContext()
        try await context.perform {
            try body(context)
            try context.save()
        }
    }

    func titles() async throws -> [String] {
        let context = container.newBackgroundContext()
        return try await context.perform {
            try context.all("Note").compactMap { $0.value(forKey: "title") as? String }.sorted()
        }
    }

    /// Waits for a status.
    func status(_ isWanted: @Sendable (SyncEngine.Status) -> Bool) async {
        let events = engine.events
        if isWanted(await engine.status) { return }
        for await case .status(let status) in events where isWanted(status) { return }
    }
}
