import CoreData
import Testing

@Suite("coredata store doctor --steps")
struct StoreDoctorStepsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a model of songs with attributes besides the title.
    private func writeModel(_ name: String, _ attributes: String = "") throws -> URL {
        try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?><model><entity name="Song">\
            <attribute name="title" optional="YES" attributeType="String"/>\(attributes)</entity></model>
            """, to: "\(name).xcdatamodel/contents"
        ).deletingLastPathComponent()
    }

    /// Makes a store of one song, and returns its path.
    private func makeStore(_ url: URL) throws -> String {
        let model = try requireValue(NSManagedObjectModel(contentsOf: url))
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("songs.sqlite"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Song", into: context).setValue(
                "So What", forKey: "title")
            try context.save()
        }
        try coordinator.remove(store)
        return folder.path("songs.sqlite")
    }

    private static let year =
        #"<attribute name="year" optional="YES" attributeType="Integer 16" defaultValueString="1959"/>"#

    @Test("Each step in words and SQL, and the store isn't changed")
    func text() async throws {
        let store = try makeStore(writeModel("Old"))
        let new = try writeModel("New", Self.year)
        let (names, bytes) = (try folder.contents, try Data(contentsOf: URL(fileURLWithPath: store)))
        let run = try await CommandRun("store", "doctor", store, "--model", new.path, "--steps")
        expectEqual(run.errors, "")
        expectEqual(run.status, 0)
        let start = try requireValue(run.lines.firstIndex(of: "Steps:"))
        expectEqual(
            run.lines[start...].prefix(7),
            [
                "Steps:", "  1. add the column ZYEAR to ZSONG", "     ALTER TABLE ZSONG ADD COLUMN ZYEAR INTEGER",
                "     UPDATE ZSONG SET ZYEAR = ? WHERE Z_ENT = ? -- 1959, 1",
                "  2. record the entities and their keys", "     DELETE FROM Z_PRIMARYKEY WHERE Z_ENT <= ? -- 16000",
                """
                     INSERT OR REPLACE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?) \
                -- 1, "Song", 0, 1
                """,
            ])
        try expectEqual(folder.contents, names)
        try expectEqual(Data(contentsOf: URL(fileURLWithPath: store)), bytes)
    }

    @Test("The statements are those of the migration")
    func sameAsMigration() async throws {
        let url = URL(fileURLWithPath: try makeStore(writeModel("Old")))
        let migrated = folder.file("migrated.sqlite")
        try FileManager.default.copyItem(at: url, to: migrated)
        let new = try writeModel("New", Self.year)
        let run = try await CommandRun("store", "doctor", url.path, "--model", new.path, "--steps")
        for line in run.lines.map({ $0.trimmingCharacters(in: .whitespaces) }) where line.hasPrefix("ALTER TABLE") {
            try SQLiteFile(creating: url).run(line)
        }
        let model = try requireValue(NSManagedObjectModel(contentsOf: new))
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        try NSPersistentStoreCoordinator(managedObjectModel: model).addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: migrated,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
                NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
            ])
        let schema = "SELECT sql FROM sqlite_master WHERE name = 'ZSONG'"
        try expectEqual(SQLiteFile(url).rows(schema), SQLiteFile(migrated).rows(schema))
    }

    @Test("JSON has the steps with their statements")
    func json() async throws {
        let store = try makeStore(writeModel("Old"))
        let new = try writeModel("New", Self.year)
        let run = try await CommandRun("store", "doctor", store, "--model", new.path, "--steps", "--format", "json")
        let report = try requireValue(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let migration = try requireValue(report["migration"] as? [String: Any])
        let steps = try requireValue(migration["lightweightSteps"] as? [[String: Any]])
        expectEqual(steps.map { $0["step"] as? String }.first, "add the column ZYEAR to ZSONG")
        let statements = try requireValue(steps.first?["statements"] as? [[String: Any]])
        #expect(statements.last?["sql"] as? String == "UPDATE ZSONG SET ZYEAR = ? WHERE Z_ENT = ?")
        #expect(statements.last?["values"] as? [String] == ["1959", "1"])
    }

    @Test("Without the option there are no steps, nor with it for a store of the current version")
    func none() async throws {
        let old = try writeModel("Old")
        let store = try makeStore(old)
        let new = try writeModel("New", Self.year)
        let silent = try await CommandRun("store", "doctor", store, "--model", new.path)
        #expect(!silent.lines.contains("Steps:"))
        let current = try await CommandRun("store", "doctor", store, "--model", old.path, "--steps")
        #expect(!current.lines.contains("Steps:"))
    }
}
