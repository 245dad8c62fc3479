import CoreData
import Testing

@testable import CoreDataCommand

/// POSIX ends the locks of a process on a file when the process closes any descriptor of it.
@Suite("coredata store browse: a store that others write")
struct LiveBrowserTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func open(_ path: String) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BrowserSample.model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static func add(_ name: String, _ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Item", into: context).setValue(name, forKey: "name")
            try context.save()
        }
    }

    @Test(
        "no page ends the locks of SQLite: another process that opens and closes the store leaves the log",
        arguments: ["/", "/model", "/e/Item", "/compare", "/compare?with=", "/history", "/search?q=a"])
    func page(_ page: String) async throws {
        let path = folder.path("Items.sqlite")
        let writer = try Self.open(path)
        try Self.add("first", writer)
        let session = try BrowserSession(path: path)
        let target = page.hasSuffix("=") ? page + PercentEncoding.encoded(path) : page
        _ = session.get(target)
        try requireValue(FileManager.default.fileExists(atPath: path + "-wal"))
        await #expect(processExitsWith: .success) { [path = path as String] in
            let context = try Self.open(path)
            let count = try await context.perform {
                try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item"))
            }
            guard count == 1 else { throw TestFailure("\(count) items") }
        }
        expectTrue(FileManager.default.fileExists(atPath: path + "-wal"))
        try Self.add("second", writer)
        expectContains(try session.text("/e/Item"), "second")
    }
}
