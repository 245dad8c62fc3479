import CoreData
import Testing

@Suite("Processes that end during a save of external data")
struct EndedProcessTests {
    private static let large = Data(repeating: 7, count: 500_000)

    private static func makeModel() -> NSManagedObjectModel {
        let image = attribute("image", .binaryDataAttributeType)
        image.allowsExternalBinaryDataStorage = true
        return model([entity("Photo", [attribute("name", .stringAttributeType), image])])
    }

    private static func openContext(_ url: URL) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel())
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static func supportFiles(_ folder: URL) -> [String] {
        let support = folder.appendingPathComponent(".store_SUPPORT")
        return (FileManager.default.enumerator(atPath: support.path)?.allObjects as? [String] ?? [])
            .filter { $0 != "_EXTERNAL_DATA" }.sorted()
    }

    enum Change: String, CaseIterable, Sendable { case insert, update, delete }

    /// Saves a photo, and ends in the middle of another save: when some of its files are written, and it hasn't
    /// committed.
    private static func endDuringSave(_ url: URL, _ change: Change) throws {
        let context = try openContext(url)
        try on(context) {
            let photo = context.make("Photo", "saved", ["image": large])
            try context.save()
            switch change {
            case .insert: break
            case .update: photo.setValue(Data(repeating: 8, count: 500_000), forKey: "image")
            case .delete: context.delete(photo)
            }
            for number in 0..<40 { context.make("Photo", "new \(number)", ["image": large]) }
            let folder = url.deletingLastPathComponent()
            Thread.detachNewThread {
                while supportFiles(folder).count < 10 {}
                kill(getpid(), SIGKILL)
            }
            try context.save()
        }
    }

    @Test("the next opening removes what no saved value needs", arguments: Change.allCases)
    func ended(_ change: Change) async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("store.sqlite")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = url.path as String, change = change.rawValue as String] in
            try Self.endDuringSave(URL(fileURLWithPath: path), requireValue(Change(rawValue: change)))
        }
        #expect(Self.supportFiles(folder.url).count > 2)
        let context = try Self.openContext(url)
        expectEqual(Self.supportFiles(folder.url).count, 1)
        try on(context) {
            let photos = try context.all("Photo")
            expectEqual(photos.map { $0.value(forKey: "image") as? Data }, [Self.large])
        }
    }

    @Test("a save that completes leaves nothing but the files of its values")
    func completed() throws {
        let folder = try TemporaryFolder()
        let context = try Self.openContext(folder.file("store.sqlite"))
        try on(context) {
            let photo = context.make("Photo", "a", ["image": Self.large])
            try context.save()
            expectEqual(Self.supportFiles(folder.url).count, 1)
            photo.setValue(Data(repeating: 8, count: 500_000), forKey: "image")
            try context.save()
            expectEqual(Self.supportFiles(folder.url).count, 1)
            context.delete(photo)
            try context.save()
            expectEmpty(Self.supportFiles(folder.url))
        }
    }
}
