import CoreData
import Testing

@Suite("coredata store history and compact")
struct StoreHistoryTests {
    private let folder: TemporaryFolder
    private let store: String

    /// A store with a history: two authors, three transactions.
    init() throws {
        folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Albums.sqlite")
        store = url.path
        let name = ModelBuilder.attribute("name", .stringAttributeType)
        name.preservesValueInHistoryOnDeletion = true
        let album = ModelBuilder.entity("Album", [name, ModelBuilder.attribute("year", .integer16AttributeType)])
        let note = ModelBuilder.entity("Note", [ModelBuilder.attribute("text", .stringAttributeType)])
        let model = NSManagedObjectModel()
        model.entities = [album, note]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let opened = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: true])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            context.transactionAuthor = "import"
            let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: context)
            album.setValue("Blue", forKey: "name")
            try context.save()
            context.transactionAuthor = "app"
            album.setValue(1971, forKey: "year")
            _ = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            try context.save()
            context.delete(album)
            try context.save()
        }
        try coordinator.remove(opened)
    }

    private enum ModelBuilder {
        static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }

        static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = properties
            return entity
        }
    }

    private func run(_ arguments: String...) async throws -> CommandRun {
        try await CommandRun(arguments: ["store", "history", store] + arguments)
    }

    @Test("The text has each transaction and its changes, the oldest first")
    func text() async throws {
        let run = try await run()
        expectEqual(run.errors, "")
        let lines = run.lines
        try #require(lines.count == 7, "\(run.output)")
        expectTrue(lines[0].hasPrefix("Transaction 1  2"))
        expectContains(lines[0], "  author import, ")
        expectEqual(lines[1], "  insert  Album/p1")
        expectEqual(Set(lines[3...4]), ["  update  Album/p1: year", "  insert  Note/p1"])
        expectEqual(lines[6], "  delete  Album/p1 (name: Blue)")
    }

    @Test(
        "Filters select transactions and changes",
        arguments: [
            (["--author", "app"], [2, 3]), (["--after", "1"], [2, 3]), (["--after", "3"], []),
            (["--entity", "Note"], [2]),
            (["--limit", "1"], [3]), (["--since", "2001-01-01"], [1, 2, 3]), (["--before", "2001-01-01"], []),
            (["--summary"], [1, 2, 3]), (["--author", "import", "--entity", "Note"], []),
        ])
    func filters(arguments: [String], numbers: [Int]) async throws {
        let run = try await CommandRun(
            arguments: ["store", "history", store, "--format", "json"] + arguments)
        expectEqual(run.errors, "")
        let found = try requireValue(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
        expectEqual(found.map { $0["transaction"] as? Int }, numbers)
    }

    @Test("JSON lines have every change with its values")
    func jsonLines() async throws {
        let run = try await run("--format", "jsonl", "--after", "2")
        let object = try requireValue(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let changes = try requireValue(object["changes"] as? [[String: Any]])
        expectEqual(changes.count, 1)
        #expect(changes[0]["type"] as? String == "delete")
        #expect(changes[0]["object"] as? String == "Album/p1")
        #expect((changes[0]["tombstone"] as? [String: Any])?["name"] as? String == "Blue")
    }

    @Test("A store without history says so")
    func none() async throws {
        let cars = try SampleModel.makeStore(in: folder)
        let run = try await CommandRun("store", "history", cars)
        expectEqual(run.status, 1)
        expectContains(run.errors, "has no history: the program that writes it doesn't set")
    }

    @Test(
        "Wrong arguments exit with 64",
        arguments: [
            ["--since", "yesterday"], ["--limit", "0"], ["--summary", "--entity", "Note"], ["--after", "x"],
        ])
    func usage(arguments: [String]) async throws {
        try await expectEqual(CommandRun(arguments: ["store", "history", store] + arguments).status, 64)
    }

    @Test("compact gives free space back, and keeps objects and history")
    func compact() async throws {
        let before = try await run()
        try SQLiteFile(creating: URL(fileURLWithPath: store)).run("CREATE TABLE FILL (X)")
        try SQLiteFile(creating: URL(fileURLWithPath: store)).run(
            """
            INSERT INTO FILL WITH RECURSIVE C(X) AS (SELECT 1 UNION ALL SELECT X + 1 FROM C WHERE X < 2000)
            SELECT randomblob(1000) FROM C
            """)
        try SQLiteFile(creating: URL(fileURLWithPath: store)).run("DROP TABLE FILL")
        let run = try await CommandRun("store", "compact", store, "--format", "json")
        expectEqual(run.errors, "")
        let sizes = try requireValue(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let (old, new) = (sizes["sizeBefore"] as? Int ?? 0, sizes["sizeAfter"] as? Int ?? 0)
        #expect(old > 2_000_000 && new < 200_000, "\(old) \(new)")
        try await expectEqual(self.run().output, before.output)
        let text = try await CommandRun("store", "compact", store)
        expectEqual(text.output, "\(store): \(new) bytes → \(new) bytes\n")
    }
}
