import CoreData
import Testing

@Suite("coredata store")
struct StoreCommandTests {
    @Test("info prints metadata and counts without subentities")
    func info() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("store", "info", SampleModel.makeStore(in: folder))
        expectEqual(run.errors, "")
        expectEqual(run.status, 0)
        expectContains(run.lines, "  NSStoreType: SQLite")
        expectContains(run.lines, "  NSStoreModelVersionHashes: 4 entities")
        expectEqual(
            Array(run.lines.dropFirst().prefix(5)),
            [
                "Entities:", "  Car                3", "  ExpensiveSportCar  0", "  Person             2",
                "  SportCar           1",
            ])
    }

    @Test("fetch prints a table, sorted and limited")
    func table() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(
            "store", "fetch", try SampleModel.makeStore(in: folder), "--entity", "Car", "--sort", "maker:desc",
            "--limit", "2")
        expectEqual(run.errors, "")
        expectEqual(run.lines.count, 5)
        expectTrue(
            run.lines[0].hasPrefix("objectID     color  maker    markedForDeletionAsOf  model  numberPlate  owner"))
        expectTrue(run.lines[2].hasPrefix("SportCar/p"))
        expectContains(run.lines[2], "Porsche")
        expectContains(run.lines[3], "Citroën")
        expectContains(run.lines[3], "Person/p")
        expectEqual(run.lines[4], "2 objects")
    }

    @Test("fetch filters by a predicate across a relationship")
    func predicate() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(
            "store", "fetch", try SampleModel.makeStore(in: folder), "--entity", "Car", "--format", "csv", "--sort",
            "maker",
            "--predicate", "owner.firstName == 'Ada' AND maker CONTAINS[cd] 'o'")
        expectEqual(run.errors, "")
        let makers = run.output.components(separatedBy: "\r\n").dropFirst().dropLast().map {
            $0.split(separator: ",", omittingEmptySubsequences: false)[2]
        }
        expectEqual(makers, ["Borgward", "Citroën"])
    }

    @Test("fetch prints JSON with every value")
    func json() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(
            "store", "fetch", try SampleModel.makeStore(in: folder), "--entity", "Person", "--format", "json", "--sort",
            "firstName")
        expectEqual(run.errors, "")
        let people = try requireValue(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
        try #require(people.count == 2)
        #expect(people[0]["firstName"] as? String == "Ada")
        #expect(people[0]["updatedAt"] as? String == "2001-01-01T00:00:00Z")
        expectEqual((people[0]["cars"] as? [String])?.count, 3)
        #expect(people[1]["lastName"] as? String == "Hopper, \"Admiral\"")
        expectEqual((people[1]["objectID"] as? String)?.hasPrefix("x-coredata://"), true)
        #expect(people[1]["entity"] as? String == "Person")
    }

    @Test(
        "Reading doesn't change a store",
        arguments: [["info"], ["fetch", "--entity", "Car", "--format", "json"]])
    func readOnly(verb: [String]) async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        let storeFolder = URL(fileURLWithPath: store).deletingLastPathComponent()
        let before = try TemporaryFolder.contents(of: storeFolder)
        let run = try await CommandRun(arguments: ["store", verb[0], store] + verb.dropFirst())
        expectEqual(run.status, 0)
        expectEqual(run.errors, "")
        try expectEqual(TemporaryFolder.contents(of: storeFolder), before)
    }

    @Test("An unknown entity, key or model is an error with its name")
    func unknown() async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        for (arguments, name) in [
            (["--entity", "Boat"], "Boat"),
            (["--entity", "Car", "--predicate", "wheels > 3"], "wheels"),
            (["--entity", "Car", "--predicate", "owner.wheels > 3"], "wheels"),
            (["--entity", "Car", "--sort", "wheels"], "wheels"),
            (["--entity", "Car", "--sort", "owner"], "owner"),
            (["--entity", "Car", "--model", folder.path("none.mom")], "none.mom"),
        ] {
            let run = try await CommandRun(arguments: ["store", "fetch", store] + arguments)
            expectEqual(run.status, 1)
            expectEqual(run.output, "")
            expectContains(run.errors, name)
        }
    }

    @Test("A store with other version hashes than the model is refused with Apple's code")
    func otherModel() async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        let other = folder.url.appendingPathComponent("Other.xcdatamodel")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        let text = SampleModel.source.replacingOccurrences(
            of: "<attribute name=\"maker\"", with: "<attribute name=\"builder\"")
        try Data(text.utf8).write(to: other.appendingPathComponent("contents"))
        let run = try await CommandRun("store", "info", store, "--model", other.path)
        expectEqual(run.status, 1)
        expectContains(run.errors, "134100")
    }

    @Test("A file that is no store is an error with its name, and doesn't change")
    func noStore() async throws {
        let folder = try TemporaryFolder()
        try Data("Dear Sir or Madam".utf8).write(to: folder.url.appendingPathComponent("letter.sqlite"))
        try Data().write(to: folder.url.appendingPathComponent("empty.sqlite"))
        let before = try TemporaryFolder.contents(of: folder.url)
        for name in ["letter.sqlite", "empty.sqlite", "missing.sqlite"] {
            let run = try await CommandRun("store", "info", folder.path(name))
            expectEqual(run.status, 1)
            expectContains(run.errors, name)
        }
        try expectEqual(TemporaryFolder.contents(of: folder.url), before)
    }
}
