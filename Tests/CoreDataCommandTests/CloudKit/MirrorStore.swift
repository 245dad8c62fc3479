import CoreData

@testable import CoreDataStores

/// A store with tables of CloudKit's mirror, as `NSPersistentCloudKitContainer` leaves them in a file.
///
/// The tables of records and entries have the columns and indexes that stores of apps have. Those of the other tables
/// are as far as they are documented.
struct MirrorStore {
    static let usualZone = "com.apple.coredata.cloudkit.zone"

    let folder: TemporaryFolder
    let path: String
    /// The numbers of the entities in the file.
    let numbers: [String: Int64]

    /// Folders, smart ones among them, with notes.
    static func makeModel() -> NSManagedObjectModel {
        func entity(_ name: String) -> NSEntityDescription {
            let (entity, title) = (NSEntityDescription(), NSAttributeDescription())
            (entity.name, title.name, title.attributeType, title.isOptional) = (
                name, "title", .stringAttributeType, true
            )
            entity.properties = name == "SmartFolder" ? [] : [title]
            return entity
        }
        let (book, smart, note) = (entity("Folder"), entity("SmartFolder"), entity("Note"))
        book.subentities = [smart]
        let (notes, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
        (notes.name, notes.destinationEntity, notes.isOptional) = ("notes", note, true)
        (owner.name, owner.destinationEntity, owner.isOptional, owner.maxCount) = ("folder", book, true, 1)
        (notes.inverseRelationship, owner.inverseRelationship) = (owner, notes)
        book.properties.append(notes)
        note.properties.append(owner)
        let model = NSManagedObjectModel()
        model.entities = [book, smart, note]
        return model
    }

    /// Makes a store with a folder, a smart folder and two notes, and a sound mirror of them.
    init(isMirrored: Bool = true) throws {
        folder = try TemporaryFolder()
        path = folder.path("Notes.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("Notes.sqlite"),
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            // One save for each object, so that the keys are those of the order.
            for name in ["Folder", "SmartFolder", "Note", "Note"] {
                NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                    .setValue("A title", forKey: "title")
                try context.save()
            }
        }
        try coordinator.remove(store)
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        var numbers: [String: Int64] = [:]
        for name in ["Folder", "SmartFolder", "Note"] {
            numbers[name] = try connection.integer("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?", [.text(name)])
        }
        self.numbers = numbers
        if isMirrored { try Self.mirror(connection, numbers) }
    }

    private static func mirror(_ connection: SQLiteConnection, _ numbers: [String: Int64]) throws {
        for statement in layout { try connection.run(statement) }
        let names = [
            "NSCKDatabaseMetadata", "NSCKEvent", "NSCKImportOperation", "NSCKImportPendingRelationship",
            "NSCKMetadataEntry", "NSCKRecordMetadata", "NSCKRecordMetadataSystemFieldsAsset",
            "NSCKRecordZoneMetadata",
        ]
        for (offset, name) in names.enumerated() {
            try connection.run(
                "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, 100)",
                [.integer(Int64(17001 + offset)), .text(name)])
        }
        try connection.run("INSERT INTO ANSCKDATABASEMETADATA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 17001, 1)")
        try connection.run(
            """
            INSERT INTO ANSCKRECORDZONEMETADATA (Z_PK, Z_ENT, Z_OPT, ZDATABASE, ZCKRECORDZONENAME, ZCKOWNERNAME) \
            VALUES (1, 17008, 1, 1, ?, '__defaultOwner__')
            """, [.text(usualZone)])
        for (index, key) in ["FrameworkVersion", "ModelVersionHashes"].enumerated() {
            try connection.run(
                "INSERT INTO ANSCKMETADATAENTRY (Z_PK, Z_ENT, Z_OPT, ZINTEGERVALUE, ZKEY) VALUES (?, 17005, 1, 1, ?)",
                [.integer(Int64(index + 1)), .text("PFCloudKitMetadata\(key)Key")])
        }
        try connection.run("INSERT INTO ANSCKEVENT (Z_PK, Z_ENT, Z_OPT, ZSUCCEEDED) VALUES (1, 17002, 1, 1)")
        try connection.run("INSERT INTO ANSCKRECORDMETADATASYSTEMFIELDSASSET (Z_PK, Z_ENT, Z_OPT) VALUES (1, 17007, 1)")
        let objects = [("Folder", 1), ("SmartFolder", 2), ("Note", 1), ("Note", 2)]
        for (index, (entity, key)) in objects.enumerated() {
            try connection.run(
                """
                INSERT INTO ANSCKRECORDMETADATA (Z_PK, Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK, ZNEEDSUPLOAD, \
                ZNEEDSCLOUDDELETE, ZNEEDSLOCALDELETE, ZRECORDZONE, ZSYSTEMFIELDSASSET, ZCKRECORDNAME) \
                VALUES (?, 17006, 1, ?, ?, 0, 0, 0, 1, ?, ?)
                """,
                [
                    .integer(Int64(index + 1)), .integer(numbers[entity] ?? 0), .integer(Int64(key)),
                    index == 0 ? .integer(1) : .null, .text(recordName(index + 1)),
                ])
        }
    }

    /// The name of the record in a row.
    static func recordName(_ row: Int) -> String { "0000000\(row)-1111-4222-8333-444444444444" }

    static let layout = [
        """
        CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZENTITYID INTEGER, \
        ZENTITYPK INTEGER, ZLASTEXPORTEDTRANSACTIONNUMBER INTEGER, ZNEEDSCLOUDDELETE INTEGER, \
        ZNEEDSLOCALDELETE INTEGER, ZNEEDSUPLOAD INTEGER, ZPENDINGEXPORTCHANGETYPENUMBER INTEGER, \
        ZPENDINGEXPORTTRANSACTIONNUMBER INTEGER, ZENCODEDRECORDASSET INTEGER, ZRECORDZONE INTEGER, \
        ZSYSTEMFIELDSASSET INTEGER, ZCKRECORDNAME VARCHAR)
        """,
        """
        CREATE UNIQUE INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK \
        ON ANSCKRECORDMETADATA (ZENTITYID COLLATE BINARY ASC, ZENTITYPK COLLATE BINARY ASC)
        """,
        """
        CREATE UNIQUE INDEX Z_NSCKRecordMetadata_UNIQUE_ckRecordName_recordZone \
        ON ANSCKRECORDMETADATA (ZCKRECORDNAME COLLATE BINARY ASC, ZRECORDZONE COLLATE BINARY ASC)
        """,
        """
        CREATE TABLE ANSCKMETADATAENTRY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZBOOLVALUENUM INTEGER, ZINTEGERVALUE INTEGER, ZDATEVALUE TIMESTAMP, ZKEY VARCHAR, ZSTRINGVALUE VARCHAR, \
        ZTRANSFORMEDVALUE BLOB)
        """,
        """
        CREATE TABLE ANSCKRECORDZONEMETADATA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZDATABASE INTEGER, ZCKOWNERNAME VARCHAR, ZCKRECORDZONENAME VARCHAR)
        """,
        "CREATE TABLE ANSCKDATABASEMETADATA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
        """
        CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCLOUDKITEVENTTYPE INTEGER, \
        ZSUCCEEDED INTEGER, ZERRORCODE INTEGER, ZENDEDAT TIMESTAMP, ZSTARTEDAT TIMESTAMP, ZERRORDOMAIN VARCHAR)
        """,
        "CREATE TABLE ANSCKIMPORTOPERATION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
        """
        CREATE TABLE ANSCKIMPORTPENDINGRELATIONSHIP (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZOPERATION INTEGER, ZRECORDNAME VARCHAR)
        """,
        "CREATE TABLE ANSCKRECORDMETADATASYSTEMFIELDSASSET (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
    ]

    /// Removes the unique indexes, which keep a file from having some mistakes, and runs statements.
    func breakMirror(_ statements: String...) throws {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        for index in ["entityId_entityPK", "ckRecordName_recordZone"] {
            try connection.run("DROP INDEX IF EXISTS Z_NSCKRecordMetadata_UNIQUE_\(index)")
        }
        for statement in statements { try connection.run(numbered(statement)) }
    }

    /// A statement with the numbers of the entities in place of `{Note}`.
    private func numbered(_ statement: String) -> String {
        numbers.reduce(statement) { $0.replacingOccurrences(of: "{\($1.key)}", with: "\($1.value)") }
    }

    /// The rows of all tables of the model and of the history, as text.
    static func objectRows(at path: String) throws -> [String] {
        let connection = try SQLiteConnection(path: path, mode: .readOnly)
        var rows: [String] = []
        for table in ["ZFOLDER", "ZNOTE", "ATRANSACTION", "ACHANGE"] {
            let statement = try connection.uncachedStatement("SELECT * FROM \(table) ORDER BY Z_PK")
            while try statement.step() {
                rows.append(table + (0..<statement.columnCount).map { " \(statement.value(at: $0))" }.joined())
            }
        }
        return rows
    }
}
