import CoreData
import Testing

@testable import CoreDataCommand

/// Every verb that prints something prints JSON too.
@Suite("coredata: JSON, versions, misspelt verbs")
struct FormatTests {
    private let cars: GrowingCars

    init() throws { cars = try GrowingCars() }

    private func json(_ arguments: String...) async throws -> Any {
        let run = try await CommandRun(arguments: arguments + ["--format", "json"])
        expectEqual(run.errors, "")
        expectEqual(run.status, 0, "\(run.output)")
        return try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    }

    @Test("info has metadata and counts")
    func info() async throws {
        let store = try cars.makeStore(3)
        let found = try requireValue(try await json("store", "info", store) as? [String: Any])
        #expect((found["metadata"] as? [String: Any])?["NSStoreType"] as? String == "SQLite")
        let entities = try requireValue(found["entities"] as? [[String: Any]])
        expectEqual(entities.count, 1)
        #expect(entities[0]["entity"] as? String == "Car" && entities[0]["count"] as? Int == 1)
        let xml = cars.folder.path("x.xml")
        let copy = try requireValue(try await json("store", "copy", store, xml) as? [String: Any])
        #expect(copy["destination"] as? String == xml)
        let without = try requireValue(try await json("store", "info", xml) as? [String: Any])
        #expect(without["entities"] == nil)
    }

    @Test("backup has the size")
    func backup() async throws {
        let found = try requireValue(
            try await json("store", "backup", try cars.makeStore(3), cars.folder.path("b.sqlite")) as? [String: Any])
        #expect((found["size"] as? Int ?? 0) > 4_096)
    }

    @Test("migrate has the status, the steps and the losses")
    func migrate() async throws {
        let store = try cars.makeStore(3)
        let arguments = ["--model", cars.path(ofVersion: 4)]
        func run(_ more: String...) async throws -> [String: Any] {
            let run = try await CommandRun(
                arguments: ["store", "migrate", store, "--format", "json"] + arguments + more)
            expectEqual(run.errors, "")
            return try requireValue(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        }
        let plan = try await run("--dry-run")
        #expect(plan["status"] as? String == "planned")
        expectEqual((plan["steps"] as? [String])?.count, 1)
        expectEqual((plan["losses"] as? [Any])?.isEmpty, true)
        #expect(try await run()["status"] as? String == "migrated")
        #expect(try await run()["status"] as? String == "upToDate")
    }

    @Test("model hashes has the hash of each entity")
    func hashes() async throws {
        let found = try requireValue(try await json("model", "hashes", cars.path(ofVersion: 1)) as? [String: String])
        expectEqual(found["Car"]?.count, 64)
    }

    @Test("The version is that of the change log")
    func version() async throws {
        let run = try await CommandRun("--version")
        expectEqual(run.output, "coredata \(ToolVersion.number) (OpenCoreData)\n")
        expectEqual(run.status, 0)
    }

    @Test(
        "A misspelt verb is told with the one that is meant",
        arguments: [
            (["store", "fech", "x"], "'coredata store' has no verb 'fech'. Did you mean 'coredata store fetch'?"),
            (["stroe", "fetch"], "'coredata' has no verb 'stroe'. Did you mean 'coredata store'?"),
            (["fetch", "x"], "'coredata' has no verb 'fetch'. Did you mean 'coredata store fetch'?"),
            (["diff", "x"], "'coredata' has no verb 'diff'.\n"),
            (["model", "dump"], "'coredata model' has no verb 'dump'.\n"),
        ])
    func verbs(arguments: [String], message: String) async throws {
        let run = try await CommandRun(arguments: arguments)
        expectEqual(run.status, 64)
        expectEqual(run.output, "")
        expectTrue(run.errors.hasPrefix("Error: \(message)"), "\(run.errors)")
        expectContains(run.errors, "Its verbs are: ")
    }

    @Test("Misspelt entities and properties too")
    func names() async throws {
        let store = try cars.makeStore(3)
        let entity = try await CommandRun("store", "fetch", store, "--entity", "Cra")
        expectContains(entity.errors, "Did you mean 'Car'?")
        let key = try await CommandRun("store", "fetch", store, "--entity", "Car", "--sort", "aa1")
        expectContains(key.errors, "Did you mean 'a1'?", "\(key.errors)")
    }

    @Test("A property that the model has renamed is told with its new name, in conditions and imported files")
    func renamed() async throws {
        let folder = try TemporaryFolder()
        try folder.write("Song { attribute title: string, renamed-from: label }\n", to: "Songs.coredata")
        let model = try NSManagedObjectModel.load(contentsOf: folder.file("Songs.coredata"))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: folder.file("Songs.sqlite"))
        try coordinator.remove(store)
        let path = folder.path("Songs.sqlite")
        let text = "has no property 'label'. It is named 'title' now. It has: title."
        let fetched = try await CommandRun("store", "fetch", path, "--entity", "Song", "--predicate", "label = 'x'")
        expectContains(fetched.errors, "Entity 'Song' " + text, "\(fetched.errors)")
        try folder.write("label\nx\n", to: "songs.csv")
        let imported = try await CommandRun("store", "import", path, folder.path("songs.csv"), "--entity", "Song")
        expectContains(imported.errors, "Song " + text, "\(imported.errors)")
    }

    @Test("A missing entity is told with those of the store", arguments: ["fetch", "import"])
    func missingEntity(verb: String) async throws {
        let store = try cars.makeStore(3)
        let run = try await CommandRun(arguments: ["store", verb, store] + (verb == "import" ? ["a.csv"] : []))
        expectEqual(run.status, 64)
        expectContains(run.errors, "Add the entity by --entity. \(store) has: Car.", "\(run.errors)")
    }

    @Test("Arguments in the wrong order, a model for a store, and a text without quotes are told")
    func mistakes() async throws {
        let swapped = try await CommandRun("store", "import", "cars.csv", "Shop.sqlite", "--entity", "Car")
        expectEqual(swapped.status, 64)
        expectContains(
            swapped.errors, "The store comes first, then the file: coredata store import Shop.sqlite cars.csv.")
        let model = try cars.folder.write("Song { title: string }", to: "Songs.coredata").path
        let store = try await CommandRun("store", "info", model)
        expectEqual(store.status, 1)
        expectContains(store.errors, "Songs.coredata is no store, but a model: see coredata model --help.")
        let text = try await CommandRun(
            "store", "fetch", try SampleModel.makeStore(in: cars.folder), "--entity", "Car", "--predicate",
            "maker == Fiat")
        expectEqual(text.status, 1)
        expectContains(text.errors, "If 'Fiat' is a text, write it in quotes: \"Fiat\".", "\(text.errors)")
    }

    @Test(
        "A diagram refuses a file that it can't write",
        arguments: [["x.png"], ["x.pdf"], ["x"], ["x.svg", "--format", "mermaid"], ["x.mmd", "--format", "svg"]])
    func diagrams(arguments: [String]) async throws {
        let file = cars.folder.path(arguments[0])
        let run = try await CommandRun(
            arguments: ["model", "diagram", cars.path(ofVersion: 1), "--output", file] + arguments.dropFirst())
        expectEqual(run.status, 64)
        expectContains(run.errors, arguments[0])
        expectFalse(FileManager.default.fileExists(atPath: file))
    }

    @Test("Completions for the shells", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) async throws {
        let run = try await CommandRun("--generate-completion-script", shell)
        expectEqual(run.status, 0)
        expectContains(run.output, "import")
    }

    @Test(
        "How words differ",
        arguments: [("fetch", "fetch", 0), ("fech", "fetch", 1), ("fecth", "fetch", 1), ("", "ab", 2)])
    func distance(left: String, right: String, expected: Int) {
        expectEqual(Misspelling.distance(left, right), expected)
        expectEqual(Misspelling.distance(right, left), expected)
    }
}
