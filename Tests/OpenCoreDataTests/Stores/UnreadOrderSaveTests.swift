import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// Saves of ordered relationships that could not be read when they were changed.
@Suite("Saving ordered relationships that couldn't be read")
struct UnreadOrderSaveTests {
    @Test("a replacement of members that couldn't be read isn't saved as an addition once they can be read")
    func replacement() throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: AlbumModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("a.sqlite"))
        let connection = try requireValue(store as? SQLiteStore).database.withOpen { $0.connection }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            func make(_ entity: String, _ title: String) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                object.setValue(title, forKey: "title")
                return object
            }
            let album = make("Album", "Arrival")
            for title in ["1", "2"] { make("Track", title).setValue(album, forKey: "album") }
            let new = make("Track", "3")
            try context.save()
            context.refresh(album, mergeChanges: false)
            #expect(album.value(forKey: "title") as? String == "Arrival")
            try connection.run("ALTER TABLE ZTRACK RENAME TO ZHIDDEN")
            album.setValue(NSOrderedSet(array: [new]), forKey: "tracks")
            try connection.run("ALTER TABLE ZHIDDEN RENAME TO ZTRACK")
            let error = #expect(throws: NSError.self) { try context.save() }
            expectEqual(error?.code, NSManagedObjectReferentialIntegrityError)
            context.refresh(album, mergeChanges: false)
            context.rollback()
            album.setValue(NSOrderedSet(array: [new]), forKey: "tracks")
            try context.save()
            context.reset()
            let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Album"))
            expectEqual((found[0].value(forKey: "tracks") as? NSOrderedSet)?.count, 1)
        }
    }
}
