import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("The file of a store that another process migrates")
struct MigratedFileTests {
    private let folder = try! TemporaryFolder()

    private func open(_ model: NSManagedObjectModel, migrates: Bool = false) throws -> SQLiteStoreFile {
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: migrates,
            NSInferMappingModelAutomaticallyOption: migrates,
        ]
        return try SQLiteStoreFile.open(
            at: folder.path("Music.sqlite"), model: model, options: SQLiteStoreOptions(options))
    }

    @Test(
        "A store whose metadata are older than what its connection has read is compared again",
        arguments: [true, false])
    func migration(isNew: Bool) throws {
        if !isNew { _ = try open(AlbumModel.make()) }
        let file = try open(AlbumModel.make())
        expectEqual(file.wasCreated, isNew)
        let newer = AlbumModel.make()
        let address = NSEntityDescription()
        address.name = "Address"
        newer.entities.append(address)
        _ = try open(newer, migrates: true)
        // The last part of opening a store reads its history.
        _ = try SQLiteHistoryTables(file.connection)
        let identity = SQLiteFileIdentity(file)
        let error = #expect(throws: SQLiteFileIdentity.Change.self) { try identity.checking {} }
        guard case .otherModel = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// The store may have its model again: a program migrates it, and another one migrates it back.
    @Test("A store whose objects have got other keys isn't that which was opened")
    func otherKeys() throws {
        let file = try open(AlbumModel.make())
        let identity = SQLiteFileIdentity(file)
        try identity.checking {}
        try SQLiteStoreReplacement(at: folder.file("Music.sqlite"), options: SQLiteStoreOptions())
            .run(sourceOptions: SQLiteStoreOptions(), willReplace: {}) {
                let copy = folder.file("Copy.sqlite")
                try SQLiteStoreCopy(
                    from: folder.file("Music.sqlite"), options: SQLiteStoreOptions(), to: copy,
                    options: SQLiteStoreOptions()
                ).run()
                return copy
            }
        let error = #expect(throws: SQLiteFileIdentity.Change.self) {
            try identity.checking { _ = try file.connection.hasTable("ZALBUM") }
        }
        guard case .otherKeys = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let reopened = try open(AlbumModel.make())
        try SQLiteFileIdentity(reopened).checking { _ = try reopened.connection.hasTable("ZALBUM") }
    }
}
