import OpenCoreData
import Testing

@Suite("Keys and identifiers that only a damaged store has")
struct DamagedKeyTests {
    let folder = try! TemporaryFolder()

    private func store(_ damage: String) throws -> URL {
        let url = folder.url.appendingPathComponent("Songs.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let artist = NSEntityDescription.insertNewObject(forEntityName: "Artist", into: context)
            let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
            song.setValue(artist, forKey: "artist")
            try context.save()
        }
        try coordinator.remove(store)
        try SQLiteConnection(path: url.path, mode: .readWrite).run(damage)
        return url
    }

    private static func model() -> NSManagedObjectModel {
        let artist = NSEntityDescription()
        let song = NSEntityDescription()
        artist.name = "Artist"
        song.name = "Song"
        let ofSong = NSRelationshipDescription()
        let ofArtist = NSRelationshipDescription()
        ofSong.name = "artist"
        ofSong.destinationEntity = artist
        ofSong.maxCount = 1
        ofSong.inverseRelationship = ofArtist
        ofArtist.name = "songs"
        ofArtist.destinationEntity = song
        ofArtist.inverseRelationship = ofSong
        song.properties = [ofSong]
        artist.properties = [ofArtist]
        let model = NSManagedObjectModel()
        model.entities = [artist, song]
        return model
    }

    private func songs(_ url: URL, _ body: ([NSManagedObject]) throws -> Void = { _ in }) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Song"))) }
    }

    @Test("A reference by a negative key leads nowhere", arguments: [-1, Int64.min])
    func reference(key: Int64) throws {
        try songs(store("UPDATE ZSONG SET ZARTIST = \(key)")) { songs in
            expectEqual(songs.count, 1)
            #expect(songs.first?.value(forKey: "artist") == nil)
        }
    }

    @Test(
        "A row with a negative key is an error that names the file",
        arguments: [
            "UPDATE ZSONG SET Z_PK = -1", "UPDATE ZSONG SET Z_PK = -9223372036854775808",
        ])
    func row(damage: String) throws {
        let url = try store(damage)
        let error = thrownError { try songs(url) }
        expectEqual(error?.code, CocoaError.Code.fileReadCorruptFile.rawValue)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
    }

    @Test(
        "An identifier that makes no URI is refused when the store is opened",
        arguments: ["x'00'", "'a b'", "'x/../y'", "''"])
    func identifier(text: String) throws {
        let url = try store("UPDATE Z_METADATA SET Z_UUID = \(text)")
        let error = thrownError { try songs(url) }
        expectEqual(error?.code, CocoaError.Code.fileReadCorruptFile.rawValue)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
    }
}
