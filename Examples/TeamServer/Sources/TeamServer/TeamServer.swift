import CoreData
import CoreDataServer
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// The server: a database service, the feed of changes, and the requests of the teams.
public struct TeamServer: Sendable {
    public let settings: Settings
    public let database: CoreDataService
    let feed: ChangeFeed
    private let logger: Logger

    /// - Parameters:
    ///   - settings: the settings.
    ///   - logger: gets the messages of the server.
    public init(_ settings: Settings, logger: Logger = Logger(label: "team-server")) {
        self.settings = settings
        self.logger = logger
        var configuration = CoreDataService.Configuration()
        configuration.concurrencyLimit = settings.workLimit
        database = CoreDataService(settings.container(), configuration: configuration)
        feed = ChangeFeed(database, configuration: settings.changes, logger: logger)
    }

    /// Serves until `SIGTERM` or `SIGINT`.
    ///
    /// A shutdown has limits: it cancels the requests that take too long, and ends the process if they go on.
    public func run() async throws {
        var configuration = ServiceGroupConfiguration(
            services: [try application()], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = settings.shutdownLimit
        configuration.maximumCancellationDuration = settings.cancellationLimit
        try await ServiceGroup(configuration: configuration).run()
    }

    /// The application, whose services open and close the database.
    ///
    /// - Parameter whenListening: gets the port.
    public func application(
        whenListening: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws -> some ApplicationProtocol {
        let (settings, database) = (settings, database)
        var application = Application(
            router: try router(),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        DeadlineHandler(requestLimit: settings.requestLimit, readingLimit: settings.idleLimit)
                    ],
                    idleTimeout: TimeAmount(settings.idleLimit),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 8 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100))),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port), serverName: "TeamServer", backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(settings.connectionLimit)),
            onServerRunning: { whenListening($0.localAddress?.port ?? 0) }, logger: logger)
        // Services end in reverse order: the server first, then the feed, and the database last.
        application.addServices(database, feed)
        let teams = Set(settings.teams.values).sorted()
        application.beforeServerStarts {
            do {
                try await cancelWhenGracefulShutdown { try await Self.makeTeams(teams, database) }
            } catch {
                // If the server is told to end before the database can be reached, listening ends at once.
                guard Task.isShuttingDownGracefully else { throw error }
            }
        }
        return application
    }

    private func router() throws -> Router<TeamContext> {
        let router = Router(context: TeamContext.self, options: .autoGenerateHeadEndpoints)
        let database = database
        // For all addresses, also those that there aren't.
        router.add(middleware: ErrorMiddleware())
        // A process that can't reach its database serves no requests, but needn't be started again.
        router.get("live") { _, _ in Response(status: .noContent) }
        router.get("health") { _, _ in
            Response(status: database.isReady ? .noContent : .serviceUnavailable)
        }
        let group = router.group().add(middleware: TokenMiddleware(settings.teams))
        let model = database.container.managedObjectModel
        for resource in [try Resource.tasks(model), try Resource.members(model)] {
            ResourceRoutes(resource: resource, database: database, bodyLimit: settings.bodyLimit).add(to: group)
        }
        ChangeRoutes(feed: feed).add(to: group)
        return router
    }

    /// Two processes may begin at the same time: the second attempt of one finds the teams of the other.
    private static func makeTeams(_ teams: [String], _ database: CoreDataService) async throws {
        try await database.saveRetryingConflicts { context in
            for slug in teams {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
                request.predicate = NSPredicate(format: "slug == %@", slug)
                guard try context.count(for: request) == 0 else { continue }
                let team = NSEntityDescription.insertNewObject(forEntityName: "Team", into: context)
                team.setValue(slug, forKey: "slug")
                team.setValue(Date(), forKey: "created")
            }
        }
    }
}
