import CoreData
import CoreDataPostgreSQL

/// Two processes share a store on a PostgreSQL server: one edits, the other one follows.
///
///     shared-store 'postgresql://app@db.example.org/shop'
///
/// Without an argument, the environment variable `COREDATA_POSTGRESQL_URL` has the URL. The store is in a new schema,
/// which is removed at the end.
@main
struct SharedStore {
    /// The values that the second process gets by its environment: all users of the machine can see arguments.
    private static let editedURL = "SHARED_STORE_EDITED_URL"

    static func main() throws {
        let environment = ProcessInfo.processInfo.environment
        if let text = environment[editedURL], let url = URL(string: text) { return try Editor.run(url) }
        let argument = CommandLine.arguments.dropFirst().first ?? environment["COREDATA_POSTGRESQL_URL"]
        guard let text = argument, let server = URL(string: text) else {
            say("usage: shared-store URL")
            exit(64)
        }
        let schema = "songs_" + UUID().uuidString.prefix(8).lowercased()
        let url = Playlist.url(server, schema: schema)
        let coordinator = try Playlist.coordinator(at: url)
        defer { try? coordinator.destroyPersistentStore(at: url, type: .postgreSQL) }

        let follower = try Follower(coordinator)
        try follower.start()
        let editor = Process()
        editor.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        editor.environment = environment.merging([editedURL: url.absoluteString]) { $1 }
        try editor.run()
        let isComplete = follower.wait(until: Editor.result)
        editor.waitUntilExit()
        guard isComplete, editor.terminationStatus == 0 else {
            say("The follower has not seen all changes.")
            try? coordinator.destroyPersistentStore(at: url, type: .postgreSQL)
            exit(1)
        }
        say("The follower has seen all changes.")
    }

    static func say(_ line: String) { print(line) }
}

/// The model and the store of both processes.
enum Playlist {
    static func coordinator(at url: URL) throws -> NSPersistentStoreCoordinator {
        let song = NSEntityDescription()
        song.name = "Song"
        let title = NSAttributeDescription()
        title.name = "title"
        title.attributeType = .stringAttributeType
        song.properties = [title]
        let model = NSManagedObjectModel()
        model.entities = [song]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            type: .postgreSQL, at: url,
            options: [
                NSPersistentHistoryTrackingKey: NSNumber(value: true),
                NSPersistentStoreRemoteChangeNotificationPostOptionKey: NSNumber(value: true),
            ])
        return coordinator
    }

    /// The URL of a schema on a server.
    static func url(_ server: URL, schema: String) -> URL {
        let text = server.absoluteString
        return URL(string: text + (text.contains("?") ? "&" : "?") + "schema=" + schema) ?? server
    }
}
