import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// `coredata store` with URLs of PostgreSQL.
@Suite(.enabled(if: TestServer.isPresent)) struct PostgreSQLCommandTests {
    @Test("info counts the objects and shows no password")
    func infoCountsTheObjects() async throws {
        let database = try TestDatabase()
        try database.fill(database.coordinator(at: database.url()))
        let run = try await CommandRun("store", "info", database.url("store", "password=verysecret").absoluteString)
        expectEqual(run.status, 0, "\(run.errors)")
        expectContains(run.output, "Store: postgresql://")
        expectContains(run.output, "NSStoreType: PostgreSQL")
        #expect(run.output.contains(#/Chapter +6/#))
        #expect(!(run.output + run.errors).contains("verysecret"))
    }

    @Test("fetch prints objects")
    func fetchPrintsObjects() async throws {
        let database = try TestDatabase()
        try database.fill(database.coordinator(at: database.url()))
        let run = try await CommandRun(
            "store", "fetch", database.url().absoluteString, "--entity", "Book", "--predicate", "name = 'Two'",
            "--format",
            "csv",
            "--fetch", "name,author.name")
        expectEqual(run.status, 0, "\(run.errors)")
        expectContains(run.output, "Two,Ada")
        #expect(!run.output.contains("One"))
    }

    @Test("import, diff and a fetch of many objects")
    func importDiffAndAFetch() async throws {
        let database = try TestDatabase()
        let model = database.folder.file("Songs.coredata")
        try Data(
            """
            Song { attribute title: string, required; to-one artist: Artist, inverse: songs; unique title }
            Artist { attribute name: string; to-many songs: Song, inverse: artist; unique name }
            """.utf8
        ).write(to: model)
        let rows = (0..<1_200).map { "song \($0),\($0 % 3 == 0 ? "Ada" : "")" }.joined(separator: "\n")
        let (songs, artists) = (database.folder.file("songs.csv"), database.folder.file("artists.csv"))
        try Data("title,artist\n\(rows)\n".utf8).write(to: songs)
        try Data("name\nAda\n".utf8).write(to: artists)
        let url = database.url("store", "password=verysecret").absoluteString
        let file = database.folder.file("Songs.sqlite").path
        for store in [url, file] {
            for (rows, entity, count) in [(artists, "Artist", 1), (songs, "Song", 1_200)] {
                let run = try await CommandRun(
                    "store", "import", store, rows.path, "--entity", entity, "--create", "--model", model.path)
                expectEqual(run.output, "\(Wording.count(count, "row")): \(count) inserted.\n", "\(run.errors)")
            }
        }
        let again = try await CommandRun("store", "import", url, songs.path, "--entity", "Song")
        expectEqual(again.output, "1200 rows: 1200 unchanged.\n", "\(again.errors)")
        let fetch = try await CommandRun("store", "fetch", url, "--entity", "Song", "--format", "csv")
        expectEqual(fetch.output.components(separatedBy: "\r\n").count, 1_202)
        expectEqual(fetch.errors, "")
        let diff = try await CommandRun("store", "diff", url, file)
        expectEqual(diff.status, 0, "\(diff)")
        expectEqual(diff.output, "Artist: 1 equal\nSong: 1200 equal\n")
        let history = try await CommandRun("store", "history", url)
        expectEqual(history.status, 1)
        for run in [again, fetch, diff, history] { #expect(!(run.output + run.errors).contains("verysecret")) }
    }

    @Test("migrate leaves what older programs use, and removes it when they are gone")
    func migrateLeavesWhatOlder()
        async throws
    {
        let database = try TestDatabase()
        let (first, second) = (database.folder.file("First.coredata"), database.folder.file("Second.coredata"))
        try Data("entity Song {\n    attribute name: string\n    attribute old: string\n}\n".utf8).write(to: first)
        try Data("entity Song {\n    attribute name: string\n    attribute new: string\n}\n".utf8).write(to: second)
        let model = try requireValue(NSManagedObjectModel(contentsOf: first))
        let coordinator = try database.coordinator(at: database.url(), model: model)
        try database.use(coordinator) { context in
            let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
            song.setValue("a", forKey: "name")
            try context.save()
        }
        let url = database.url("store", "password=verysecret").absoluteString
        let plan = try await CommandRun("store", "migrate", url, "--model", second.path, "--dry-run")
        expectEqual(plan.status, 0, "\(plan)")
        expectContains(plan.output, "lightweight; 1 entity changed", "\(plan)")
        let migration = try await CommandRun("store", "migrate", url, "--model", second.path, "--defer")
        expectEqual(migration.status, 0, "\(migration)")
        #expect(migration.output.contains(#/Song +1\n/#), "\(migration)")
        expectContains(migration.output, "--finish removes it")
        // The program with the older model goes on until the end.
        try database.use(coordinator) { context in
            let songs = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Song"))
            songs.first?.setValue("b", forKey: "old")
            try context.save()
        }
        let end = try await CommandRun("store", "migrate", url, "--model", second.path, "--finish")
        expectEqual(end.status, 0, "\(end)")
        expectContains(end.output, "is removed from postgresql://", "\(end)")
        #expect(throws: (any Error).self) {
            try database.use(coordinator) { context in
                _ = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
                try context.save()
            }
        }
        for run in [plan, migration, end] { #expect(!(run.output + run.errors).contains("verysecret")) }
    }

    @Test("migrate keeps the model's transformers, so that older programs go on")
    func migrateKeepsTheModels()
        async throws
    {
        let database = try TestDatabase()
        let text = { (attributes: String) in
            "entity Song {\n    attribute cover: transformable, transformer: CoverTransformer\n\(attributes)}\n"
        }
        let versions = try self.versions(
            database, text("    attribute name: string\n"),
            text("    attribute name: string\n    attribute new: string\n"))
        let coordinator = try database.coordinator(at: database.url(), model: versions[0].model)
        try insertSong(database, coordinator)
        let run = try await CommandRun(
            "store", "migrate", database.url().absoluteString, "--model", versions[1].file.path)
        expectEqual(run.status, 0, "\(run)")
        #expect(run.output.contains(#/Song +1\n/#), "\(run)")
        try insertSong(database, coordinator)
        let cached = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: database.url())
        expectEqual(
            cached.entitiesByName["Song"]?.attributesByName["cover"]?.valueTransformerName, "CoverTransformer")
    }

    @Test("migrate keeps the configuration of the store")
    func migrateKeepsTheConfiguration() async throws {
        let database = try TestDatabase()
        let text = { (attributes: String) in
            "entity Song {\n\(attributes)}\nentity Draft {\n    attribute text: string\n}\n"
                + "configuration Shared: Song\n"
        }
        let versions = try self.versions(
            database, text("    attribute name: string\n"),
            text("    attribute name: string\n    attribute new: string\n"))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: versions[0].model)
        let store = try coordinator.addPersistentStore(
            ofType: NSPostgreSQLStoreType, configurationName: "Shared", at: database.url())
        try insertSong(database, coordinator)
        try coordinator.remove(store)
        for expected in ["is migrated", "There is nothing to do"] {
            let run = try await CommandRun(
                "store", "migrate", database.url().absoluteString, "--model", versions[1].file.path)
            expectEqual(run.status, 0, "\(run)")
            expectContains(run.output, expected, "\(run)")
        }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSPostgreSQLStoreType, at: database.url())
        expectEqual((metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.keys.sorted(), ["Song"])
        expectTrue(
            versions[1].model.isConfiguration(withName: "Shared", compatibleWithStoreMetadata: metadata))
    }

    /// Model files with their models.
    private func versions(_ database: TestDatabase, _ texts: String...) throws -> [(
        file: URL, model: NSManagedObjectModel
    )] {
        try texts.enumerated().map { index, text in
            let file = database.folder.file("Version\(index).coredata")
            try Data(text.utf8).write(to: file)
            return (file, try requireValue(NSManagedObjectModel(contentsOf: file)))
        }
    }

    private func insertSong(_ database: TestDatabase, _ coordinator: NSPersistentStoreCoordinator) throws {
        try database.use(coordinator) { context in
            let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
            song.setValue("a", forKey: "name")
            try context.save()
        }
    }

    @Test("A schema without a store is an error that names the URL")
    func aSchemaWithoutAStore() async throws {
        let database = try TestDatabase()
        let run = try await CommandRun("store", "info", database.url("store", "password=verysecret").absoluteString)
        #expect(run.status != 0)
        expectContains(run.errors, database.schema("store"))
        #expect(!run.errors.contains("verysecret"))
        try expectFalse(database.hasSchema())
    }

    @Test("Wrong arguments are reported without passwords")
    func wrongArgumentsAreReported() async throws {
        let database = try TestDatabase()
        let secrets = ["password=verysecret", "password=very%20secret"]
        for url in secrets.map({ database.url("store", $0).absoluteString }) + ["postgres://u:verysecret@host/a b"] {
            for arguments in [["info", "store", url], ["fetch", "store", "--limit", url], ["info", "--url=\(url)"]] {
                let run = try await CommandRun(arguments: ["store"] + arguments)
                expectEqual(run.status, 64, "\(run)")
                expectContains(run.errors, "Usage:", "\(run)")
                #expect(!(run.output + run.errors).contains("secret"), "\(run)")
            }
        }
    }

    @Test("backup writes a SQLite store")
    func backupWritesASQLite() async throws {
        let database = try TestDatabase()
        let coordinator = try database.coordinator(at: database.url())
        try database.fill(coordinator)
        let file = database.folder.file("backup.sqlite")
        let run = try await CommandRun("store", "backup", database.url().absoluteString, file.path)
        expectEqual(run.status, 0, "\(run.errors)")
        let backup = try database.coordinator(NSSQLiteStoreType, at: file)
        try expectEqual(database.contents(backup), TestDatabase.expected)
        expectEqual(backup.persistentStores.first?.identifier, coordinator.persistentStores.first?.identifier)
        let again = try await CommandRun("store", "backup", database.url().absoluteString, file.path)
        #expect(again.status != 0)
        expectContains(again.errors, "--force")
        let names = try database.folder.contents
        #expect(names.allSatisfy { $0.hasPrefix("backup.sqlite") }, "\(names)")
    }

    @Test("copy takes stores from a file to a server and back")
    func copyTakesStoresFromAFile() async throws {
        let database = try TestDatabase()
        let source = try database.coordinator(NSSQLiteStoreType, at: database.folder.file("source.sqlite"))
        try database.fill(source)
        let url = database.url().absoluteString
        let there = try await CommandRun("store", "copy", database.folder.path("source.sqlite"), url)
        expectEqual(there.status, 0, "\(there.errors)")
        try expectEqual(database.contents(database.coordinator(at: database.url())), TestDatabase.expected)
        for name in ["back.sqlite", "back.xml", "back.binary"] {
            let back = try await CommandRun("store", "copy", url, database.folder.path(name))
            expectEqual(back.status, 0, "\(back.errors)")
        }
        let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]
        for (name, type) in zip(["back.sqlite", "back.xml", "back.binary"], types) {
            let copy = try database.coordinator(type, at: database.folder.file(name))
            try expectEqual(database.contents(copy), TestDatabase.expected)
            expectEqual(copy.persistentStores.first?.identifier, source.persistentStores.first?.identifier)
        }
        let elsewhere = try await CommandRun("store", "copy", url, database.url("other").absoluteString)
        expectEqual(elsewhere.status, 0, "\(elsewhere.errors)")
        try expectEqual(database.contents(database.coordinator(at: database.url("other"))), TestDatabase.expected)
    }

    @Test("copy replaces a store with force only")
    func copyReplacesAStore() async throws {
        let database = try TestDatabase()
        try database.fill(database.coordinator(NSSQLiteStoreType, at: database.folder.file("source.sqlite")))
        _ = try database.coordinator(at: database.url())
        let arguments = (database.folder.path("source.sqlite"), database.url().absoluteString)
        let refused = try await CommandRun("store", "copy", arguments.0, arguments.1)
        #expect(refused.status != 0)
        expectContains(refused.errors, "--force")
        let replaced = try await CommandRun("store", "copy", arguments.0, arguments.1, "--force")
        expectEqual(replaced.status, 0, "\(replaced.errors)")
        try expectEqual(database.contents(database.coordinator(at: database.url())), TestDatabase.expected)
        let connection = try TestServer.connect()
        defer { connection.close() }
        let rest = try connection.execute(
            "SELECT COUNT(*) FROM pg_namespace WHERE starts_with(nspname, '\(database.schema("store"))')")
        expectEqual(rest[0].int64(0), 1)
    }

    @Test("doctor finds no problems in a store as it was saved")
    func doctorFindsNoProblems() async throws {
        let database = try TestDatabase()
        try database.fill(database.coordinator(at: database.url()))
        let run = try await CommandRun("store", "doctor", database.url().absoluteString)
        expectEqual(run.status, 0, "\(run.output)\(run.errors)")
        expectContains(run.output, "Integrity: no problems found")
        expectContains(run.output, "Files: on the server, not examined")
    }

    @Test("doctor finds references to missing rows, used keys and missing columns")
    func doctorFindsReferencesToMissing() async throws {
        let database = try TestDatabase()
        try database.fill(database.coordinator(at: database.url()))
        let schema = database.schema("store")
        try database.execute(
            "DELETE FROM \(schema).zperson; DELETE FROM \(schema).ztag; SELECT setval('\(schema).zbook_keys', 1)")
        let run = try await CommandRun("store", "doctor", database.url().absoluteString)
        expectEqual(run.status, 1, "\(run.errors)")
        expectContains(run.output, "Book.author: 2 objects refer to an Author that doesn't exist")
        expectContains(run.output, "rows of the table Z_")
        expectContains(run.output, "below the highest key")
        try database.execute("ALTER TABLE \(schema).zbook DROP COLUMN zprice")
        let broken = try await CommandRun("store", "doctor", database.url().absoluteString)
        expectEqual(broken.status, 1)
        expectContains(broken.output, "has no column ZPRICE")
    }

    @Test("doctor shows the steps of a migration, and changes nothing")
    func doctorShowsTheSteps() async throws {
        let database = try TestDatabase()
        let song = { (properties: [NSPropertyDescription]) in
            model([entity("Song", [attribute("title", .stringAttributeType)] + properties)])
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: song([]))
        try coordinator.remove(
            coordinator.addPersistentStore(
                ofType: NSPostgreSQLStoreType, configurationName: nil, at: database.url()))
        let year = attribute("year", .integer16AttributeType, defaultValue: NSNumber(value: 1959))
        let folder = try TemporaryFolder()
        try TextNotation.write(song([year]), to: folder.file("Songs.coredata"))
        let arguments = ["store", "doctor", database.url().absoluteString, "--model", folder.path("Songs.coredata")]
        let run = try await CommandRun(arguments: arguments + ["--steps"])
        expectEqual(run.status, 0, "\(run.output)\(run.errors)")
        let start = try requireValue(run.lines.firstIndex(of: "Steps:"))
        expectEqual(run.lines[start + 1], "  1. add the column ZYEAR to ZSONG")
        expectTrue(run.lines[start + 2].hasSuffix(".ZSONG ADD COLUMN ZYEAR smallint DEFAULT '1959'::smallint"))
        expectContains(run.lines, "  2. record the entities and their keys")
        let again = try await CommandRun(arguments: arguments)
        expectContains(again.lines, "Migration: lightweight")
    }
}
