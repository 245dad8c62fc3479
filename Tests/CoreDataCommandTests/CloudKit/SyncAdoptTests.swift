import CoreData
import Testing

@testable import CoreDataStores

@Suite("coredata sync adopt-cloudkit")
struct SyncAdoptTests {
    @Test("writes the record names of objects into the side store, and changes nothing in the store")
    func adopts() async throws {
        let store = try MirrorStore()
        try store.breakMirror(
            // A record that waits for its upload, and one whose object waits for its deletion.
            "UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = NULL WHERE Z_PK = 4",
            """
            INSERT INTO ANSCKRECORDMETADATA (Z_PK, ZENTITYID, ZENTITYPK, ZNEEDSCLOUDDELETE, ZCKRECORDNAME) \
            VALUES (9, {Note}, 77, 1, 'deleted')
            """,
            // The number of the root entity is that of objects of subentities, too.
            "UPDATE ANSCKRECORDMETADATA SET ZENTITYID = {Folder} WHERE Z_PK = 2")
        let before = try MirrorStore.objectRows(at: store.path)
        let side = store.folder.path("Notes-sync.sqlite")
        for _ in 0..<2 {
            let run = try await CommandRun("sync", "adopt-cloudkit", store.path)
            expectEqual(run.errors, "")
            expectEqual(
                run.lines,
                ["\(store.path): 3 objects with the names of CloudKit records as identities, 1 without, in \(side)"])
        }
        let connection = try SQLiteConnection(path: side, mode: .readOnly)
        let rows = try connection.uncachedStatement(
            "SELECT ZENTITYNAME, ZKEY, hex(ZIDENTITY) FROM ZRECORDEDIDENTITY ORDER BY ZENTITYNAME, ZKEY")
        var found: [String] = []
        while try rows.step() { found.append((0..<3).map { rows.text(at: Int32($0)) ?? "" }.joined(separator: " ")) }
        let names = (1...3).map { MirrorStore.recordName($0).replacingOccurrences(of: "-", with: "") }
        expectEqual(found, ["Folder 1 \(names[0])", "Note 1 \(names[2])", "SmartFolder 2 \(names[1])"])
        expectEqual(try MirrorStore.objectRows(at: store.path), before)
    }

    @Test("JSON has the numbers, and --side-store names another file")
    func json() async throws {
        let store = try MirrorStore()
        let side = store.folder.path("Other.sqlite")
        let run = try await CommandRun(
            "sync", "adopt-cloudkit", store.path, "--side-store", side, "--format", "json")
        let document = try requireValue(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        expectEqual(document["adopted"] as? NSNumber, 4)
        expectEqual(document["others"] as? NSNumber, 0)
        expectEqual(document["sideStore"] as? String, side)
        expectTrue(FileManager.default.fileExists(atPath: side))
    }

    @Test("A store that can't be read so is an error, and no side store is made")
    func refused() async throws {
        let plain = try MirrorStore(isMirrored: false)
        let run = try await CommandRun("sync", "adopt-cloudkit", plain.path)
        expectEqual(run.status, 1)
        expectContains(run.errors, "has no tables of CloudKit's mirror")
        expectEqual(
            try await CommandRun("store", "copy", plain.path, plain.folder.path("Notes.xml")).status, 0)
        expectContains(
            try await CommandRun("sync", "adopt-cloudkit", plain.folder.path("Notes.xml")).errors,
            "CloudKit mirrors SQLite stores")
        let store = try MirrorStore()
        try store.breakMirror("UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = 'same'")
        let repeated = try await CommandRun("sync", "adopt-cloudkit", store.path)
        expectEqual(repeated.status, 1)
        expectContains(repeated.errors, "3 records have the name of another record in the same zone")
        expectContains(repeated.errors, "coredata store doctor")
        let same = try await CommandRun("sync", "adopt-cloudkit", store.path, "--side-store", store.path)
        expectEqual(same.status, 1)
        for folder in [plain.folder, store.folder] {
            expectFalse(FileManager.default.fileExists(atPath: folder.path("Notes-sync.sqlite")))
        }
    }
}
