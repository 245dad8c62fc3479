import CoreData
import TestSupport
import Testing

/// `coredata store copy` between files.
struct StoreCopyTests {
    @Test("A SQLite store is copied into an XML file and back")
    func aSQLiteStoreIsCopied() async throws {
        let folder = try TemporaryFolder()
        let (source, identifier) = try Self.store(in: folder)
        let there = try await CommandRun("store", "copy", source.path, folder.path("copy.xml"))
        expectEqual(there.status, 0, "\(there.errors)")
        let model = Self.model()
        try expectEqual(Self.titles(folder.file("copy.xml"), .xml, model), ["One", "Two"])
        let back = try await CommandRun("store", "copy", folder.path("copy.xml"), folder.path("back.sqlite"))
        #expect(back.status != 0)
        expectContains(back.errors, "--model")
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: .xml, at: folder.file("copy.xml"))
        #expect(metadata[NSStoreUUIDKey] as? String == identifier)
        // The model in the SQLite store fits.
        let again = try await CommandRun(
            "store", "copy", folder.path("copy.xml"), folder.path("back.sqlite"), "--model", source.path)
        expectEqual(again.status, 0, "\(again.errors)")
        try expectEqual(Self.titles(folder.file("back.sqlite"), .sqlite, model), ["One", "Two"])
    }

    @Test("An existing file is replaced with force only")
    func anExistingFileIsReplaced() async throws {
        let folder = try TemporaryFolder()
        let (source, _) = try Self.store(in: folder)
        let file = try folder.write("", to: "copy.sqlite")
        let refused = try await CommandRun("store", "copy", source.path, file.path)
        #expect(refused.status != 0)
        expectContains(refused.errors, "--force")
        let forced = try await CommandRun("store", "copy", source.path, file.path, "--force")
        expectEqual(forced.status, 0, "\(forced.errors)")
        try expectEqual(Self.titles(file, .sqlite, Self.model()), ["One", "Two"])
    }

    @Test("A file that is no store is an error")
    func aFileThatIsNoStore() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("text", to: "x.sqlite")
        let run = try await CommandRun("store", "copy", file.path, folder.path("copy.sqlite"))
        #expect(run.status != 0)
        let names = try folder.contents
        expectEqual(names, ["x.sqlite"])
    }

    private static func model() -> NSManagedObjectModel {
        let title = NSAttributeDescription()
        title.name = "title"
        title.attributeType = .stringAttributeType
        let entity = NSEntityDescription()
        entity.name = "Book"
        entity.properties = [title]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private static func store(in folder: TemporaryFolder) throws -> (URL, String?) {
        let url = folder.file("source.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for title in ["One", "Two"] {
                NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                    .setValue(title, forKey: "title")
            }
            try context.save()
        }
        defer { try? coordinator.remove(store) }
        return (url, store.identifier)
    }

    private static func titles(
        _ url: URL, _ type: NSPersistentStore.StoreType, _ model: NSManagedObjectModel
    ) throws -> [String] {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: type, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
                .compactMap { $0.value(forKey: "title") as? String }.sorted()
        }
    }
}
