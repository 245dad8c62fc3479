import Synchronization
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("Invariants of contexts")
struct ContextInvariantTests {
    /// Calls a block with a context that has a saved artist, its saved album, and an unsaved track of the album.
    private func withContext(
        _ body: (NSManagedObjectContext, _ artist: NSManagedObject, _ album: NSManagedObject, _ track: NSManagedObject)
            throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: AlbumModel.make())
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let artist = NSEntityDescription.insertNewObject(forEntityName: "Artist", into: context)
            let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: context)
            album.setValue(artist, forKey: "performer")
            try context.save()
            let track = NSEntityDescription.insertNewObject(forEntityName: "Track", into: context)
            track.setValue(album, forKey: "album")
            try context.checkInvariants()
            try body(context, artist, album, track)
        }
    }

    /// The violations that a check finds.
    private func violations(_ context: NSManagedObjectContext) -> String {
        do {
            try context.checkInvariants()
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test("an object with a wrong index in its list is found")
    func index() throws {
        try withContext { context, _, _, track in
            let index = track.changeIndex
            track.changeIndex = 7
            expectContains(violations(context), "has the index 7, not \(index)")
            track.changeIndex = index
        }
    }

    @Test("a flag without a list is found")
    func flags() throws {
        try withContext { context, artist, _, _ in
            artist.flags.insert(.updated)
            expectContains(violations(context), "is in no list of changed objects")
            artist.flags.remove(.updated)
            artist.flags.insert(.pending)
            expectContains(violations(context), "is pending, unlisted")
            artist.flags.remove(.pending)
        }
    }

    @Test("a pending object without its flag is found")
    func pending() throws {
        try withContext { context, _, _, track in
            track.flags.remove(.pending)
            expectContains(violations(context), "is pending without the flag")
            track.flags.insert(.pending)
        }
    }

    @Test("a store that is assigned to a saved object is found")
    func assignedStore() throws {
        try withContext { context, artist, _, _ in
            context.unsavedChanges.assign(artist, to: context.persistentStoreCoordinator?.persistentStores.first)
            expectContains(violations(context), "An object that isn't new is assigned to a store.")
            context.unsavedChanges.assign(artist, to: nil)
        }
    }

    @Test("a registered object that isn't retained with the others is found")
    func retained() throws {
        try withContext { context, artist, _, _ in
            context.retainsRegisteredObjects = true
            expectEqual(violations(context), "")
            context.handle.release(artist)
            expectContains(violations(context), "The retained objects aren't the registered ones.")
            context.retainsRegisteredObjects = false
        }
    }

    @Test("a child with another coordinator than its parent is found")
    func coordinator() throws {
        try withContext { context, _, _, _ in
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = context
            expectEqual(violations(child), "")
            child.handle.setCoordinator(nil)
            expectContains(violations(child), "The context has another coordinator than its parent.")
        }
    }

    @Test("a pin that other contexts don't see is found")
    func pin() throws {
        try withContext { context, _, _, _ in
            context.handle.mayBePinned.store(true, ordering: .relaxed)
            expectContains(violations(context), "Other contexts don't see whether the context is pinned.")
            context.handle.mayBePinned.store(false, ordering: .relaxed)
        }
    }

    @Test("an object under another key is found")
    func key() throws {
        try withContext { context, artist, _, _ in
            let key = artist.primaryKey
            artist.primaryKey = 99
            expectContains(violations(context), "is registered under another key")
            artist.primaryKey = key
        }
    }

    @Test("a change of one side of a relationship is found")
    func inverse() throws {
        try withContext { context, _, album, track in
            let slot = try requireValue(track.layout.slot(named: "album"))
            let inverse = try requireValue(album.layout.slot(named: "tracks"))
            _ = album.toManyContent(inverse, loading: true).remove(track)
            expectContains(violations(context), "whose 'tracks' lacks the object")
            album.toManyContent(inverse, loading: true).insert(track)
            expectEqual(violations(context), "")
            track.cells.setEmpty(slot.cell)
            expectContains(violations(context), "has a destination of 'album', but no reference")
        }
    }
}
