import CoreDataServer
import Hummingbird
import Logging
import NotesModel

/// The server: the app's model layer on a separate file, behind four requests.
public struct NotesServer: Sendable {
    public let database: CoreDataService
    private let token: String

    /// - Parameters:
    ///   - store: the file of the store.
    ///   - token: what a client names in its requests.
    public init(store: URL, token: String) {
        database = CoreDataService(PersistenceController.container(at: store))
        self.token = token
    }

    /// The application, whose service opens and closes the database.
    ///
    /// - Parameter whenListening: gets the port, for tests that listen on any.
    public func application(
        port: Int = 8080, logger: Logger = Logger(label: "notes-server"),
        whenListening: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = Router()
        let database = database
        router.get("health") { _, _ in
            Response(status: database.isReady ? .noContent : .serviceUnavailable)
        }
        NoteRoutes(database: database).add(to: router.group().add(middleware: TokenMiddleware(token: token)))
        var application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { whenListening($0.localAddress?.port ?? 0) }, logger: logger)
        application.addServices(database)
        return application
    }
}
