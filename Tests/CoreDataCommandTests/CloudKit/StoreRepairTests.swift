import CoreData
import Testing

@testable import CoreDataStores

@Suite("coredata store doctor --repair")
struct StoreRepairTests {
    private static func files(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasPrefix("Copy") }.sorted()
    }

    @Test("The copy is written to a free path, or with --force; never to the store itself")
    func destination() async throws {
        let store = try MirrorStore()
        try store.breakMirror("UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = 7")
        let copy = store.folder.path("Copy.sqlite")
        expectEqual(try await CommandRun("store", "doctor", store.path, "--repair", copy).status, 0)
        let again = try await CommandRun("store", "doctor", store.path, "--repair", copy)
        expectEqual(again.status, 2)
        expectEqual(again.errors, "Error: \(copy) exists. Replace it with --force.\n")
        expectEqual(try await CommandRun("store", "doctor", store.path, "--repair", copy, "--force").status, 0)
        let same = try await CommandRun("store", "doctor", store.path, "--repair", store.path, "--force")
        expectEqual(same.status, 2)
        expectContains(same.errors, "is the store itself")
        expectEqual(try await CommandRun("store", "doctor", store.path, "--force").status, 64)
        expectEqual(try await CommandRun("store", "doctor", store.path).status, 1)
    }

    @Test("A store that isn't one of SQLite is refused", arguments: ["Notes.xml", "Notes.binary"])
    func otherStores(_ name: String) async throws {
        let store = try MirrorStore()
        let other = store.folder.path(name)
        expectEqual(try await CommandRun("store", "copy", store.path, other).status, 0)
        let run = try await CommandRun("store", "doctor", other, "--repair", store.folder.path("Copy.sqlite"))
        expectEqual(run.status, 2)
        expectContains(run.errors, "--repair mends SQLite stores")
        expectEqual(try Self.files(store.folder), [])
    }

    @Test("Many mistakes at once are mended, also those that others leave behind")
    func many() async throws {
        let store = try MirrorStore()
        try store.breakMirror(
            // The record of the only asset loses its object: the asset is unused when the record is gone.
            "UPDATE ANSCKRECORDMETADATA SET ZENTITYPK = 50 WHERE Z_PK = 1",
            "UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = 'same' WHERE Z_PK > 1",
            "INSERT INTO ANSCKRECORDZONEMETADATA VALUES (2, 17008, 1, 44, 'someone', 'a share')",
            "INSERT INTO ANSCKRECORDMETADATA (Z_PK, ZENTITYID, ZENTITYPK, ZRECORDZONE) VALUES (200, 99, 1, 2)")
        let copy = store.folder.path("Copy.sqlite")
        let run = try await CommandRun("store", "doctor", store.path, "--repair", copy)
        expectEqual(run.status, 0)
        expectEqual(try await CommandRun("store", "doctor", copy).status, 0)
        let connection = try SQLiteConnection(path: copy, mode: .readOnly)
        expectEqual(try connection.integer("SELECT COUNT(*) FROM ANSCKRECORDMETADATASYSTEMFIELDSASSET"), 0)
        expectEqual(try connection.integer("SELECT COUNT(*) FROM ANSCKRECORDZONEMETADATA"), 1)
        expectEqual(try MirrorStore.objectRows(at: copy), try MirrorStore.objectRows(at: store.path))
    }

    @Test("A record whose zone already has its name is removed")
    func zoneWithName() async throws {
        let store = try MirrorStore()
        try store.breakMirror(
            "UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = 9, ZCKRECORDNAME = 'same' WHERE Z_PK = 4",
            "UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = 'same' WHERE Z_PK = 3", MirrorStore.layout[2])
        let copy = store.folder.path("Copy.sqlite")
        expectEqual(try await CommandRun("store", "doctor", store.path, "--repair", copy).status, 0)
        let again = try await CommandRun("store", "doctor", copy)
        expectEqual(again.status, 0, "\(again.output)")
        expectContains(again.lines, "CloudKit: a mirror with 3 records in 1 zone, no problems found")
    }

    @Test("A trigger of another program, and its foreign keys, delete no object")
    func triggers() async throws {
        let store = try MirrorStore()
        try store.breakMirror(
            "UPDATE ANSCKRECORDMETADATA SET ZENTITYPK = 50 WHERE Z_PK = 1",
            "CREATE TRIGGER \"a \"\"trigger\" AFTER DELETE ON ANSCKRECORDMETADATA BEGIN DELETE FROM ZNOTE; END",
            "CREATE TRIGGER other AFTER UPDATE ON Z_PRIMARYKEY BEGIN DELETE FROM ZNOTE; END",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'NSCKMetadataEntry' AND 0",
            "INSERT INTO ANSCKMETADATAENTRY (Z_PK, ZKEY) VALUES (101, 'a key')")
        let copy = store.folder.path("Copy.sqlite")
        let run = try await CommandRun("store", "doctor", store.path, "--repair", copy)
        // The triggers are problems of the store.
        expectEqual(run.status, 1)
        expectEqual(try MirrorStore.objectRows(at: copy), try MirrorStore.objectRows(at: store.path))
        expectEqual(try await CommandRun("store", "doctor", copy).status, 0)
    }

    @Test("The store may be open in this process, and is mended as it was saved last")
    func open() async throws {
        let store = try MirrorStore()
        try store.breakMirror("UPDATE ANSCKRECORDMETADATA SET ZENTITYPK = 50 WHERE Z_PK = 1")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: MirrorStore.makeModel())
        let open = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: store.folder.file("Notes.sqlite"),
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            _ = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            try context.save()
        }
        let copy = store.folder.path("Copy.sqlite")
        expectEqual(try await CommandRun("store", "doctor", store.path, "--repair", copy).status, 0)
        try coordinator.remove(open)
        expectEqual(
            try SQLiteConnection(path: copy, mode: .readOnly).integer("SELECT COUNT(*) FROM ZNOTE"), 3)
        expectEqual(try await CommandRun("store", "doctor", copy).status, 0)
    }
}
