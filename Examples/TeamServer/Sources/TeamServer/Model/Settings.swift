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
    /// How long a shutdown waits for requests, before it cancels them and closes the database.
    public var shutdownLimit = Duration.seconds(120)
    /// How long cancelled requests may go on, before a shutdown ends the process.
    public var cancellationLimit = Duration.seconds(30)
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
    ///   more, a team's name at most 40.
    /// - `TEAM_SERVER_HOST`, `TEAM_SERVER_PORT`: where to listen.
    public init(environment: [String: String]) throws {
        let text = environment["TEAM_SERVER_DATABASE"] ?? "team-server.sqlite"
        if text.contains("://") {
            guard let url = URL(string: text) else { throw Problem(description: "TEAM_SERVER_DATABASE is no URL.") }
            database = url
        } else {
            database = URL(fileURLWithPath: text)
        }
        teams = try Self.teams(environment["TEAM_SERVER_TOKENS"] ?? "")
        host = environment["TEAM_SERVER_HOST"] ?? host
        if let text = environment["TEAM_SERVER_PORT"] {
            guard let number = UInt16(text) else { throw Problem(description: "TEAM_SERVER_PORT is no port.") }
            port = Int(number)
        }
    }

    /// The teams of a text such as `blue=TOKEN,red=TOKEN`. A team may have several tokens. Problems don't show them.
    private static func teams(_ text: String) throws -> [String: String] {
        var teams: [String: String] = [:]
        for (index, pair) in text.split(separator: ",").enumerated() {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            let place = "Pair \(index + 1) of TEAM_SERVER_TOKENS"
            guard parts.count == 2 else { throw Problem(description: "\(place) has not the form team=token.") }
            let (team, token) = (parts[0], parts[1])
            guard (1...TeamModel.slugLimit).contains(team.utf16.count) else {
                throw Problem(
                    description: "\(place) has no usable name of a team: it needs 1 to \(TeamModel.slugLimit) "
                        + "characters.")
            }
            guard token.count >= 16, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw Problem(
                    description: "\(place), of the team \(team), has no usable token: it needs 16 or more of the "
                        + "printable ASCII characters without spaces.")
            }
            guard teams.updateValue(team, forKey: token) == nil else {
                throw Problem(description: "\(place), of the team \(team), has the token of an earlier pair.")
            }
        }
        guard !teams.isEmpty else {
            throw Problem(
                description: "TEAM_SERVER_TOKENS names no team: set it to team=token, with commas between pairs.")
        }
        return teams
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
