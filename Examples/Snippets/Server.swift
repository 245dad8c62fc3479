// A store on a PostgreSQL server. Without the variable the snippet does nothing.
// snippet.setup
import CoreData
import CoreDataPostgreSQL
import MusicLibrary

let model = makeMusicModel()
// snippet.end

// snippet.store
if let address = ProcessInfo.processInfo.environment["MUSIC_DATABASE"],
    let url = URL(string: address)
{
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
        ofType: NSPostgreSQLStoreType, configurationName: nil, at: url, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    print(try context.count(for: NSFetchRequest<Song>(entityName: "Song")))
}
// snippet.end
