import CoreData
import Testing

/// The folder of external data has the name of the store without its extension, so stores may share one.
@Suite("Two stores with one base name in one folder")
struct SharedFolderTests {
    private let stores: PhotoStores
    private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: PhotoStores.makeModel())

    init() throws { stores = try PhotoStores() }

    private func makeStores() throws {
        try stores.save([1, 2], in: "Music.sqlite")
        try stores.save([3, 4], in: "Music.db")
        expectEqual(stores.files("Music").count, 4)
    }

    @Test("destroying one removes its own files of external data only")
    func destroying() throws {
        try makeStores()
        try coordinator.destroyPersistentStore(at: stores.folder.file("Music.sqlite"), type: .sqlite)
        try expectEqual(stores.images(of: "Music.db"), [3, 4])
        expectEqual(stores.files("Music").count, 2)
        try coordinator.destroyPersistentStore(at: stores.folder.file("Music.db"), type: .sqlite)
        let names = ["Music.db", "Music.sqlite"].flatMap { [$0, $0 + "-shm", $0 + "-wal"] }
        try expectEqual(stores.folder.contents, names)
    }

    @Test("replacing one removes its own former files only")
    func replacing() throws {
        try makeStores()
        try stores.save([5], in: "Backup.sqlite")
        try coordinator.replacePersistentStore(
            at: stores.folder.file("Music.sqlite"), withPersistentStoreFrom: stores.folder.file("Backup.sqlite"),
            type: .sqlite)
        try expectEqual(stores.images(of: "Music.db"), [3, 4])
        try expectEqual(stores.images(of: "Music.sqlite"), [5])
        expectEqual(stores.files("Music").count, 3)
    }

    @Test("a copy that is refused, or fails, removes nothing of the other one")
    func refusedCopy() throws {
        try makeStores()
        let error = thrownError {
            try coordinator.replacePersistentStore(
                at: stores.folder.file("Music.db"), withPersistentStoreFrom: stores.folder.file("Music.sqlite"),
                type: .sqlite)
        }
        expectEqual(error?.code, 134070)
        try expectEqual(stores.images(of: "Music.db"), [3, 4])
        try expectEqual(stores.images(of: "Music.sqlite"), [1, 2])
    }

    @Test("copying one to another type leaves the files of the other one", arguments: [true, false])
    func copying(fails: Bool) throws {
        try makeStores()
        if fails { try stores.folder.write("no folder", to: "target") }
        let context = try stores.open("Music.sqlite")
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        let error = thrownError {
            try coordinator.migratePersistentStore(
                coordinator.persistentStores[0],
                to: stores.folder.file(fails ? "target/New.sqlite" : "New.sqlite"), type: .sqlite)
        }
        expectEqual((error != nil), fails)
        try expectEqual(stores.images(of: "Music.db"), [3, 4])
        try expectEqual(stores.images(of: "Music.sqlite"), [1, 2])
    }

    @Test("a migration of one leaves the files of the other one")
    func migrating() throws {
        try makeStores()
        // The newer model has no images.
        let newer = model([entity("Photo", [attribute("name", .stringAttributeType)])])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: newer)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stores.folder.file("Music.sqlite"),
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ])
        expectEqual(stores.files("Music").count, 2)
        try expectEqual(stores.images(of: "Music.db"), [3, 4])
    }

    @Test("a file that another process gave to a row while the store was replaced stays with its row")
    func namedTwice() throws {
        try stores.save([1], in: "Music.sqlite")
        try coordinator.replacePersistentStore(
            at: stores.folder.file("Backup.sqlite"), withPersistentStoreFrom: stores.folder.file("Music.sqlite"),
            type: .sqlite)
        // The backup has files of the same names.
        try coordinator.replacePersistentStore(
            at: stores.folder.file("Music.sqlite"), withPersistentStoreFrom: stores.folder.file("Backup.sqlite"),
            type: .sqlite)
        try expectEqual(stores.images(of: "Music.sqlite"), [1])
        try expectEqual(stores.images(of: "Backup.sqlite"), [1])
    }
}
