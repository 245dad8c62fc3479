import CoreData
import Testing

@Suite("coredata model diff")
struct ModelDiffTests {
    @Test("Equal models exit with 0 and a message")
    func equal() async throws {
        let folder = try TemporaryFolder()
        let path = try SampleModel.write(to: folder)
        let run = try await CommandRun("model", "diff", path, path)
        expectEqual(run.status, 0)
        expectEqual(run.lines, ["No differences."])
        expectEqual(run.errors, "")
    }

    @Test("Different models exit with 1, with a line for each difference and a summary")
    func different() async throws {
        let folder = try TemporaryFolder()
        let bundle = try VersionedSample.write(to: folder)
        let run = try await CommandRun("model", "diff", bundle + "/Cars.xcdatamodel", bundle)
        expectEqual(run.status, 1)
        expectEqual(run.errors, "")
        expectEqual(
            run.lines,
            [
                "* Car.owner: now required",
                "* Car.owner: destination Person → Human",
                "* Human: renamed from Person (renaming identifier)",
                "3 differences. Stores of the old model need migration. "
                    + """
                    Version hashes changed: Car, ExpensiveSportCar, Human, SportCar. The mapping can be inferred \
                    (lightweight migration).
                    """,
            ])
    }

    @Test("The versions of a single bundle are compared")
    func bundle() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("model", "diff", VersionedSample.write(to: folder))
        expectEqual(run.status, 1)
        expectEqual(run.lines.first, "Cars → Cars 2")
        expectEqual(run.lines.count, 5)
    }

    @Test("A migration that can't be inferred is reported with the reason", arguments: ["text", "json"])
    func notInferable(format: String) async throws {
        let folder = try TemporaryFolder()
        let changed = SampleModel.source.replacingOccurrences(
            of: #"name="maker" optional="YES" attributeType="String""#,
            with: #"name="maker" optional="YES" attributeType="Date""#)
        let path = try VersionedSample.writeModel(changed, to: folder.url.appendingPathComponent("New.xcdatamodel"))
        let run = try await CommandRun("model", "diff", SampleModel.write(to: folder), path, "--format", format)
        expectEqual(run.status, 1)
        if format == "text" {
            expectEqual(run.lines.first, "* Car.maker: type String → Date")
            expectEqual(
                run.lines.suffix(2),
                [
                    """
                    1 difference. Stores of the old model need migration. Version hashes changed: Car, \
                    ExpensiveSportCar, SportCar. The mapping can't be inferred (no lightweight migration), for 1 reason:
                    """,
                    """
                      Car.maker: Source and destination attribute types are incompatible. The type was String and is \
                    Date; give the attribute another name, or write a mapping model.
                    """,
                ])
        } else {
            let report = try requireValue(
                try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
            #expect(report["inferable"] as? Bool == false)
            let problem = try requireValue((report["inferenceProblems"] as? [[String: Any]])?.first)
            #expect(problem["entity"] as? String == "Car")
            #expect(problem["property"] as? String == "maker")
            #expect(problem["reason"] as? String == "Source and destination attribute types are incompatible")
        }
    }

    @Test("A change without effect on version hashes is distinguished")
    func noMigration() async throws {
        let folder = try TemporaryFolder()
        let changed = SampleModel.source.replacingOccurrences(
            of: #"deletionRule="Nullify""#, with: #"deletionRule="Cascade""#)
        let path = try VersionedSample.writeModel(changed, to: folder.url.appendingPathComponent("New.xcdatamodel"))
        let run = try await CommandRun("model", "diff", SampleModel.write(to: folder), path)
        expectEqual(run.status, 1)
        expectEqual(
            run.lines,
            [
                "  Car.owner: delete rule Nullify → Cascade", "  Person.cars: delete rule Nullify → Cascade",
                "2 differences. No version hash changed: old stores open without migration.",
            ])
    }

    @Test("A store is compared by the contents of its model cache")
    func store() async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        let run = try await CommandRun("model", "diff", store, VersionedSample.write(to: folder) + "/Cars.xcdatamodel")
        expectEqual(
            run.lines,
            [
                "  Car.color: transformer ColorTransformer added",
                "1 difference. No version hash changed: old stores open without migration.",
            ])
    }

    @Test("--format json has the same contents")
    func json() async throws {
        let folder = try TemporaryFolder()
        let bundle = try VersionedSample.write(to: folder)
        let run = try await CommandRun("model", "diff", bundle + "/Cars.xcdatamodel", bundle, "--format", "json")
        expectEqual(run.status, 1)
        let report = try requireValue(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(report["equal"] as? Bool == false)
        #expect(report["needsMigration"] as? Bool == true)
        let differences = try requireValue(report["differences"] as? [[String: Any]])
        expectEqual(
            differences.map { $0["text"] as? String },
            [
                "Car.owner: now required", "Car.owner: destination Person → Human",
                "Human: renamed from Person (renaming identifier)",
            ])
        expectEqual(differences.map { $0["kind"] as? String }, ["changed", "changed", "renamed"])
    }

    @Test("Errors exit with 2 and the name of the file", arguments: ["missing", "single"])
    func failures(kind: String) async throws {
        let folder = try TemporaryFolder()
        let path = try SampleModel.write(to: folder)
        let arguments = ["model", "diff"] + (kind == "missing" ? [path, folder.path("nothing.mom")] : [path])
        let run = try await CommandRun(arguments: arguments)
        expectEqual(run.status, 2)
        expectEqual(run.output, "")
        expectContains(run.errors, kind == "missing" ? "nothing.mom" : "Cars.xcdatamodel")
    }
}
