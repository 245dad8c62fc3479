// Puts the parts of Core Data together by hand, and with a container.
// snippet.setup
import CoreData
import MusicLibrary

let file = temporaryFolder().appendingPathComponent("Music.sqlite")
let model = makeMusicModel()
// snippet.end

// snippet.byhand
let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
try coordinator.addPersistentStore(
    ofType: NSSQLiteStoreType, configurationName: nil, at: file, options: nil)
let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
context.persistentStoreCoordinator = coordinator
// snippet.end
// snippet.hide
try addMusic(to: context)
// snippet.show

// snippet.container
let container = NSPersistentContainer(name: "Music", managedObjectModel: model)
container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
container.loadPersistentStores { _, error in
    if let error { fatalError("\(error)") }
}
let request = NSFetchRequest<Song>(entityName: "Song")
let count = try container.viewContext.count(for: request)
// snippet.end
// snippet.hide
expect(count == 5)
// snippet.show

// snippet.child
let editor = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
editor.parent = container.viewContext
let draft = Artist(context: editor)
draft.name = "Ella Fitzgerald"
try editor.save()  // The parent has the artist now; the file hasn't.
try container.viewContext.save()  // The file has it, too.
// snippet.end
// snippet.hide
try expect(context.count(for: NSFetchRequest<Artist>(entityName: "Artist")) == 3)
// snippet.show
