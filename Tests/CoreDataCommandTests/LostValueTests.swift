import CoreData
import Testing

@Suite("coredata store fetch: values that the store has lost")
struct LostValueTests {
    /// Photos in external files.
    private static func makeModel(title: NSAttributeType = .stringAttributeType) -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        let image = attribute("image", .binaryDataAttributeType)
        image.allowsExternalBinaryDataStorage = true
        let photo = NSEntityDescription()
        photo.name = "Photo"
        photo.properties = [attribute("number", .integer32AttributeType), attribute("title", title), image]
        let model = NSManagedObjectModel()
        model.entities = [photo]
        return model
    }

    private static func save(
        _ photos: [[String: Any]], model: NSManagedObjectModel, to url: URL, options: [AnyHashable: Any]? = nil
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for photo in photos {
                let object = NSEntityDescription.insertNewObject(forEntityName: "Photo", into: context)
                for (key, value) in photo { object.setValue(value, forKey: key) }
            }
            try context.save()
        }
        try coordinator.remove(store)
    }

    /// A store with a sound photo (1), one without its file (2), and one with bytes as title (3).
    private static func makeStore(in folder: TemporaryFolder) throws -> String {
        let url = folder.url.appendingPathComponent("Photos.sqlite")
        let image = Data(repeating: 7, count: 200_000)
        try save(
            [["number": 1, "title": "sound"]], model: makeModel(), to: url)
        try save([["number": 2, "title": "lost", "image": image]], model: makeModel(), to: url)
        let files = folder.url.appendingPathComponent(".Photos_SUPPORT/_EXTERNAL_DATA")
        for name in try FileManager.default.contentsOfDirectory(atPath: files.path) {
            try FileManager.default.removeItem(at: files.appendingPathComponent(name))
        }
        // The column of the title accepts bytes: only the model says that it has text.
        try save(
            [["number": 3, "title": Data([1, 2])]], model: makeModel(title: .binaryDataAttributeType), to: url,
            options: [NSIgnorePersistentStoreVersioningOption: true])
        return url.path
    }

    /// The model that the store should have.
    private static func writeModel(to folder: TemporaryFolder) throws -> String {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?><model>
            <entity name="Photo" syncable="YES">
            <attribute name="number" optional="YES" attributeType="Integer 32"/>
            <attribute name="title" optional="YES" attributeType="String"/>
            <attribute name="image" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
            </entity></model>
            """
        return try VersionedSample.writeModel(text, to: folder.url.appendingPathComponent("Photos.xcdatamodel"))
    }

    private func run(_ arguments: String...) async throws -> CommandRun {
        let folder = try TemporaryFolder()
        return try await CommandRun(
            arguments: [
                "store", "fetch", try Self.makeStore(in: folder), "--model", try Self.writeModel(to: folder),
                "--entity", "Photo", "--format", "json",
            ] + arguments)
    }

    @Test("sound values end with 0 and no warning")
    func sound() async throws {
        let run = try await run("--predicate", "number == 1")
        expectEqual(run.status, 0)
        expectEqual(run.errors, "")
    }

    @Test("a missing file is a warning with attribute and key, and exit code 2 after the complete output")
    func missingFile() async throws {
        let run = try await run("--predicate", "number == 2")
        expectEqual(run.status, 2)
        expectContains(run.output, "\"image\":null")
        expectTrue(run.output.hasSuffix("]\n"))
        expectContains(run.errors, "warning: The value Photo.image of the object with Z_PK 2 is missing")
        expectContains(run.errors, "lost 1 value of")
    }

    @Test("a value of another storage class is a warning with attribute and key, and exit code 2")
    func storageClass() async throws {
        let run = try await run("--predicate", "number == 3")
        expectEqual(run.status, 2)
        expectContains(
            run.errors,
            "warning: The value Photo.title of the object with Z_PK 3 has the storage class BLOB instead of TEXT.")
    }

    @Test("a value of another storage class that reads as what it says is none, and what doesn't is one")
    func exactReading() async throws {
        let folder = try TemporaryFolder()
        let store = folder.url.appendingPathComponent("Photos.sqlite")
        try Self.save([["number": 1], ["number": 2]], model: Self.makeModel(), to: store)
        let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
        // As a tool leaves it that knows no types of columns.
        try connection.run("ALTER TABLE ZPHOTO RENAME TO OLD")
        try connection.run("CREATE TABLE ZPHOTO (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZNUMBER, ZTITLE, ZIMAGE)")
        try connection.run(
            "INSERT INTO ZPHOTO SELECT Z_PK, Z_ENT, Z_OPT, CAST(ZNUMBER AS TEXT), 7, CAST(x'0141' AS TEXT) FROM OLD")
        try connection.run("DROP TABLE OLD")
        let arguments = [
            "store", "fetch", store.path, "--model", try Self.writeModel(to: folder), "--entity", "Photo", "--format",
            "csv",
        ]
        let exact = try await CommandRun(arguments: arguments)
        expectEqual(exact.errors, "")
        expectEqual(exact.status, 0)
        #expect(exact.lines.contains { $0.contains("QQ==") && $0.contains("7") })
        try await expectEqual(CommandRun("store", "doctor", store.path).status, 0)
        try connection.run("UPDATE ZPHOTO SET ZNUMBER = '12a' WHERE Z_PK = 2")
        let inexact = try await CommandRun(arguments: arguments + ["--sort", "title,self"])
        expectEqual(inexact.status, 2)
        expectContains(inexact.errors, "Photo.number of the object with Z_PK 2 has the storage class TEXT")
        expectContains(inexact.errors, "lost 1 value of")
    }

    @Test("--fetch reports the attributes in its key paths, for the selected objects")
    func values() async throws {
        let title = try await run("--fetch", "number,length:(title)")
        expectEqual(title.status, 2)
        expectContains(title.errors, "Photo.title")
        #expect(!title.errors.contains("Photo.image"))
        try await expectEqual(run("--fetch", "number").status, 0)
        try await expectEqual(run("--fetch", "title", "--predicate", "number < 3").status, 0)
    }
}
