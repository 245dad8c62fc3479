import CoreData
import Testing

@Suite("coredata store diff")
struct StoreDiffTests {
    private let old: ImportSample
    private let new: ImportSample

    init() throws {
        old = try ImportSample()
        new = try ImportSample()
    }

    /// Fills a store from JSON lines of persons and cars.
    private func fill(_ sample: ImportSample, people: String, cars: String = "") async throws {
        _ = try await sample.run(try sample.file("p.jsonl", people), "Person")
        if !cars.isEmpty { _ = try await sample.run(try sample.file("c.jsonl", cars), "Car") }
    }

    private func diff(_ arguments: String...) async throws -> CommandRun {
        try await CommandRun(arguments: ["store", "diff", old.store, new.store] + arguments)
    }

    @Test("Objects of different stores are matched by their unique attributes")
    func unique() async throws {
        try await fill(
            old, people: "{\"name\":\"Ada\",\"email\":\"a\",\"age\":1}\n{\"name\":\"Bob\",\"email\":\"b\"}\n",
            cars: "{\"plate\":\"P\",\"owner\":\"a\"}\n")
        try await fill(
            new,
            people: "{\"name\":\"Cy\",\"email\":\"c\"}\n{\"name\":\"Bob\",\"email\":\"b\"}\n"
                + "{\"name\":\"Ada\",\"email\":\"a\",\"age\":2}\n",
            cars: "{\"plate\":\"P\",\"owner\":\"b\"}\n")
        let run = try await diff("--entity", "Person,Car")
        expectEqual(run.status, 1)
        expectEqual(run.errors, "")
        expectEqual(
            run.output,
            """
            ~ Car D, P
                owner: - Person a, + Person b
            Car: 1 changed
            ~ Person a
                age: 1 → 2
                cars: - Car D, P
            ~ Person b
                cars: + Car D, P
            + Person c
            Person: 1 only in \(new.store), 2 changed

            """)
        let summary = try await diff("--summary", "--entity", "Person", "--ignore", "age,cars")
        expectEqual(summary.output, "Person: 1 only in \(new.store), 2 equal\n")
    }

    @Test("A copy is matched by primary keys, and equal stores exit with 0")
    func key() async throws {
        try await fill(old, people: "{\"name\":\"Ada\"}\n{\"name\":\"Ada\"}\n")
        _ = try await CommandRun("store", "backup", old.store, new.store)
        let equal = try await diff("--summary")
        expectEqual(equal.status, 0, "\(equal.output)\(equal.errors)")
        expectContains(equal.lines, "Person: 2 equal")
        let change = try new.file("e.csv", "objectID,name\nPerson/p2,Eve\n")
        _ = try await new.run(change, "Person", "--same-store")
        let run = try await diff("--format", "jsonl", "--entity", "Person")
        expectEqual(run.status, 1)
        let lines = try run.lines.map {
            try requireValue(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        try #require(lines.count == 2)
        #expect(lines[0]["object"] as? String == "Person/p2")
        let values = try requireValue(lines[0]["values"] as? [[String: Any]])
        #expect(values[0]["a"] as? String == "Ada" && values[0]["b"] as? String == "Eve")
        #expect(lines[1]["changed"] as? Int == 1 && lines[1]["equal"] as? Int == 1)
    }

    @Test("Objects without a key are counted, and an entity of one store is named")
    func counted() async throws {
        try await fill(old, people: "{\"name\":\"Ada\",\"email\":\"a\"}\n")
        try await fill(new, people: "{\"name\":\"Ada\",\"email\":\"a\"}\n")
        _ = try await new.run(try new.file("n.jsonl", "{\"text\":\"x\"}\n"), "Note")
        let run = try await diff("--entity", "Note")
        expectEqual(run.status, 1)
        expectEqual(
            run.output, "Note: 1 only in \(new.store) (without unique attributes, counted only: 0 and 1)\n")
        let cars = try SampleModel.makeStore(in: old.folder)
        let other = try await CommandRun("store", "diff", old.store, cars, "--summary")
        expectEqual(other.status, 1)
        expectContains(other.output, "Note: no objects (only \(old.store) has the entity)", "\(other.output)")
    }

    @Test("Long stores are compared in pages")
    func pages() async throws {
        let rows = (0..<2_500).map { "{\"name\":\"\($0)\",\"email\":\"\($0)\"}" }
        try await fill(old, people: rows.joined(separator: "\n"))
        try await fill(new, people: rows.reversed().dropFirst().joined(separator: "\n"))
        let run = try await diff("--summary", "--entity", "Person")
        expectEqual(run.output, "Person: 1 only in \(old.store), 2499 equal\n", "\(run.errors)")
    }

    @Test("A missing store exits with 2")
    func missing() async throws {
        let run = try await diff()
        expectEqual(run.status, 2)
        expectContains(run.errors, "Garage.sqlite")
    }
}
