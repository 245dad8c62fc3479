import CoreData
import Testing

final class ExampleSong: NSManagedObject {
    var title: String {
        get { value(forKey: "title") as? String ?? "" }
        set { setValue(newValue, forKey: "title") }
    }
}

/// The examples in the documentation of queues, undo, parents, query generations and fetched results, word for word.
private enum Examples {
    typealias Song = ExampleSong

    static func addSong(_ title: String, to context: NSManagedObjectContext) {
        context.perform {
            let song = Song(context: context)
            song.title = title
            do {
                try context.save()
            } catch {
                print("The song can't be saved: \(error.localizedDescription)")
            }
        }
    }

    static func insertedCount(_ context: NSManagedObjectContext) -> Int {
        var count = 0
        context.performAndWait { count = context.insertedObjects.count }
        return count
    }

    static func countSongs(in context: NSManagedObjectContext) throws -> Int {
        try context.performAndWait {
            try context.count(for: NSFetchRequest<Song>(entityName: "Song"))
        }
    }

    static func rename(_ id: NSManagedObjectID, to name: String, in context: NSManagedObjectContext) async throws {
        try await context.perform {
            context.object(with: id).setValue(name, forKey: "title")
            try context.save()
        }
    }

    static func makeViewContext(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        context.automaticallyMergesChangesFromParent = true
        return context
    }

    static func renameAndUndo(_ song: Song, in context: NSManagedObjectContext) {
        context.undoManager = UndoManager()
        song.title = "Blue in Green"
        context.processPendingChanges()
        context.undo()
    }

    static func deleteAndUndo(_ song: Song, in context: NSManagedObjectContext) {
        context.undoManager = UndoManager()
        context.delete(song)
        context.processPendingChanges()
        context.undo()
    }

    static func titles(in context: NSManagedObjectContext) throws -> [String] {
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            defer { context.reset() }
            return try context.fetch(NSFetchRequest<Song>(entityName: "Song")).map(\.title)
        }
    }

    static func edit(_ id: NSManagedObjectID, in parent: NSManagedObjectContext) throws {
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = parent
        try child.performAndWait {
            child.object(with: id).setValue("Blue in Green", forKey: "title")
            try child.save()
        }
    }

    final class SongList: NSObject, NSFetchedResultsControllerDelegate {
        private let songs: NSFetchedResultsController<Song>
        private(set) var titles: [String] = []

        init(_ context: NSManagedObjectContext) throws {
            let request = NSFetchRequest<Song>(entityName: "Song")
            request.sortDescriptors = ["genre", "title"].map { NSSortDescriptor(key: $0, ascending: true) }
            songs = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "genre", cacheName: nil)
            super.init()
            songs.delegate = self
            try songs.performFetch()
        }

        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
            titles = songs.fetchedObjects?.map(\.title) ?? []
        }

        func showJazz() {
            songs.fetchRequest.predicate = NSPredicate(format: "genre == %@", "Jazz")
            do {
                try songs.performFetch()
            } catch {
                print("The songs can't be fetched: \(error.localizedDescription)")
            }
            titles = songs.fetchedObjects?.map(\.title) ?? []
        }
    }
}

@Suite("Examples in the documentation of queues, undo, parents and fetched results")
struct ConcurrencyExamplesTests {
    private typealias Song = ExampleSong

    private static func makeModel() -> NSManagedObjectModel {
        let song = entity("Song", [attribute("title", .stringAttributeType), attribute("genre", .stringAttributeType)])
        song.managedObjectClassName = NSStringFromClass(Song.self)
        return model([song])
    }

    @Test("blocks on the context's queue", arguments: StoreKind.allCases)
    func blocks(_ kind: StoreKind) async throws {
        let stack = try TestStack(kind, model: Self.makeModel())
        let context = stack.context
        Examples.addSong("a", to: context)
        expectEqual(Examples.insertedCount(context), 0)
        try expectEqual(Examples.countSongs(in: context), 1)
        let id = try await context.perform {
            try context.fetch(NSFetchRequest<Song>(entityName: "Song"))[0].objectID
        }
        try await Examples.rename(id, to: "b", in: context)
        try expectEqual(Examples.titles(in: stack.newContext()), ["b"])
        expectTrue(Examples.makeViewContext(stack.coordinator).automaticallyMergesChangesFromParent)
    }

    @Test("undo, and a child that edits an object", arguments: StoreKind.allCases)
    func undo(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            let song = Song(context: stack.context)
            song.title = "a"
            try stack.context.save()
            Examples.renameAndUndo(song, in: stack.context)
            expectEqual(song.title, "a")
            Examples.deleteAndUndo(song, in: stack.context)
            expectFalse(song.isDeleted)
            try Examples.edit(song.objectID, in: stack.context)
            expectEqual(song.title, "Blue in Green")
            expectTrue(stack.context.hasChanges)
        }
    }

    @Test("a list that is updated by a fetched results controller", arguments: StoreKind.allCases)
    func list(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            let list = try Examples.SongList(stack.context)
            for (genre, title) in [("Jazz", "b"), ("Jazz", "a"), ("Rock", "c")] {
                let song = Song(context: stack.context)
                song.title = title
                song.setValue(genre, forKey: "genre")
            }
            stack.context.processPendingChanges()
            expectEqual(list.titles, ["a", "b", "c"])
            list.showJazz()
            expectEqual(list.titles, ["a", "b"])
        }
    }
}
