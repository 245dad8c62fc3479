import CoreData
import Testing

/// Fetches that are longer than a page.
@Suite("coredata store fetch: pages")
struct FetchPagesTests {
    private func run(_ arguments: String...) async throws -> CommandRun {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder, carCount: 2_500)
        return try await CommandRun(arguments: ["store", "fetch", store, "--entity", "Car"] + arguments)
    }

    private func column(_ index: Int, of run: CommandRun) -> [String] {
        run.output.components(separatedBy: "\r\n").dropFirst().dropLast().map {
            $0.components(separatedBy: ",")[index]
        }
    }

    @Test("Each object is printed once, in the order of the primary keys")
    func all() async throws {
        let run = try await run("--format", "csv")
        expectEqual(run.errors, "")
        let keys = column(0, of: run).compactMap { Int($0.components(separatedBy: "/p")[1]) }
        expectEqual(keys.count, 2_504)
        #expect(keys == keys.sorted() && Set(keys).count == keys.count)
    }

    @Test("A descending order of the primary keys is read in pages too")
    func descending() async throws {
        let run = try await run("--format", "csv", "--sort", "self:desc")
        let keys = column(0, of: run).compactMap { Int($0.components(separatedBy: "/p")[1]) }
        expectEqual(keys.count, 2_504)
        expectEqual(keys, keys.sorted(by: >))
    }

    @Test("An order by an attribute goes through all pages")
    func sorted() async throws {
        let run = try await run("--format", "csv", "--sort", "numberPlate:desc")
        expectEqual(run.errors, "")
        let plates = column(5, of: run)
        expectEqual(plates.count, 2_504)
        expectEqual(plates, plates.sorted(by: >))
    }

    @Test("The offset and the limit count objects across pages", arguments: [[], ["--sort", "numberPlate"]])
    func part(order: [String]) async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder, carCount: 2_500)
        let fetch = ["store", "fetch", store, "--entity", "Car", "--format", "csv"] + order
        let all = try await CommandRun(arguments: fetch)
        let part = try await CommandRun(arguments: fetch + ["--offset", "700", "--limit", "1500"])
        expectEqual(part.errors, "")
        expectEqual(column(0, of: part), Array(column(0, of: all)[700..<2_200]))
        let end = try await CommandRun(arguments: fetch + ["--offset", "2503"])
        expectEqual(column(0, of: end), Array(column(0, of: all)[2_503...]))
    }

    @Test("Values of each object are read in pages")
    func values() async throws {
        let run = try await run("--fetch", "numberPlate,owner.firstName", "--format", "csv", "--offset", "4")
        expectEqual(run.errors, "")
        let plates = column(0, of: run)
        #expect(plates.count == 2_500 && Set(plates).count == 2_500)
        expectEqual(Set(column(1, of: run)).subtracting([""]), ["Ada"])
    }

    @Test("Aggregates and groups are not cut into pages")
    func aggregates() async throws {
        let sum = try await run("--fetch", "n=count:(SELF)", "--format", "csv")
        expectEqual(sum.output, "n\r\n2504\r\n")
        let groups = try await run(
            "--fetch", "maker,n=count:(SELF)", "--group-by", "maker", "--having", "n > 1", "--format", "csv")
        expectEqual(groups.output, "maker,n\r\nFiat,2500\r\n")
    }

    @Test(
        "The number alone",
        arguments: [
            (["--count"], "2504\n"), (["--count", "--predicate", "maker == 'Fiat'"], "2500\n"),
            (["--count", "--limit", "10"], "10\n"), (["--count", "--offset", "2500"], "4\n"),
            (["--count", "--fetch", "maker", "--distinct"], "5\n"),
            (["--count", "--format", "json"], "[\n  {\"count\":2504}\n]\n"),
            (["--count", "--format", "jsonl"], "{\"count\":2504}\n"),
        ])
    func count(arguments: [String], output: String) async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder, carCount: 2_500)
        let run = try await CommandRun(arguments: ["store", "fetch", store, "--entity", "Car"] + arguments)
        expectEqual(run.errors, "")
        expectEqual(run.output, output)
    }

    @Test("The first rows are printed before the last ones are read")
    func firstRows() async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder, carCount: 2_500)
        // A number plate with bytes in the last row: the first page doesn't look for it.
        try SQLiteFile(creating: URL(fileURLWithPath: store)).run(
            "UPDATE ZCAR SET ZMAKER = x'00' WHERE Z_PK = (SELECT max(Z_PK) FROM ZCAR)")
        let head = try await CommandRun("store", "fetch", store, "--entity", "Car", "--limit", "1000")
        expectEqual(head.status, 0)
        expectEqual(head.errors, "")
        let all = try await CommandRun("store", "fetch", store, "--entity", "Car", "--format", "csv")
        expectEqual(all.status, 2)
        expectContains(all.errors, "Car.maker of the object with Z_PK 2504", "\(all.errors)")
        expectEqual(column(0, of: all).count, 2_504)
    }
}
