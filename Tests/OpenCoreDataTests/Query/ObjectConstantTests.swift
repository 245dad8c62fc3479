import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@Suite("Objects in predicates of a real stack")
struct ObjectConstantTests {
    private func context(_ folder: TemporaryFolder, _ model: NSManagedObjectModel, _ name: String) throws
        -> NSManagedObjectContext
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            type: .sqlite, configuration: nil, at: folder.url.appendingPathComponent(name), options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func insert(_ entity: String, _ name: String, in context: NSManagedObjectContext) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(name, forKey: entity == "Song" ? "title" : "name")
        return object
    }

    private func titles(_ format: String, _ arguments: [Any], in context: NSManagedObjectContext) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        request.includesPendingChanges = false
        return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
    }

    @Test("equal their rows, as objects and as IDs; pending objects and those of other stores equal none")
    func constants() throws {
        let folder = try TemporaryFolder()
        let context = try context(folder, LibraryModel.make(), "one.sqlite")
        let other = try self.context(folder, LibraryModel.make(), "two.sqlite")
        var stranger: NSManagedObject?
        try other.performAndWait {
            stranger = insert("Artist", "Stranger", in: other)
            try other.save()
        }
        try context.performAndWait {
            let artist = insert("Artist", "A", in: context)
            let band = insert("Band", "B", in: context)
            let songs = ["x", "y", "z"].map { insert("Song", $0, in: context) }
            songs[0].setValue(artist, forKey: "artist")
            songs[1].setValue(band, forKey: "artist")
            try context.save()
            let unsaved = insert("Artist", "new", in: context)

            try expectEqual(titles("artist == %@", [artist], in: context), ["x"])
            try expectEqual(titles("artist == %@", [band.objectID], in: context), ["y"])
            try expectEqual(titles("artist IN %@", [[artist, band]], in: context), ["x", "y"])
            try expectEqual(titles("artist IN %@", [Set([artist.objectID, band.objectID])], in: context), ["x", "y"])
            try expectEqual(titles("artist == nil", [], in: context), ["z"])
            try expectEqual(titles("artist != %@", [artist], in: context), ["y"])
            try expectEqual(titles("SELF == %@", [songs[2]], in: context), ["z"])
            try expectEqual(titles("NOT SELF IN %@", [songs], in: context), [])
            try expectEqual(titles("artist == %@", [unsaved], in: context), [])
            try expectEqual(titles("artist == %@", [stranger!], in: context), [])
            try expectEqual(titles("ANY artist.songs == %@", [songs[0]], in: context), ["x"])
            try expectEqual(titles("artist.entity == %@", [band.entity], in: context), ["y"])
            try expectEqual(
                titles("TERNARY(title == 'x', artist, %@) == %@", [band, band], in: context), ["y", "z"])
        }
    }

    @Test("equal their rows as IDs of another coordinator of the same file")
    func idsOfOtherCoordinators() throws {
        let folder = try TemporaryFolder()
        let context = try context(folder, LibraryModel.make(), "one.sqlite")
        try context.performAndWait {
            for title in ["x", "y"] { _ = insert("Song", title, in: context) }
            try context.save()
        }
        let other = try self.context(folder, LibraryModel.make(), "one.sqlite")
        let found = try other.performAndWait {
            try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Song")).map { song in
                (id: song.objectID, title: song.value(forKey: "title") as? String)
            }
        }
        let id = found.first { $0.title == "x" }!.id
        try context.performAndWait {
            try expectEqual(titles("SELF == %@", [id], in: context), ["x"])
            try expectEqual(titles("SELF != %@", [id], in: context), ["y"])
        }
    }
}
