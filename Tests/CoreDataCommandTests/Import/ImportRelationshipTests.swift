import CoreData
import Testing

@Suite("coredata store import: relationships")
struct ImportRelationshipTests {
    private let sample: ImportSample

    init() throws { sample = try ImportSample() }

    private func people() async throws {
        let file = try sample.file("people.csv", "name,email,age\nAda,ada@x,36\nAlan,alan@x,41\nAlan,b@x,1\n")
        _ = try await sample.run(file, "Person")
    }

    @Test("An object is named by its unique attribute, or by the attribute in the column's name")
    func toOne() async throws {
        try await people()
        let byKey = try sample.file("a.csv", "plate,owner\nA,ada@x\nB,\nC,nobody@x\n")
        let run = try await sample.run(byKey, "Car")
        expectEqual(run.output, "3 rows: 2 inserted, 1 refused.\n")
        expectContains(run.errors, ":4: refused: owner: no Person has email 'nobody@x'.")
        let byName = try sample.file("b.csv", "plate,country,owner.name\nD,D,Ada\nE,D,Alan\n")
        let second = try await sample.run(byName, "Car")
        expectContains(second.errors, ":3: refused: owner: more than one Person has name 'Alan'.")
        let byObject = try sample.file("c.json", "[{\"plate\":\"F\",\"owner\":{\"age\":41}}]")
        try await expectEqual(sample.run(byObject, "Car").output, "1 row: 1 inserted.\n")
        try await expectEqual(
            sample.values("Car", "plate,owner.email", sort: "plate"),
            ["A,ada@x", "B,", "D,ada@x", "F,alan@x"])
    }

    @Test("Several objects are an array or have semicolons between them, and may follow in the file")
    func toMany() async throws {
        try await people()
        let file = try sample.file(
            "a.csv", "name,email,friends\nX,x@x,ada@x; y@x\nY,y@x,\"[\"\"ada@x\"\",\"\"x@x\"\"]\"\nZ,z@x,none@x\n")
        let run = try await sample.run(file, "Person")
        expectEqual(run.output, "3 rows: 2 inserted, 1 refused.\n", "\(run.errors)")
        try await expectEqual(
            sample.values("Person", "email,n=friends.@count", sort: "email"),
            ["ada@x,2", "alan@x,0", "b@x,0", "x@x,2", "y@x,2"])
        let clear = try sample.file("b.json", "[{\"email\":\"x@x\",\"friends\":[]}]")
        try await expectEqual(sample.run(clear, "Person").output, "1 row: 1 updated.\n")
        try await expectEqual(sample.values("Person", "n=friends.@count", sort: "email").first, "1")
    }

    @Test("A destination without a unique attribute, or with several, says what to write")
    func ambiguous() async throws {
        try await people()
        let file = try sample.file("a.csv", "name,email,cars\nX,x@x,A\n")
        let run = try await sample.run(file, "Person")
        #expect(run.output == "1 row: 1 inserted.\n" || run.errors.contains("no Car has chassis 'A'"))
    }

    @Test("IDs count in their own store")
    func ids() async throws {
        try await people()
        _ = try await sample.run(try sample.file("a.csv", "plate,owner\nA,ada@x\nB,alan@x\n"), "Car")
        for format in ["csv", "json", "jsonl"] {
            let export = try await CommandRun(
                "store", "fetch", sample.store, "--entity", "Car", "--format", format, "--sort", "plate")
            let file = try sample.file("export.\(format)", export.output)
            let other = try ImportSample()
            let refused = try await other.run(file, "Car")
            expectEqual(refused.status, 2)
            expectContains(refused.errors, "--attributes-only", "\(refused.errors)")
            let attributes = try await other.run(file, "Car", "--attributes-only")
            expectEqual(attributes.output, "2 rows: 2 inserted.\n", "\(attributes.errors)")
            let own = try await sample.run(file, "Car", "--same-store")
            expectEqual(own.output, "2 rows: 2 unchanged.\n", "\(own.errors)")
        }
        let edited = try sample.file("edited.csv", "objectID,plate,owner\nCar/p1,Z,Person/p2\nCar/p99,Y,\n")
        let run = try await sample.run(edited, "Car", "--same-store")
        expectEqual(run.output, "2 rows: 1 updated, 1 refused.\n")
        expectContains(run.errors, ":3: refused: the store has no object Car/p99. It may have been deleted.")
    }

    @Test("A row may be of a subentity")
    func subentity() async throws {
        let file = try sample.file(
            "a.jsonl",
            "{\"entity\":\"SportCar\",\"plate\":\"A\",\"power\":500}\n{\"plate\":\"B\"}\n"
                + "{\"plate\":\"C\",\"power\":1}\n"
                + "{\"entity\":\"Person\",\"plate\":\"D\"}\n")
        let run = try await sample.run(file, "Car")
        expectEqual(run.output, "4 rows: 2 inserted, 2 refused.\n")
        expectContains(run.errors, ":3: refused: Car has no property 'power'.", "\(run.errors)")
        expectContains(run.errors, ":4: refused: 'Person' is no Car.")
        try await expectEqual(sample.values("SportCar", "plate,power", sort: "plate"), ["A,500"])
    }
}
