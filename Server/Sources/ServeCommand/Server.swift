// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataPostgreSQL
import CoreDataSyncServer
import CoreMetrics
import Foundation
import Hummingbird
import Logging

/// A server over the store of a model.
public struct Server: Sendable {
    /// The model, the store and the users of a server, and where it listens.
    struct Settings: Sendable {
        let model: URL
        let store: URL
        let accounts: Accounts
        var scopes: [SyncScope] = []
        var host = "127.0.0.1"
        var port = 8080
        /// Whether a store that doesn't exist is made.
        var makesStore = false
        /// The templates whose objects users may read as JSON.
        var templates: Set<String> = []
        /// The user who may read the metrics, and note backups; nil for nobody.
        var administrator: String?
    }

    private let settings: Settings
    private let container: NSPersistentContainer
    private let sync: SyncServer
    private let logger: Logger
    private let metrics: PrometheusMetrics

    /// Opens the store, which may migrate it.
    ///
    /// - Throws: ``ServeError`` and errors of the model and the store.
    ///
    /// - Parameter metrics: what counts requests, if the program has made it the metrics of the process.
    init(
        _ settings: Settings, logger: Logger = Logger(label: "coredata-serve"),
        metrics: PrometheusMetrics = PrometheusMetrics()
    ) throws {
        (self.settings, self.logger, self.metrics) = (settings, logger, metrics)
        let models = try ModelVersions(settings.model)
        let name = settings.model.deletingPathExtension().lastPathComponent
        container = NSPersistentContainer(name: name, managedObjectModel: try SyncServer.model(for: models.current))
        try TemplateRoutes.check(
            settings.templates, of: models.current, hasWebTokens: settings.accounts.webTokens != nil)
        try Self.open(settings, container)
        var configuration = SyncServer.Configuration()
        configuration.scopes = settings.scopes
        configuration.versions = models.older
        configuration.report = { logger.error("A request isn't answered.", metadata: ["error": "\($0.logText)"]) }
        sync = try SyncServer(container.persistentStoreCoordinator, configuration)
    }

    /// Says that the store was restored from a backup.
    func beginEpoch() async throws { try await sync.beginEpoch() }

    private static func open(_ settings: Settings, _ container: NSPersistentContainer) throws {
        let description = NSPersistentStoreDescription(url: settings.store)
        if settings.store.isFileURL {
            guard settings.makesStore || FileManager.default.fileExists(atPath: settings.store.path) else {
                throw ServeError("There is no store \(settings.store.path). Make it with --create.")
            }
        } else {
            description.type = NSPostgreSQLStoreType
        }
        description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        description.setOption(NSNumber(value: true), forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// Closes the store: the file has everything then.
    func close() {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    /// The application.
    ///
    /// - Parameter whenListening: gets the port.
    func application(whenListening: @escaping @Sendable (Int) -> Void = { _ in }) -> some ApplicationProtocol {
        let logger = logger
        return Application(
            router: router(),
            server: .http1(
                configuration: .init(
                    idleTimeout: .seconds(75),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 8 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100))),
            configuration: .init(
                address: .hostname(settings.host, port: settings.port), serverName: "coredata-serve", backlog: 1024),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                logger.info("Listening", metadata: ["port": "\(port)"])
                whenListening(port)
            }, logger: logger)
    }

    private func router() -> Router<ServerContext> {
        let router = Router(context: ServerContext.self)
        router.add(middleware: MetricsMiddleware())
        router.get("health") { _, _ in Response(status: .noContent) }
        let container = container
        router.get("ready") { _, _ in
            let isReady = await container.performBackgroundTask { context in
                let entity = container.managedObjectModel.entities.first { !$0.isAbstract }?.name ?? ""
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.fetchLimit = 1
                return (try? context.count(for: request)) != nil
            }
            return Response(status: isReady ? .noContent : .serviceUnavailable)
        }
        let accounts = settings.accounts
        SyncRoutes(sync: sync).add(to: router.group("sync").add(middleware: TokenMiddleware(accounts: accounts)))
        TemplateRoutes(
            container: container, sync: sync, templates: settings.templates, hasScopes: !settings.scopes.isEmpty,
            logger: logger
        ).add(to: router.group("fetch").add(middleware: TokenMiddleware(accounts: accounts)))
        if let administrator = settings.administrator {
            let middleware = TokenMiddleware(accounts: accounts, only: administrator)
            addMetrics(to: router.group("metrics").add(middleware: middleware))
            BackupRoutes(sync: sync).add(to: router.group("backup").add(middleware: middleware))
        }
        return router
    }

    /// The bytes of the process that are in memory; not a number where the system doesn't say it.
    private static func residentMemory() -> Double {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return pages.flatMap { $0.count > 1 ? Double($0[1]) : nil }.map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) }
            ?? .nan
    }

    private func addMetrics(to group: RouterGroup<ServerContext>) {
        let (metrics, sync) = (metrics, sync)
        group.get { _, _ in
            let text = metrics.text(gauges: [
                "coredata_sync_position": sync.noticedPosition.map(Double.init) ?? .nan,
                "coredata_sync_listeners": Double(sync.listenerCount),
                "process_resident_memory_bytes": Self.residentMemory(),
            ])
            return Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
                body: .init(byteBuffer: ByteBuffer(string: text)))
        }
    }
}
