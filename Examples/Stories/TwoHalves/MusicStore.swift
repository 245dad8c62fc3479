import CoreData

/// A Core Data stack with one SQLite store.
struct MusicStore {
    let url: URL
    let context: NSManagedObjectContext

    /// Opens the store at `url`, and creates it if it doesn't exist.
    init(at url: URL, model: NSManagedObjectModel) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        self.url = url
    }

    /// Inserts an artist with songs.
    func insert(artist name: String, songs: [(title: String, minutes: Float)]) {
        let artist = NSEntityDescription.insertNewObject(forEntityName: "Artist", into: context)
        artist.setValue(name, forKey: "name")
        for (title, minutes) in songs {
            let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
            song.setValue(title, forKey: "title")
            song.setValue(minutes * 60, forKey: "duration")
            // The inverse relationship, the songs of the artist, is set automatically.
            song.setValue(artist, forKey: "artist")
        }
    }

    func songs(where predicate: NSPredicate? = nil) throws -> [NSManagedObject] {
        try objects(of: "Song", where: predicate, sortedBy: "title")
    }

    func artists(where predicate: NSPredicate? = nil) throws -> [NSManagedObject] {
        try objects(of: "Artist", where: predicate, sortedBy: "name")
    }

    private func objects(of entity: String, where predicate: NSPredicate?, sortedBy key: String) throws
        -> [NSManagedObject]
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        return try context.fetch(request)
    }
}
