import CoreData
import Testing

@testable import CoreDataCommand

/// An export of `store fetch` is imported without a difference.
@Suite("coredata store import: round trips")
struct ImportRoundTripTests {
    /// Makes a store of ``EveryTypeModel``, or an empty one.
    private func makeStore(_ name: String, in folder: TemporaryFolder, isFilled: Bool) throws -> String {
        let url = folder.url.appendingPathComponent(name)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: EveryTypeModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        if isFilled {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                try EveryTypeModel.fill(context)
                for seconds in [0.1, -0.25, 718_273_645.1234567, -86400.000001, 1.5e-05, 63_113_904_000, 1e300] {
                    _ = context.make(
                        "Item", "date \(seconds)",
                        [
                            "date": Date(timeIntervalSinceReferenceDate: seconds), "real": seconds,
                            "exact": NSDecimalNumber(string: "1234567890.12345678901234567"), "text": "a,\"b\"\r\n;c",
                            "single": Float(0.1), "long": Int64.min + 1,
                        ])
                }
                try context.save()
            }
        }
        try coordinator.remove(store)
        return url.path
    }

    @Test("Every attribute type, nil and extreme values", arguments: ["csv", "json", "jsonl"])
    func attributes(format: String) async throws {
        let folder = try TemporaryFolder()
        let source = try makeStore("Source.sqlite", in: folder, isFilled: true)
        let copy = try makeStore("Copy.sqlite", in: folder, isFilled: false)
        for entity in ["Item", "Group", "Tag"] {
            let fetch = ["--entity", entity, "--format", format, "--sort", "name"]
            let export = try await CommandRun(arguments: ["store", "fetch", source] + fetch)
            expectEqual(export.errors, "")
            let file = folder.path("\(entity).\(format)")
            try Data(export.output.utf8).write(to: URL(fileURLWithPath: file))
            let run = try await CommandRun(
                "store", "import", copy, file, "--entity", entity, "--attributes-only")
            expectEqual(run.errors, "")
            expectEqual(run.status, 0)
        }
        for (entity, columns) in [
            ("Item", "name,short,int,long,flag,real,single,exact,text,date,data,uuid,link,list,photo,place"),
            ("SpecialItem", "name,extra"), ("Group", "name"), ("Tag", "name"),
        ] {
            // CSV has the columns of the entity alone, without the columns of subentities.
            let columns = format == "csv" && entity == "SpecialItem" ? "name" : columns
            let fetch = ["--entity", entity, "--fetch", columns, "--sort", "name", "--format", "json"]
            let expected = try await CommandRun(arguments: ["store", "fetch", source] + fetch)
            let found = try await CommandRun(arguments: ["store", "fetch", copy] + fetch)
            expectEqual(found.output, expected.output)
            #expect(expected.output.count > 10)
        }
    }

    @Test("Links, with the store's own IDs", arguments: ["csv", "json"])
    func links(format: String) async throws {
        let folder = try TemporaryFolder()
        let store = try makeStore("Store.sqlite", in: folder, isFilled: true)
        let fetch = ["store", "fetch", store, "--entity", "Item", "--format", format]
        let before = try await CommandRun(arguments: fetch)
        let file = folder.path("Item.\(format)")
        try Data(before.output.utf8).write(to: URL(fileURLWithPath: file))
        let run = try await CommandRun(
            "store", "import", store, file, "--entity", "Item", "--same-store")
        expectEqual(run.errors, "")
        expectEqual(run.output, "10 rows: 10 unchanged.\n")
        try await expectEqual(CommandRun(arguments: fetch).output, before.output)
    }

    @Test("Dates of any time are read to the last bit")
    func dates() {
        var generator = SeededGenerator(seed: TestRun.seed(for: "imported dates"))
        for _ in 0..<5_000 {
            let seconds =
                Double.random(in: -1...1, using: &generator)
                * pow(10, Double.random(in: -8...12, using: &generator))
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            expectEqual(DateText.date(DateText.text(of: date)), date, "\(DateText.text(of: date))")
        }
    }
}
