// The half of a server, without a web framework: scopes, a hook, an authorization.
// snippet.model
import CoreData
import CoreDataSyncServer
import MusicLibrary

let model = try makeModel(
    """
    Team {
        name: string, required
        to-many members: Member, inverse: team, delete: cascade
        to-many notes: Note, inverse: team, delete: cascade
    }
    Member {
        user: string, required
        isReader: boolean, required, default: no
        to-one team: Team, inverse: members, required
    }
    Note {
        text: string { user-info { syncPolicy: hook } }
        votes: integer32, required, default: 0 { user-info { syncPolicy: sum } }
        to-one team: Team, inverse: notes, required
    }
    fetch mine: Member, predicate: "user == $USER"
    """)
// snippet.end

// snippet.store
let container = NSPersistentContainer(name: "Server", managedObjectModel: try SyncServer.model(for: model))
let description = NSPersistentStoreDescription(url: temporaryFolder().appendingPathComponent("Server.sqlite"))
for key in [NSPersistentHistoryTrackingKey, NSPersistentStoreRemoteChangeNotificationPostOptionKey] {
    description.setOption(true as NSNumber, forKey: key)
}
container.persistentStoreDescriptions = [description]
container.loadPersistentStores { _, error in
    if let error { fatalError("\(error)") }
}
// snippet.end

// snippet.server
var configuration = SyncServer.Configuration()
configuration.scopes = [SyncScope("mine", follows: ["team.notes", "team.members"])]
configuration.authorize = { write in
    // Members change notes. The server's own program changes teams and members.
    write.object.entity.name == "Note"
}
configuration.hook = { conflict in
    // Both texts stay.
    guard case .text(let old) = conflict.serverValue, case .text(let new) = conflict.replicaValue else {
        return .replica
    }
    return .value(.text(old + "\n" + new))
}
configuration.report = { error in print(error) }
let server = try SyncServer(container.persistentStoreCoordinator, configuration)
// snippet.end

// snippet.respond
/// The answer to a POST, for any web framework.
func answer(path: String, body: Data, user: String) async -> SyncServer.Response? {
    guard body.count <= server.mostBytes(of: path) else { return nil }
    return await server.respond(to: path, body: body, account: SyncAccount(user))
}
// snippet.end
let none = await answer(path: "sync/nothing", body: Data(), user: "ann")
expect(none == nil)
let bad = await answer(path: "sync/push", body: Data(), user: "ann")
expect(bad?.status == 400)

// snippet.backup
func backUp(to file: URL) async throws {
    let position = try await server.position()
    let coordinator = container.persistentStoreCoordinator
    try coordinator.backUpPersistentStore(coordinator.persistentStores[0], to: file)
    // Once the copy is in a safe place:
    try await server.noteBackup(of: position)
}
// snippet.end
try await backUp(to: temporaryFolder().appendingPathComponent("Backup.sqlite"))
