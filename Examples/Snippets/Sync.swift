// An app whose store syncs with a server. The server of the listings doesn't run: the changes wait.
// snippet.setup
import CoreData
import CoreDataSync
import MusicLibrary

let file = temporaryFolder().appendingPathComponent("Music.sqlite")
let container = NSPersistentContainer(name: "Music", managedObjectModel: makeMusicModel())
let description = NSPersistentStoreDescription(url: file)
description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
container.persistentStoreDescriptions = [description]
container.loadPersistentStores { _, error in
    if let error { fatalError("\(error)") }
}
let context = container.viewContext
context.automaticallyMergesChangesFromParent = true
context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
// snippet.end

// snippet.engine
var configuration = SyncEngine.Configuration()
configuration.longestDelay = 60  // seconds between two tries while the server can't be reached
let engine = try SyncEngine(
    container, server: URL(string: "https://music.example.org")!, configuration: configuration
) {
    "a-token-of-16-or-more"
}
// snippet.end

// snippet.start
func startSync() async throws {
    do {
        try await engine.start()
    } catch SyncEngineError.needsFirstStart {
        try await engine.begin(.match(by: ["Artist": ["name"]]))
        try await engine.start()
    }
}
// snippet.end
let offline = try SyncEngine(container, server: URL(string: "http://127.0.0.1:9")!) { "a-token-of-16-or-more" }
try await offline.start()
try addMusic(to: context)
try? await offline.waitForPending()
let seen = await offline.status
expect(!seen.isConnected)
expect(seen.phase == .waiting || seen.phase == .syncing)
await offline.stop()

// snippet.status
func showStatus() async {
    for await event in engine.events {
        switch event {
        case .status(let status):
            print(status.phase, status.isConnected, status.pendingCount, status.lastSynced ?? "never")
        case .imported: print("The store has changes of others.")
        case .problems: print("A change isn't on the server.")
        default: print(event)
        }
    }
}
// snippet.end

// snippet.migration
/// Loads the store of an app with a new version of the model.
func loadStore(_ container: NSPersistentContainer, olderVersions: [NSManagedObjectModel]) throws {
    try SyncEngine.prepareForMigration(of: container.persistentStoreDescriptions[0], from: olderVersions)
    container.loadPersistentStores { _, error in
        if let error { fatalError("\(error)") }
    }
}
// snippet.end
let coordinator = container.persistentStoreCoordinator
for store in coordinator.persistentStores { try coordinator.remove(store) }
let updated = NSPersistentContainer(name: "Music", managedObjectModel: makeMusicModel())
updated.persistentStoreDescriptions = [description]
try loadStore(updated, olderVersions: [makeMusicModel()])
