// Copies, restores and destroys a store.
// snippet.setup
import CoreData
import MusicLibrary

let folder = temporaryFolder()
let file = folder.appendingPathComponent("Music.sqlite")
let backup = folder.appendingPathComponent("Backup.sqlite")
let container = try openMusic(file)
let context = container.viewContext
let coordinator = container.persistentStoreCoordinator
// snippet.end

// snippet.backup
let store = coordinator.persistentStores[0]
try coordinator.backUpPersistentStore(store, to: backup)
// snippet.end
// snippet.hide
expect(FileManager.default.fileExists(atPath: backup.path))
let request = NSFetchRequest<Song>(entityName: "Song")
for song in try context.fetch(request) { context.delete(song) }
try context.save()
// snippet.show

// snippet.restore
try coordinator.remove(store)
try coordinator.replacePersistentStore(
    at: file, destinationOptions: nil,
    withPersistentStoreFrom: backup, sourceOptions: nil,
    ofType: NSSQLiteStoreType)
try coordinator.addPersistentStore(
    ofType: NSSQLiteStoreType, configurationName: nil, at: file, options: nil)
// snippet.end
// snippet.hide
try expect(context.count(for: request) == 5)
// snippet.show

// snippet.one
let single = folder.appendingPathComponent("ForTheMac.sqlite")
let options = [NSSQLitePragmasOption: ["journal_mode": "DELETE"] as NSDictionary]
let other = NSPersistentStoreCoordinator(
    managedObjectModel: container.managedObjectModel)
let source = try other.addPersistentStore(
    ofType: NSSQLiteStoreType, configurationName: nil, at: backup, options: nil)
try other.migratePersistentStore(source, to: single, options: options, type: .sqlite)
// snippet.end
// snippet.hide
expect(!FileManager.default.fileExists(atPath: single.path + "-wal"))
// snippet.show

// snippet.inspect
let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
    ofType: NSSQLiteStoreType, at: single, options: nil)
print(metadata[NSStoreUUIDKey] ?? "", metadata[NSStoreTypeKey] ?? "")
// snippet.end
