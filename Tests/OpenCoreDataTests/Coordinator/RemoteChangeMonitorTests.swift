import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// How long a store is asked for commits after a write to its files.
@Suite("Monitors of remote changes", .timeLimit(.minutes(TestRun.hangMinutes)))
struct RemoteChangeMonitorTests {
    private static func coordinator(_ url: URL) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: AlbumModel.make())
        let options: [AnyHashable: Any] = [
            NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber
        ]
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        return coordinator
    }

    /// Saves an artist, so that the store has a log.
    private static func saveArtist(_ coordinator: NSPersistentStoreCoordinator) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            _ = NSEntityDescription.insertNewObject(forEntityName: "Artist", into: context)
            try context.save()
        }
    }

    /// Writes the first byte of a file again.
    private static func touch(_ path: String) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let byte = try requireValue(try file.read(upToCount: 1))
        try file.seek(toOffset: 0)
        try file.write(contentsOf: byte)
        try file.close()
    }

    @Test("A commit that becomes visible long after the write is posted")
    func aLateCommit() async throws {
        let (folder, hidden) = (try TemporaryFolder(), try TemporaryFolder())
        let url = folder.file("a.sqlite")
        let first = try Self.coordinator(url)
        try Self.saveArtist(first)
        let coordinator = try Self.coordinator(url)
        let store = try requireValue(coordinator.persistentStores.first)
        let monitor = try requireValue(coordinator.remoteChanges.monitor(of: store))
        // Writes to the same files in another folder are not reported.
        for ending in ["", "-wal", "-shm"] {
            try FileManager.default.linkItem(atPath: url.path + ending, toPath: hidden.path("a.sqlite" + ending))
        }
        let writer = try SQLiteConnection(path: hidden.path("a.sqlite"), mode: .readWrite)
        let (posts, continuation) = AsyncStream.makeStream(of: Void.self)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { _ in continuation.yield() }
        defer { NotificationCenter.default.removeObserver(observer) }

        try Self.touch(url.path + "-wal")
        // Five checks have found nothing: more than a second has gone by.
        while monitor.currentPause < 5 { await Task.yield() }
        try writer.run("UPDATE ZARTIST SET Z_OPT = Z_OPT + 1")
        for await _ in posts { break }
        withExtendedLifetime((folder, hidden, first, writer)) {}
    }
}
