import CoreData
import Testing

@Suite("coredata model")
struct ModelCommandTests {
    @Test("hashes prints Apple's hash of each entity, sorted by name")
    func hashes() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("model", "hashes", SampleModel.write(to: folder))
        expectEqual(run.errors, "")
        expectEqual(run.lines, SampleModel.hashes)
        expectEqual(run.status, 0)
    }

    @Test("hashes of a store are read from its metadata")
    func hashesOfStore() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("model", "hashes", SampleModel.makeStore(in: folder))
        expectEqual(run.errors, "")
        expectEqual(run.lines, SampleModel.hashes)
    }

    @Test("show prints entities with their properties")
    func show() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("model", "show", SampleModel.write(to: folder))
        expectEqual(run.errors, "")
        expectContains(run.lines, "SportCar : Car")
        expectContains(run.lines, "  class Person")
        expectContains(run.lines, "  unique (firstName, lastName)")
        #expect(
            run.lines.contains {
                $0.hasPrefix("    numberPlate ") && $0.contains("  String  ") && $0.hasSuffix("  required")
            })
        #expect(run.lines.contains { $0.hasPrefix("    owner  to-one Person  inverse cars, nullify") })
    }

    @Test("show reads the model cached in a store")
    func showOfStore() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("model", "show", SampleModel.makeStore(in: folder))
        expectEqual(run.errors, "")
        expectContains(run.lines, "ExpensiveSportCar : SportCar")
    }

    @Test("A missing file is an error with its name, on standard error", arguments: ["show", "hashes"])
    func missingFile(verb: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("model", verb, folder.path("nothing.xcdatamodel"))
        expectEqual(run.status, 1)
        expectEqual(run.output, "")
        expectTrue(run.errors.hasPrefix("Error: "))
        expectContains(run.errors, "nothing.xcdatamodel")
    }

    @Test("A file that is no model is an error with its name")
    func textFile() async throws {
        let folder = try TemporaryFolder()
        try Data("Dear Sir or Madam".utf8).write(to: folder.url.appendingPathComponent("letter.mom"))
        let run = try await CommandRun("model", "hashes", folder.path("letter.mom"))
        expectEqual(run.status, 1)
        expectContains(run.errors, "letter.mom")
    }
}
