import CoreData
import Testing

@testable import CoreDataStores

/// Tables of a mirror that no version of Apple's framework has made.
@Suite("coredata store doctor: tables of a mirror that anyone may have made")
struct StoreDoctorForeignMirrorTests {
    /// Statements, and the finding about them that can't be mended.
    struct Foreign: Sendable, CustomTestStringConvertible {
        let statements: [String]
        let text: String
        var testDescription: String { text }
    }

    static let foreign = [
        Foreign(
            statements: [
                "ALTER TABLE ANSCKRECORDMETADATA RENAME TO OTHERS",
                "CREATE VIEW ANSCKRECORDMETADATA AS SELECT * FROM OTHERS",
            ], text: "ANSCKRECORDMETADATA is a view."),
        Foreign(
            statements: ["CREATE VIEW AnsckLoop AS SELECT * FROM AnsckLoop2", "CREATE VIEW AnsckLoop2 AS SELECT 1"],
            text: "AnsckLoop is a view."),
        Foreign(
            statements: ["ALTER TABLE ANSCKRECORDMETADATA DROP COLUMN ZENTITYPK"],
            text: "ANSCKRECORDMETADATA has no column ZENTITYPK."),
        Foreign(
            statements: ["DROP TABLE ANSCKEVENT", "CREATE TABLE ANSCKEVENT (ZNAME VARCHAR)"],
            text: "ANSCKEVENT has no column Z_PK."),
        Foreign(
            statements: [
                "DROP TABLE ANSCKEVENT", "CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY) WITHOUT ROWID",
            ], text: "ANSCKEVENT is a table without row numbers."),
    ]

    @Test("A table in another form is a problem that isn't mended: no copy is left", arguments: foreign)
    func form(_ foreign: Foreign) async throws {
        let store = try MirrorStore()
        let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
        for index in ["entityId_entityPK", "ckRecordName_recordZone"] {
            try connection.run("DROP INDEX Z_NSCKRecordMetadata_UNIQUE_\(index)")
        }
        for statement in foreign.statements { try connection.run(statement) }
        let run = try await CommandRun("store", "doctor", store.path)
        expectEqual(run.status, 1, "\(run.errors)")
        expectContains(run.lines, "  " + foreign.text)
        let repair = try await CommandRun("store", "doctor", store.path, "--repair", store.folder.path("Copy.sqlite"))
        expectEqual(repair.status, 2)
        expectContains(repair.errors, "can’t be mended")
        expectContains(repair.errors, foreign.text)
        expectFalse(FileManager.default.fileExists(atPath: store.folder.path("Copy.sqlite")))
    }

    @Test(
        "Values of other types, huge numbers and nulls are findings, and are mended",
        arguments: [
            "UPDATE ANSCKRECORDMETADATA SET ZENTITYID = 9223372036854775807",
            "UPDATE ANSCKRECORDMETADATA SET ZENTITYID = -9223372036854775808, ZENTITYPK = -1",
            "UPDATE ANSCKRECORDMETADATA SET ZENTITYPK = 9223372036854775807 WHERE Z_PK = 1",
            "UPDATE ANSCKRECORDMETADATA SET ZENTITYPK = 1.5, ZENTITYID = x'00ff'",
            "UPDATE ANSCKRECORDMETADATA SET ZENTITYPK = 'one'",
            "UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = zeroblob(100000)",
            "UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = printf('%.*c', 100000, 'x')",
            "UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = char(27) || '[2J' || char(0)",
            "UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = x'01', ZSYSTEMFIELDSASSET = 'a'",
            "UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = 1e300",
            "UPDATE ANSCKRECORDZONEMETADATA SET ZDATABASE = 'a', ZCKRECORDZONENAME = NULL",
            "UPDATE ANSCKRECORDZONEMETADATA SET Z_PK = -9223372036854775808",
            "UPDATE ANSCKMETADATAENTRY SET ZKEY = NULL",
            "UPDATE ANSCKMETADATAENTRY SET ZKEY = 7, Z_OPT = 'many'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 'many' WHERE Z_ENT > 17000",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL WHERE Z_ENT > 17000",
            "INSERT INTO ANSCKIMPORTPENDINGRELATIONSHIP VALUES (9223372036854775807, 'x', 'y', 'z', NULL)",
            "DROP TABLE ANSCKRECORDZONEMETADATA",
            "DROP TABLE ANSCKRECORDMETADATA",
            "ALTER TABLE ANSCKRECORDMETADATA DROP COLUMN ZCKRECORDNAME",
            "ALTER TABLE ANSCKRECORDZONEMETADATA RENAME COLUMN ZCKRECORDZONENAME TO ZNAME",
            "CREATE TABLE \"ANSCK \"\"a\"\" ; table\" (Z_PK, ZRECORDZONE, ZOPERATION)",
            "CREATE TABLE ANSCKEXPORTEDOBJECT (Z_PK TEXT, ZOPERATION BLOB)",
        ])
    func values(_ statement: String) async throws {
        let store = try MirrorStore()
        try store.breakMirror(statement)
        let copy = store.folder.path("Copy.sqlite")
        let run = try await CommandRun("store", "doctor", store.path, "--repair", copy)
        expectEqual(run.errors, "")
        expectEqual(run.status, 0, "\(run.output)")
        expectFalse(run.output.contains("\u{1b}"))
        #expect(run.lines.allSatisfy { $0.count < 1000 })
        expectEqual(try MirrorStore.objectRows(at: copy), try MirrorStore.objectRows(at: store.path))
        let again = try await CommandRun("store", "doctor", copy, "--format", "json")
        expectEqual(again.status, 0, "\(again.output)")
    }

    @Test("Tables of a mirror in a file without objects' tables, and in one that is damaged, are no crash")
    func damaged() async throws {
        let store = try MirrorStore()
        try store.breakMirror("DROP TABLE ZNOTE")
        let run = try await CommandRun("store", "doctor", store.path)
        expectEqual(run.status, 1)
        expectContains(
            run.lines, "  The records aren't compared with the objects, without the model that made the store.")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
        for index in stride(from: 8192, to: bytes.count, by: 97) { bytes[index] = 0xff }
        try bytes.write(to: store.folder.file("Damaged.sqlite"))
        let damaged = try await CommandRun("store", "doctor", store.folder.path("Damaged.sqlite"))
        expectTrue([1, 2].contains(damaged.status))
    }
}
