import CoreData
import Testing

@Suite("coredata store fetch --fetch")
struct StoreValuesTests {
    private func run(_ arguments: String...) async throws -> CommandRun {
        let folder = try TemporaryFolder()
        return try await CommandRun(
            arguments: ["store", "fetch", try SampleModel.makeStore(in: folder), "--entity", "Car"] + arguments)
    }

    @Test("values of each object are printed in the order of --fetch")
    func values() async throws {
        let run = try await run(
            "--fetch", "maker,owner.firstName, letters=length:(maker)", "--sort", "letters:desc,maker", "--limit", "3")
        expectEqual(run.errors, "")
        expectEqual(
            run.lines,
            [
                "maker     owner.firstName  letters", "--------  ---------------  -------",
                "Borgward  Ada              8", "Citroën   Ada              7",
                "Porsche                    7", "3 rows",
            ])
    }

    @Test("groups are counted, filtered and sorted by name")
    func groups() async throws {
        let run = try await run(
            "--fetch", "owner.firstName,n=count:(SELF),last=max:(maker)", "--group-by", "owner.firstName", "--having",
            "n > 1", "--format", "csv")
        expectEqual(run.errors, "")
        expectEqual(run.output, "owner.firstName,n,last\r\nAda,3,Citroën\r\n")
    }

    @Test("distinct values, and groups by name, as JSON")
    func json() async throws {
        let distinct = try await run("--fetch", "owner", "--distinct", "--sort", "owner:desc", "--format", "json")
        expectEqual(distinct.errors, "")
        let owners = try requireValue(
            try JSONSerialization.jsonObject(with: Data(distinct.output.utf8)) as? [[String: Any]])
        try #require(owners.count == 2)
        expectEqual((owners[0]["owner"] as? String)?.hasPrefix("x-coredata://"), true)
        #expect(owners[1]["owner"] is NSNull)
        let grouped = try await run(
            "--fetch", "letters=length:(maker),n=count:(SELF)", "--group-by", "letters", "--format", "json")
        expectEqual(grouped.errors, "")
        expectEqual(
            grouped.output,
            "[\n  {\"letters\":4,\"n\":1},\n  {\"letters\":7,\"n\":2},\n  {\"letters\":8,\"n\":1}\n]\n")
    }

    @Test(
        "what can't be fetched is named",
        arguments: [
            (["--fetch", "wheels"], "wheels"), (["--fetch", "maker,n=count:(SELF)"], "maker"),
            (["--fetch", "x=sum:(wheels)"], "wheels"),
            (["--fetch", "n=count:(SELF)", "--group-by", "maker", "--having", "wheels > 1"], "wheels"),
            (["--fetch", "maker", "--sort", "wheels"], "wheels"),
        ])
    func errors(arguments: [String], part: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(
            arguments: ["store", "fetch", try SampleModel.makeStore(in: folder), "--entity", "Car"] + arguments)
        expectEqual(run.status, 1)
        expectEqual(run.output, "", "\(run.errors)")
        expectContains(run.errors, part, "\(run.errors)")
    }

    @Test(
        "mistakes of usage exit with 64",
        arguments: [
            ["--fetch", "maker,,model"], ["--fetch", "count:("], ["--fetch", "a=maker,a=model"],
            ["--group-by", "maker"], ["--distinct"],
            ["--fetch", "maker", "--having", "maker == 'a'"],
            ["--fetch", "maker", "--group-by", "maker", "--having", "maker =="],
        ])
    func usage(arguments: [String]) async throws {
        let run = try await CommandRun(arguments: ["store", "fetch", "x.sqlite", "--entity", "E"] + arguments)
        expectEqual(run.status, 64)
        expectEqual(run.output, "")
        expectContains(run.errors, "Error: ")
    }
}
