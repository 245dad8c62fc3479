import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata: on a terminal")
struct TerminalTests {
    @Test("A table fits the terminal")
    func fits() async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        let run = try await TerminalRun(["store", "fetch", store, "--entity", "Car"], width: 50)
        expectEqual(run.status, 0)
        let table = run.lines.prefix(6)
        expectEqual(table.count, 6)
        #expect(table.allSatisfy { TerminalText.width(of: $0) <= 50 }, "\(run.text)")
        expectContains(run.text, "4 objects")
        expectContains(run.text, "not shown: ")
    }

    @Test("A migration that deletes objects asks", arguments: [("y\n", true), ("n\n", false), ("\n", false)])
    func question(answer: String, isMigrated: Bool) async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        var text = SampleModel.source
        for name in ["ExpensiveSportCar", "SportCar"] {
            let start = try requireValue(text.range(of: "    <entity name=\"\(name)\""))
            let rest = text[start.lowerBound...]
            let line = try requireValue(rest.firstIndex(of: "\n"))
            let isShort = rest[..<line].hasSuffix("/>")
            let end = isShort ? line : try requireValue(rest.range(of: "</entity>")).upperBound
            text.removeSubrange(start.lowerBound..<end)
        }
        try folder.write(text, to: "New.xcdatamodel/contents")
        let run = try await TerminalRun(
            ["store", "migrate", store, "--model", folder.path("New.xcdatamodel")], input: answer)
        expectContains(run.text, "  SportCar: 1 object", "\(run.text)")
        expectContains(run.text, "Delete 1 object? [y/N]", "\(run.text)")
        expectEqual((run.status == 0), isMigrated)
        expectContains(run.text, isMigrated ? "is migrated." : "The store stays as it is.")
    }
}
