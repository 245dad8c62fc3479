import CoreData
import CoreDataPostgreSQL

/// The settings of a server.
public struct Settings: Sendable {
    /// A file, or the URL of a PostgreSQL database.
    public var database: URL
    public var host = "127.0.0.1"
    public var port = 8080
    /// The teams by their tokens.
    public var teams: [String: String]
    /// The greatest size of a request's body, in bytes.
    public var bodyLimit = 64 * 1024
    /// How long a client may take to send a request, from the beginning of the connection or from the request's head.
    public var requestLimit = Duration.seconds(10)
    /// How long a client may leave data unread, and a connection idle.
    public var idleLimit = Duration.seconds(60)
    /// How many connections there may be.
    public var connectionLimit = 10_000
    /// How many requests use the database at the same time.
    public var workLimit = 16
    /// Limits and times of the live changes.
    var changes = ChangeFeed.Configuration()

    /// Makes settings for tests and tools.
    public init(database: URL, teams: [String: String]) { (self.database, self.teams) = (database, teams) }

    /// A mistake in the environment.
    public struct Problem: Error, CustomStringConvertible {
        public let description: String
    }

    /// Reads the settings from environment variables.
    ///
    /// - `TEAM_SERVER_DATABASE`: the URL of a PostgreSQL database, or the path of a SQLite file.
    /// - `TEAM_SERVER_TOKENS`: the teams and their tokens, as `blue=TOKEN,red=TOKEN`. A token has 16 characters or
    ///   more.
    /// - `TEAM_SERVER_HOST`, `TEAM_SERVER_PORT`: where to listen.
    public init(environment: [String: String]) throws {
        let text = environment["TEAM_SERVER_DATABASE"] ?? "team-server.sqlite"
        if text.contains("://") {
            guard let url = URL(string: text) else { throw Problem(description: "TEAM_SERVER_DATABASE is no URL.") }
            database = url
        } else {
            database = URL(fileURLWithPath: text)
        }
        teams = [:]
        for pair in (environment["TEAM_SERVER_TOKENS"] ?? "").split(separator: ",") {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, parts[1].count >= 16 else {
                throw Problem(description: "TEAM_SERVER_TOKENS has no team=token, or a token is too short.")
            }
            teams[parts[1]] = parts[0]
        }
        guard !teams.isEmpty else { throw Problem(description: "TEAM_SERVER_TOKENS names no team.") }
        host = environment["TEAM_SERVER_HOST"] ?? host
        if let text = environment["TEAM_SERVER_PORT"] {
            guard let number = UInt16(text) else { throw Problem(description: "TEAM_SERVER_PORT is no port.") }
            port = Int(number)
        }
    }

    /// The container of the database.
    func container() -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "TeamServer", managedObjectModel: TeamModel.make())
        let description = NSPersistentStoreDescription(url: database)
        description.type = database.isFileURL ? NSSQLiteStoreType : NSPostgreSQLStoreType
        // Processes on one database hear of each other's commits, and read them in the history.
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        container.persistentStoreDescriptions = [description]
        return container
    }
}
