// Reads what another writer has saved, from the history of the store.
// snippet.setup
import CoreData
import MusicLibrary

let file = temporaryFolder().appendingPathComponent("Music.sqlite")
let model = makeMusicModel()
// snippet.end

// snippet.container
let container = NSPersistentContainer(name: "Music", managedObjectModel: model)
let description = NSPersistentStoreDescription(url: file)
for key in [
    NSPersistentHistoryTrackingKey,
    NSPersistentStoreRemoteChangeNotificationPostOptionKey,
] {
    description.setOption(true as NSNumber, forKey: key)
}
container.persistentStoreDescriptions = [description]
container.loadPersistentStores { _, error in
    if let error { fatalError("\(error)") }
}
let context = container.viewContext
context.transactionAuthor = "app"
// snippet.end

// snippet.token
try addMusic(to: context)
var token = container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
// snippet.end

// snippet.other
let tracking: [String: NSObject] = [NSPersistentHistoryTrackingKey: true as NSNumber]
let other = try makeMusicContainer(file: file, options: tracking).viewContext
other.transactionAuthor = "importer"
let ella = Artist(context: other)
ella.name = "Ella Fitzgerald"
try other.save()
// snippet.end
// snippet.hide
var merged = 0
// snippet.show

// snippet.fetch
let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
let result = try context.execute(request) as? NSPersistentHistoryResult
for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
    if transaction.author != "app" {
        context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        // snippet.hide
        merged += 1
        // snippet.show
    }
    token = transaction.token
}
// snippet.end
// snippet.hide
expect(merged == 1)
// snippet.show

// snippet.changes
let changes = NSPersistentHistoryChange.fetchRequest
changes?.predicate = NSPredicate(
    format: "changedObjectID == %@ AND changeType == %d",
    ella.objectID, NSPersistentHistoryChangeType.insert.rawValue)
let inserts = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: changes!)
inserts.resultType = .changesOnly
let found = try context.execute(inserts) as? NSPersistentHistoryResult
// snippet.end
// snippet.hide
expect((found?.result as? [NSPersistentHistoryChange])?.count == 1)
// snippet.show

// snippet.delete
let week = Date(timeIntervalSinceNow: -7 * 24 * 3600)
try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: week))
// snippet.end

// snippet.generation
try context.setQueryGenerationFrom(.current)  // the next read pins the context
let artists = try context.fetch(NSFetchRequest<Artist>(entityName: "Artist"))
// snippet.end
// snippet.hide
expect(artists.count == 3)
// snippet.show
