// Errors say what is wrong and what helps.
// snippet.setup
import CoreData
import MusicLibrary

let container = try openMusic()
let context = container.viewContext
// snippet.end
// snippet.hide
var codes: [Int] = []
// snippet.show

// snippet.error
let request = NSFetchRequest<Song>(entityName: "Song")
request.predicate = NSPredicate(format: "titel == %@", "So What")
do {
    _ = try context.fetch(request)
} catch let error as NSError {
    print(error.domain, error.code)
    print(error.localizedDescription)
    print(error.localizedFailureReason ?? "")
    print(error.localizedRecoverySuggestion ?? "")
    // snippet.hide
    codes.append(error.code)
    // snippet.show
}
// snippet.end
// snippet.hide
expect(codes.count == 1)
// snippet.show

// snippet.class
let model = makeMusicModel()
model.entitiesByName["Song"]?.managedObjectClassName = "Sonng"
let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
// Logs: Unable to load class named 'Sonng' for entity 'Song'. … Did you mean 'MusicLibrary.Song'?
try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
// snippet.end
// snippet.hide
let plain = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
plain.persistentStoreCoordinator = coordinator
plain.performAndWait {
    let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: plain)
    expect(type(of: song) == NSManagedObject.self)
}
// snippet.show
