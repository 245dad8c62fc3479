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

    /// The look at the contents comes after the request, when the store has its model again.
    @Test("A request that fails while the store has another model for a moment is repeated", arguments: [false, true])
    func momentarily(isByKey: Bool) throws {
        func add(_ attributes: [String]) throws -> NSPersistentStoreCoordinator {
            let track = AlbumModel.entity("Track")
            track.properties = attributes.map { AlbumModel.attribute($0, .stringAttributeType) }
            let model = NSManagedObjectModel()
            model.entities = [track]
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            _ = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("Music.sqlite"),
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                ])
            return coordinator
        }
        let coordinator = try add(["title", "extra"])
        let database = try requireValue(coordinator.persistentStores.first as? SQLiteStore).database
        var requests = 0
        func request(_ open: SQLiteSession) throws -> Int64? {
            requests += 1
            if requests > 1 { return try open.connection.integer("SELECT count(ZEXTRA) FROM ZTRACK") }
            _ = try add(["title"])
            defer { _ = thrownError { _ = try add(["title", "extra"]) } }
            return try open.connection.integer("SELECT count(ZEXTRA) FROM ZTRACK")
        }
        let count = isByKey ? try database.readByKey(request) : try database.read(request)
        expectEqual(count, 0)
        expectEqual(requests, 2)
        // Without a migration the error is the request's.
        let error = thrownError { _ = try database.read { try $0.connection.integer("SELECT ZNOTHING FROM ZTRACK") } }
        expectEqual(error?.code, NSSQLiteError)
    }
}
