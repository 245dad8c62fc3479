import CoreData
import Testing

/// The examples in the documentation of containers, coordinators and stores, on a store in a temporary folder.
@Suite("Examples of the stack's documentation")
struct StackExampleTests {
    private let folder: TemporaryFolder
    private let model: NSManagedObjectModel

    init() throws {
        folder = try TemporaryFolder()
        let song = entity(
            "Song", [attribute("title", .stringAttributeType), attribute("playCount", .integer64AttributeType)])
        model = CoreDataTestSupport.model([song])
    }

    private var url: URL { folder.file("Music.sqlite") }

    @Test("a container with a description, a background context and background tasks")
    func container() async throws {
        let container = NSPersistentContainer(name: "Music", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.timeout = 10
        description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")
        description.setOption(true as NSNumber, forKey: NSSQLiteAnalyzeOption)
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { description, error in
            if let error { Issue.record("\(description.url?.path ?? ""): \(error.localizedDescription)") }
        }
        container.viewContext.automaticallyMergesChangesFromParent = true

        let context = container.newBackgroundContext()
        try await context.perform {
            let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
            song.setValue("So What", forKey: "title")
            song.setValue(5, forKey: "playCount")
            try context.save()
        }
        await withCheckedContinuation { continuation in
            container.performBackgroundTask { context in
                do {
                    for song in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Song")) {
                        song.setValue(0, forKey: "playCount")
                    }
                    try context.save()
                } catch {
                    Issue.record("The play counts were not reset: \(error)")
                }
                continuation.resume()
            }
        }
        let request = UnsafeSender(NSPredicate(format: "playCount == 0"))
        let count = try await container.performBackgroundTask { context in
            let fetch = NSFetchRequest<NSManagedObject>(entityName: "Song")
            fetch.predicate = request.value
            return try context.count(for: fetch)
        }
        expectEqual(count, 1)
    }

    @Test("a coordinator, its metadata, and a store that is destroyed")
    func coordinator() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSSQLitePragmasOption: ["synchronous": "FULL"]])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        expectTrue(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        try coordinator.destroyPersistentStore(at: url, type: .sqlite)
        expectEmpty(coordinator.persistentStores)
        try coordinator.addPersistentStore(type: .sqlite, at: url)
        expectEqual(coordinator.persistentStores.count, 1)
    }

    /// The larger play count wins.
    private final class LargestCount: NSMergePolicy, @unchecked Sendable {
        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            for conflict in list {
                let stored = conflict.persistedSnapshot ?? conflict.cachedSnapshot
                guard let theirs = stored?["playCount"] as? NSNumber,
                    let ours = conflict.sourceObject.value(forKey: "playCount") as? NSNumber
                else { continue }
                conflict.sourceObject.setValue(max(theirs.intValue, ours.intValue), forKey: "playCount")
            }
            try super.resolve(optimisticLockingConflicts: list)
        }
    }

    @Test("a merge policy of the program's own", arguments: [(3, 7), (7, 3)])
    func policy(first: Int, second: Int) throws {
        let stack = try TestStack(.sqlite, model: model, folder: folder)
        stack.context.mergePolicy = LargestCount(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        let other = stack.newContext()
        try on(stack.context) {
            let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: stack.context)
            song.setValue(1, forKey: "playCount")
            try stack.context.save()
            try on(other) {
                try other.all("Song").first?.setValue(first, forKey: "playCount")
                try other.save()
            }
            song.setValue(second, forKey: "playCount")
            try stack.context.save()
            expectEqual(song.number("playCount"), 7)
        }
    }

    /// A container whose stores are elsewhere, and whose contexts are named.
    private final class TestContainer: NSPersistentContainer, @unchecked Sendable {
        override class func defaultDirectoryURL() -> URL { FileManager.default.temporaryDirectory }
        override var name: String { "Overridden" }
        override func newBackgroundContext() -> NSManagedObjectContext {
            let context = super.newBackgroundContext()
            context.name = "background"
            return context
        }
    }

    @Test("a subclass of the container overrides its members, and the framework calls the overrides")
    func subclass() async throws {
        let container = TestContainer(name: "Music", managedObjectModel: model)
        expectEqual(container.name, "Overridden")
        expectEqual(
            container.persistentStoreDescriptions.first?.url?.deletingLastPathComponent().standardizedFileURL,
            FileManager.default.temporaryDirectory.standardizedFileURL)
        let name = await container.performBackgroundTask { $0.name }
        expectEqual(name, "background")
    }

    private final class NewFolderContainer: NSPersistentContainer, @unchecked Sendable {
        static let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        override class func defaultDirectoryURL() -> URL { folder }
    }

    @Test("loading the default store creates the default folder")
    func defaultFolder() throws {
        defer { try? FileManager.default.removeItem(at: NewFolderContainer.folder) }
        let container = NewFolderContainer(name: "Music", managedObjectModel: model)
        container.loadPersistentStores { _, error in #expect(error == nil) }
        expectTrue(
            FileManager.default.fileExists(
                atPath: NewFolderContainer.folder.appendingPathComponent("Music.sqlite").path))
    }

    @Test("an extension makes a coordinator by self.init")
    func selfInit() {
        #expect(NSPersistentStoreCoordinator.make(model).managedObjectModel === model)
    }
}

extension NSPersistentStoreCoordinator {
    fileprivate static func make(_ model: NSManagedObjectModel) -> NSPersistentStoreCoordinator {
        self.init(managedObjectModel: model)
    }
}
