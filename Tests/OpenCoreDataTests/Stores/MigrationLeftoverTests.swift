import CoreDataModel
import OpenCoreData
import TestSupport
import Testing

/// The files that a migration leaves when its process ends early.
@Suite("What an interrupted migration has left")
struct MigrationLeftoverTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var store: URL { folder.file("store") }

    private func leaveFiles() throws {
        let left = MigrationLock.folder(of: store)
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
        try Data(repeating: 1, count: 1000).write(to: left.appendingPathComponent("store"))
        // The file of the lock stays when its process is killed.
        try Data().write(to: folder.file(".store.migration"))
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    private func open(_ type: String, options: [String: Any] = [:]) throws {
        let entity = NSEntityDescription()
        entity.name = "Song"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let opened = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: store, options: options)
        try coordinator.remove(opened)
    }

    @Test("goes when the store is opened", arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func opening(_ type: String) throws {
        try open(type)
        try leaveFiles()
        try open(type)
        try expectEqual(names(), ["store"])
    }

    @Test("stays when the store is opened for reading only")
    func readOnly() throws {
        try open(NSSQLiteStoreType)
        try leaveFiles()
        try open(NSSQLiteStoreType, options: [NSReadOnlyPersistentStoreOption: true])
        try expectEqual(names(), [".store.migrating", ".store.migration", "store"])
    }

    @Test("stays while a migration is running")
    func running() throws {
        try open(NSSQLiteStoreType)
        try MigrationLock.withLock(at: store, timeout: 10) {
            _ = try MigrationLock.makeFolder(of: store)
            expectEqual(MigrationLock.removeLeftovers(of: store), nil)
            try open(NSSQLiteStoreType)
            try expectEqual(names(), [".store.migrating", ".store.migration", "store"])
        }
        try expectEqual(names(), ["store"])
    }

    @Test("goes when the next migration begins")
    func nextMigration() throws {
        try leaveFiles()
        try MigrationLock.withLock(at: store, timeout: 10) { try expectEqual(names(), [".store.migration"]) }
        try expectEqual(names(), [])
    }
}
