import CoreData
import Testing

@Suite("coredata store doctor")
struct StoreDoctorTests {
    private static func report(_ run: CommandRun) throws -> [String: Any] {
        try requireValue(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    @Test("A sound store of the current version has no problems")
    func sound() async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        let run = try await CommandRun("store", "doctor", store, "--models", folder.path("Cars.xcdatamodel"))
        expectEqual(run.errors, "")
        expectEqual(run.status, 0)
        let size = try requireValue(
            try FileManager.default.attributesOfItem(atPath: store)[.size] as? NSNumber)
        expectEqual(
            run.lines,
            [
                "Store: \(store), 4 entities", "Made by: model Cars.xcdatamodel (identifier first)",
                "Model in the store: yes", "Current: model Cars.xcdatamodel", "Migration: none needed", "Files:",
                "  Cars.sqlite: \(size) bytes, database", "CloudKit: no tables of a mirror",
                "Integrity: no problems found",
            ])
    }

    @Test("Without models, the store is examined with the model in it")
    func withoutModels() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("store", "doctor", SampleModel.makeStore(in: folder))
        expectEqual(run.status, 0)
        expectContains(run.lines, "Made by: no version that is known here (identifier first)")
        #expect(run.lines.contains { $0.hasPrefix("Migration: not examined, ") })
        expectEqual(run.lines.last, "Integrity: no problems found")
    }

    @Test("Without the model that made the store, only the database is examined")
    func unknownModel() async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        try SQLiteConnection(path: store, mode: .readWrite).run("DELETE FROM Z_MODELCACHE")
        let run = try await CommandRun("store", "doctor", store)
        expectEqual(run.status, 0)
        expectContains(run.lines, "Model in the store: no")
        expectEqual(
            run.lines.suffix(2),
            [
                "Integrity: only of the database, without the model that made the store", "  no problems found",
            ])
    }

    @Test("A store of an older version: what differs, and that the migration is lightweight")
    func lightweight() async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        let models = try TemporaryFolder()
        _ = try VersionedSample.write(to: models)
        let run = try await CommandRun("store", "doctor", store, "--models", models.url.path)
        expectEqual(run.status, 0)
        expectContains(run.lines, "Made by: version “Cars” of Cars.xcdatamodeld (identifier first)")
        expectContains(run.lines, "Current: version “Cars 2” of Cars.xcdatamodeld")
        expectContains(run.lines, "  Car.owner: now required")
        expectContains(run.lines, "Migration: lightweight")
    }

    @Test("A store of a configuration is compared with that configuration of the current version")
    func configuration() async throws {
        let folder = try TemporaryFolder()
        func text(_ attribute: String) -> String {
            """
            <?xml version="1.0" encoding="UTF-8"?><model><entity name="Song">\
            <attribute name="name" optional="YES" attributeType="String"/>\(attribute)</entity>\
            <entity name="User"><attribute name="name" optional="YES" attributeType="String"/></entity>\
            <configuration name="Music"><memberEntity name="Song"/></configuration></model>
            """
        }
        let old = try folder.write(text(""), to: "Old.xcdatamodel/contents").deletingLastPathComponent()
        let new = try folder.write(
            text("<attribute name=\"note\" optional=\"YES\" attributeType=\"String\"/>"), to: "New.xcdatamodel/contents"
        ).deletingLastPathComponent()
        let model = try requireValue(NSManagedObjectModel(contentsOf: old))
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "Music", at: folder.file("store.sqlite"))
        try coordinator.remove(store)
        let same = try await CommandRun("store", "doctor", folder.path("store.sqlite"), "--model", old.path)
        expectContains(same.lines, "Migration: none needed")
        let run = try await CommandRun("store", "doctor", folder.path("store.sqlite"), "--model", new.path)
        expectContains(run.lines, "  Song.note: attribute added (String, optional)")
        expectContains(run.lines, "Migration: lightweight")
        #expect(!run.output.contains("User"))
        expectEqual(run.status, 0)
        let info = try await CommandRun("store", "info", folder.path("store.sqlite"), "--model", old.path)
        expectEqual(info.lines.dropFirst().prefix(2), ["Entities:", "  Song  0"])
    }

    @Test("A migration that needs another version in between", arguments: ["text", "json"])
    func route(format: String) async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        // The type of maker changes: by way of a version without it.
        let attribute = #"<attribute name="maker" optional="YES" attributeType="String"/>"#
        let between = SampleModel.source.replacingOccurrences(of: attribute, with: "")
        let last = SampleModel.source.replacingOccurrences(
            of: attribute, with: attribute.replacingOccurrences(of: "String", with: "Date"))
        for (name, text) in [("Cars 1", SampleModel.source), ("Cars 2", between), ("Cars 3", last)] {
            try folder.write(text, to: "Models/Cars.xcdatamodeld/\(name).xcdatamodel/contents")
        }
        try folder.write(
            """
            <plist version="1.0"><dict>\
            <key>_XCCurrentVersionName</key><string>Cars 3.xcdatamodel</string></dict></plist>
            """, to: "Models/Cars.xcdatamodeld/.xccurrentversion")
        let run = try await CommandRun(
            "store", "doctor", store, "--models", folder.path("Models"), "--format", format)
        expectEqual(run.status, 0)
        guard format == "json" else {
            let start = try requireValue(run.lines.firstIndex(of: "Migration: 2 steps"))
            expectEqual(
                Array(run.lines[start...].prefix(5)),
                [
                    "Migration: 2 steps", "  1. to version “Cars 2” of Cars.xcdatamodeld: lightweight",
                    "  2. to version “Cars 3” of Cars.xcdatamodeld: lightweight",
                    "Not lightweight in one step, because",
                    """
                      Car.maker: Source and destination attribute types are incompatible. The type was String and is \
                    Date; give the attribute another name, or write a mapping model.
                    """,
                ])
            return
        }
        let migration = try requireValue(Self.report(run)["migration"] as? [String: Any])
        #expect(migration["needed"] as? Bool == true)
        #expect(migration["possible"] as? Bool == true)
        #expect(migration["lightweight"] as? Bool == false)
        expectEqual((migration["steps"] as? [[String: Any]])?.map { $0["way"] as? String }, ["inferred", "inferred"])
    }

    @Test("A store that can't be migrated is a problem, with the reason")
    func impossible() async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        let text = SampleModel.source.replacingOccurrences(
            of: #"name="maker" optional="YES" attributeType="String""#,
            with: #"name="maker" optional="YES" attributeType="Date""#)
        let other = try VersionedSample.writeModel(text, to: folder.url.appendingPathComponent("Other.xcdatamodel"))
        let run = try await CommandRun("store", "doctor", store, "--model", other)
        expectEqual(run.status, 1)
        expectContains(run.lines, "Migration: impossible with the known versions and mapping models")
        #expect(run.lines.contains { $0.hasPrefix("  Car.maker: Source and destination attribute types") })
    }

    @Test("Damaged references, keys and files are problems, by entity and property")
    func defects() async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        let connection = try SQLiteConnection(path: store, mode: .readWrite)
        try connection.run("DELETE FROM ZPERSON WHERE ZFIRSTNAME = 'Ada'")
        try connection.run("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Car'")
        let file = UUID().uuidString
        try folder.write("x", to: "store/.Cars_SUPPORT/_EXTERNAL_DATA/\(file)")
        let text = try await CommandRun("store", "doctor", store)
        expectEqual(text.status, 1)
        let start = try requireValue(text.lines.firstIndex(of: "Integrity: 3 problems"))
        let problems = text.lines[(start + 1)...]
        #expect(problems.contains { $0.hasPrefix("  Car: the highest key is 4, and Z_PRIMARYKEY has 1") })
        #expect(
            problems.contains { $0.hasPrefix("  Car.owner: 3 objects refer to a Person that doesn't exist (Z_PK ") })
        #expect(problems.contains { $0.contains("no object refers to 1 file") && $0.contains(file) })
        let json = try await CommandRun("store", "doctor", store, "--format", "json")
        expectEqual(json.status, 1)
        let kinds = (try Self.report(json)["problems"] as? [[String: Any]])?.compactMap { $0["kind"] as? String }
        expectEqual(kinds, ["lowHighestKey", "danglingReference", "unusedFile"])
    }

    @Test("A trigger and a view that the model doesn't have are problems")
    func foreignParts() async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        let connection = try SQLiteConnection(path: store, mode: .readWrite)
        try connection.run("CREATE TRIGGER \"my audit\" AFTER INSERT ON ZCAR BEGIN DELETE FROM ZPERSON; END")
        try connection.run("CREATE VIEW CARS AS SELECT * FROM ZCAR")
        let run = try await CommandRun("store", "doctor", store)
        expectEqual(run.status, 1)
        expectEqual(
            run.lines.suffix(2),
            [
                "  the file has the view CARS, which is not the model’s.",
                "  Car: the trigger my audit of the table ZCAR is not the model’s: it changes what Core Data doesn’t "
                    + "know of, and a migration removes it.",
            ])
    }

    @Test(
        "A file that is no store, and models that don't exist, exit with 2", arguments: ["store", "models", "folder"])
    func failures(kind: String) async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        try folder.write("Dear Sir or Madam", to: "letter.sqlite")
        try folder.write("nothing", to: "empty/readme.txt")
        let arguments =
            switch kind {
            case "store": [folder.path("letter.sqlite")]
            case "models": [store, "--models", folder.path("missing.momd")]
            default: [store, "--models", folder.path("empty")]
            }
        let run = try await CommandRun(arguments: ["store", "doctor"] + arguments)
        expectEqual(run.status, 2)
        expectEqual(run.output, "")
        expectContains(run.errors, kind == "store" ? "letter.sqlite" : kind == "models" ? "missing.momd" : "empty")
    }

    @Test("The store isn't changed")
    func unchanged() async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        let storeFolder = URL(fileURLWithPath: store).deletingLastPathComponent()
        let before = try TemporaryFolder.contents(of: storeFolder)
        _ = try await CommandRun("store", "doctor", store)
        try expectEqual(TemporaryFolder.contents(of: storeFolder), before)
    }
}

@Suite("coredata store backup")
struct StoreBackupTests {
    @Test("The copy of an open store has what was saved")
    func copy() async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        // Another connection has rows in the write-ahead log that the database file doesn't have.
        let connection = try SQLiteConnection(path: store, mode: .readWrite)
        try connection.run("UPDATE ZCAR SET ZMAKER = 'Lancia' WHERE ZMAKER = 'Alfa'")
        let backup = folder.path("backup.sqlite")
        let run = try await CommandRun("store", "backup", store, backup)
        expectEqual(run.errors, "")
        expectEqual(run.status, 0)
        try #require(run.lines.count == 1)
        expectTrue(run.lines[0].hasPrefix("\(store) → \(backup) ("))
        withExtendedLifetime(connection) {}
        let cars = try await CommandRun(
            "store", "fetch", backup, "--entity", "Car", "--fetch", "maker", "--sort", "maker", "--format", "csv")
        expectEqual(cars.output, "maker\r\nBorgward\r\nCitroën\r\nLancia\r\nPorsche\r\n")
    }

    @Test("An existing file is replaced with --force only")
    func force() async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        let backup = folder.path("backup.sqlite")
        try await expectEqual(CommandRun("store", "backup", store, backup).status, 0)
        let refused = try await CommandRun("store", "backup", store, backup)
        expectEqual(refused.status, 1)
        expectContains(refused.errors, "--force")
        try await expectEqual(CommandRun("store", "backup", store, backup, "--force").status, 0)
    }

    @Test("A file that is no store is an error with its name, and makes no file")
    func noStore() async throws {
        let folder = try TemporaryFolder()
        try folder.write("Dear Sir or Madam", to: "letter.sqlite")
        let run = try await CommandRun("store", "backup", folder.path("letter.sqlite"), folder.path("backup.sqlite"))
        expectEqual(run.status, 1)
        expectContains(run.errors, "letter.sqlite")
        try expectEqual(folder.contents, ["letter.sqlite"])
    }
}
