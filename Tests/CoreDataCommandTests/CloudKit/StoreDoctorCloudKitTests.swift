import CoreData
import Testing

@testable import CoreDataStores

@Suite("coredata store doctor: CloudKit's mirror")
struct StoreDoctorCloudKitTests {
    /// A mistake, and the finding about it.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let statement: String
        let kind: CloudKitFinding.Kind
        let text: String
        var testDescription: String { "\(kind)" }
    }

    private static let columns = "(Z_PK, Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK, ZRECORDZONE, ZCKRECORDNAME)"

    static let mistakes = [
        Mistake(
            statement: "INSERT INTO ANSCKRECORDMETADATA \(columns) VALUES (9, 17006, 1, 'x', 3, 1, 'lost')",
            kind: .unreadableRecord, text: "1 record has no number for its entity or object: row 9 (record lost)."),
        Mistake(
            statement: "UPDATE ANSCKRECORDMETADATA SET ZENTITYPK = NULL WHERE Z_PK > 2", kind: .unreadableRecord,
            text: """
                2 records have no number for their entity or object: row 3 (record \(MirrorStore.recordName(3))), \
                row 4 (record \(MirrorStore.recordName(4))).
                """),
        Mistake(
            statement: "INSERT INTO ANSCKRECORDMETADATA \(columns) VALUES (9, 17006, 1, 40, 3, 1, 'gone')",
            kind: .recordOfUnknownEntity,
            text: "1 record is of an entity that the model doesn’t have: entity 40, key 3 (record gone)."),
        Mistake(
            statement: "INSERT INTO ANSCKRECORDMETADATA \(columns) VALUES (9, 17006, 1, {Note}, 33, 1, 'gone')",
            kind: .recordWithoutObject, text: "1 record has no object: Note 33 (record gone)."),
        Mistake(
            statement: "INSERT INTO ANSCKRECORDMETADATA \(columns) VALUES (9, 17006, 1, {Note}, 2, 1, 'second')",
            kind: .repeatedRecord, text: "1 record is of an object with another record: Note 2 (record second)."),
        // The number of the root entity, for an object of a subentity.
        Mistake(
            statement: "INSERT INTO ANSCKRECORDMETADATA \(columns) VALUES (0, 17006, 1, {Folder}, 2, 1, 'second')",
            kind: .repeatedRecord, text: "1 record is of an object with another record: Folder 2 (record second)."),
        Mistake(
            statement: "UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = 'same' WHERE Z_PK > 2",
            kind: .repeatedRecordName,
            text: "1 record has the name of another record in the same zone: Note 2 (record same)."),
        Mistake(
            statement: "UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = 7 WHERE Z_PK = 3", kind: .danglingReference,
            text: """
                1 row of ANSCKRECORDMETADATA refers to a row that doesn’t exist (ZRECORDZONE in \
                ANSCKRECORDZONEMETADATA): Note 1 (record \(MirrorStore.recordName(3))).
                """),
        Mistake(
            statement: "UPDATE ANSCKRECORDMETADATA SET ZSYSTEMFIELDSASSET = 'text' WHERE Z_PK = 3",
            kind: .danglingReference,
            text: """
                1 row of ANSCKRECORDMETADATA refers to a row that doesn’t exist (ZSYSTEMFIELDSASSET in \
                ANSCKRECORDMETADATASYSTEMFIELDSASSET): Note 1 (record \(MirrorStore.recordName(3))).
                """),
        Mistake(
            statement: "UPDATE ANSCKRECORDZONEMETADATA SET ZDATABASE = 3", kind: .danglingReference,
            text: """
                1 row of ANSCKRECORDZONEMETADATA refers to a row that doesn’t exist (ZDATABASE in \
                ANSCKDATABASEMETADATA): row 1.
                """),
        Mistake(
            statement: "INSERT INTO ANSCKIMPORTPENDINGRELATIONSHIP VALUES (1, 17004, 1, 12, 'a')",
            kind: .danglingReference,
            text: """
                1 row of ANSCKIMPORTPENDINGRELATIONSHIP refers to a row that doesn’t exist (ZOPERATION in \
                ANSCKIMPORTOPERATION): row 1.
                """),
        Mistake(
            statement: "INSERT INTO ANSCKIMPORTPENDINGRELATIONSHIP VALUES (1, 17004, 1, NULL, 'a')",
            kind: .emptyPendingRelationship,
            text: "1 row of ANSCKIMPORTPENDINGRELATIONSHIP names no import and no record: row 1."),
        Mistake(
            statement: "INSERT INTO ANSCKRECORDMETADATASYSTEMFIELDSASSET VALUES (2, 17007, 1)", kind: .unusedAsset,
            text: "nothing refers to 1 row of ANSCKRECORDMETADATASYSTEMFIELDSASSET: row 2."),
        Mistake(
            statement: "INSERT INTO ANSCKRECORDZONEMETADATA VALUES (2, 17008, 1, 1, 'someone', 'a share')",
            kind: .unusedZone, text: "1 zone has no records: row 2."),
        Mistake(
            statement:
                "INSERT INTO ANSCKMETADATAENTRY (Z_PK, Z_OPT, ZKEY) SELECT 5, 9, ZKEY FROM ANSCKMETADATAENTRY LIMIT 1",
            kind: .repeatedEntry, text: "1 row of ANSCKMETADATAENTRY has no key, or the key of another row: row 1."),
        Mistake(
            statement: "UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'NSCKRecordMetadata'", kind: .lowHighestKey,
            text: "the highest key of ANSCKRECORDMETADATA is greater than the one in Z_PRIMARYKEY (4, not 3)."),
    ]

    private static func report(_ run: CommandRun) throws -> [String: Any] {
        let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        return try requireValue(document?["cloudKit"] as? [String: Any])
    }

    private static func kinds(_ report: [String: Any], _ key: String = "problems") -> [String] {
        (report[key] as? [[String: Any]] ?? []).compactMap { $0["kind"] as? String }
    }

    @Test("A store without a mirror has a sentence about it")
    func none() async throws {
        let store = try MirrorStore(isMirrored: false)
        let run = try await CommandRun("store", "doctor", store.path)
        expectEqual(run.status, 0)
        expectContains(run.lines, "CloudKit: no tables of a mirror")
        let json = try await CommandRun("store", "doctor", store.path, "--format", "json")
        #expect(try Self.report(json)["mirrored"] as? Bool == false)
    }

    @Test("A sound mirror has no problems")
    func sound() async throws {
        let store = try MirrorStore()
        let run = try await CommandRun("store", "doctor", store.path)
        expectEqual(run.errors, "")
        expectEqual(run.status, 0)
        expectContains(run.lines, "CloudKit: a mirror with 4 records in 1 zone, no problems found")
    }

    @Test("Each mistake has a finding with its meaning; a repaired copy has none, and all objects", arguments: mistakes)
    func mistake(_ mistake: Mistake) async throws {
        let store = try MirrorStore()
        try store.breakMirror(mistake.statement)
        let copy = store.folder.path("Copy.sqlite")
        let run = try await CommandRun("store", "doctor", store.path, "--repair", copy, "--format", "json")
        expectEqual(run.errors, "")
        expectEqual(run.status, 0)
        let report = try Self.report(run)
        expectContains(Self.kinds(report), mistake.kind.rawValue)
        let problems = try requireValue(report["problems"] as? [[String: Any]])
        let problem = try requireValue(problems.first { $0["kind"] as? String == mistake.kind.rawValue })
        expectEqual(problem["text"] as? String, mistake.text)
        #expect((problem["meaning"] as? String)?.isEmpty == false)
        expectEqual(try MirrorStore.objectRows(at: copy), try MirrorStore.objectRows(at: store.path))
        let again = try await CommandRun("store", "doctor", copy)
        expectEqual(again.status, 0, "\(again.output)")
        // The store itself is as before.
        let text = try await CommandRun("store", "doctor", store.path)
        expectEqual(text.status, 1)
        expectContains(text.lines, "  " + mistake.text)
    }

    @Test("Of several records of an object, a repair keeps the one of its entity, with a name")
    func keeps() async throws {
        let store = try MirrorStore()
        try store.breakMirror(
            "INSERT INTO ANSCKRECORDMETADATA \(Self.columns) VALUES (0, 17006, 1, {Folder}, 2, 1, 'of the root')",
            "INSERT INTO ANSCKRECORDMETADATA \(Self.columns) VALUES (-1, 17006, 1, {Note}, 1, 1, NULL)",
            "INSERT INTO ANSCKRECORDMETADATA \(Self.columns) VALUES (8, 17006, 1, {Note}, 1, 1, 'newer')")
        let copy = store.folder.path("Copy.sqlite")
        expectEqual(try await CommandRun("store", "doctor", store.path, "--repair", copy).status, 0)
        let names = try SQLiteConnection(path: copy, mode: .readOnly)
            .text("SELECT group_concat(ZCKRECORDNAME, ' ') FROM (SELECT * FROM ANSCKRECORDMETADATA ORDER BY Z_PK)")
        expectEqual(names, (1...4).map(MirrorStore.recordName).joined(separator: " "))
    }

    @Test("Objects without a record, records without a name and pending deletions are named, and are no problems")
    func waiting() async throws {
        let store = try MirrorStore()
        try store.breakMirror(
            "DELETE FROM ANSCKRECORDMETADATA WHERE Z_PK = 4",
            "UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = NULL WHERE Z_PK = 3",
            """
            INSERT INTO ANSCKRECORDMETADATA \
            (Z_PK, ZENTITYID, ZENTITYPK, ZNEEDSCLOUDDELETE, ZRECORDZONE, ZCKRECORDNAME) \
            VALUES (9, {Note}, 77, 1, 1, 'deleted')
            """)
        let copy = store.folder.path("Copy.sqlite")
        let run = try await CommandRun("store", "doctor", store.path, "--repair", copy)
        expectEqual(run.status, 0)
        expectContains(run.lines, "  1 record of deleted objects waits for CloudKit: Note 77 (record deleted).")
        expectContains(run.lines, "  1 record has no name: Note 1.")
        expectContains(run.lines, "  1 object of Note has no record: Note 2.")
        expectContains(run.lines, "Copy: \(copy), nothing was to be mended")
        let copied = try await CommandRun("store", "doctor", copy, "--format", "json")
        expectEqual(
            Self.kinds(try Self.report(copied), "notes"), ["pendingDeletion", "unnamedRecord", "objectWithoutRecord"])
    }

    @Test("A mirror without records and zones is a leftover; a repair removes its tables")
    func leftovers() async throws {
        let store = try MirrorStore()
        try store.breakMirror(
            "DELETE FROM ANSCKRECORDMETADATA", "DELETE FROM ANSCKRECORDZONEMETADATA",
            "DELETE FROM ANSCKRECORDMETADATASYSTEMFIELDSASSET", "DELETE FROM ANSCKDATABASEMETADATA")
        let run = try await CommandRun("store", "doctor", store.path)
        expectEqual(run.status, 1)
        expectContains(run.lines, "  the mirror has no records and no zones, only 8 tables.")
        let copy = store.folder.path("Copy.sqlite")
        expectEqual(try await CommandRun("store", "doctor", store.path, "--repair", copy).status, 0)
        let connection = try SQLiteConnection(path: copy, mode: .readOnly)
        expectEqual(try connection.tables().keys.filter { $0.hasPrefix("ANSCK") }, [])
        expectEqual(try connection.integer("SELECT COUNT(*) FROM Z_PRIMARYKEY WHERE Z_NAME LIKE 'NSCK%'"), 0)
        expectEqual(try MirrorStore.objectRows(at: copy), try MirrorStore.objectRows(at: store.path))
        expectContains(try await CommandRun("store", "doctor", copy).lines, "CloudKit: no tables of a mirror")
    }

    @Test("Without the model of the store, records aren't compared with objects; the rest is examined")
    func withoutModel() async throws {
        let store = try MirrorStore()
        try store.breakMirror(
            "DELETE FROM Z_MODELCACHE",
            "INSERT INTO ANSCKRECORDMETADATA \(Self.columns) VALUES (9, 17006, 1, {Note}, 33, 7, 'gone')")
        let run = try await CommandRun("store", "doctor", store.path)
        expectEqual(run.status, 1)
        expectContains(run.lines, "CloudKit: a mirror with 5 records in 1 zone, 1 problem")
        expectContains(
            run.lines, "  The records aren't compared with the objects, without the model that made the store.")
        let text =
            "(ZRECORDZONE in ANSCKRECORDZONEMETADATA): entity \(store.numbers["Note"] ?? 0), key 33 (record gone)."
        #expect(run.lines.contains { $0.hasSuffix(text) }, "\(run.output)")
    }
}
