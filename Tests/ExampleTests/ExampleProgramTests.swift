import TestSupport
import Testing

@Suite("The stories in Examples")
struct ExampleProgramTests {
    @Test(
        "run to their end",
        arguments: [
            ("two-halves", "Sinnerman, Nina Simone, 10:18"), ("model-life", "Saved 1 run, with process ID 42"),
            ("entities-first", "Test Bank, Testville, zip 12345"), ("delivered-data", "CM1 is rated 2: in Essex"),
            ("migration-by-hand", "Ada | Lovelace | 1199 reports | Analysts"),
        ])
    func run(_ name: String, _ line: String) async throws {
        let run = try await ToolRun(ToolRun.product("stories"), [name], in: TemporaryFolder())
        expectEqual(run.status, 0, "\(run.errors)")
        expectContains(run.output, line)
    }

    @Test("an unknown one ends the program with the names of the others")
    func unknown() async throws {
        let run = try await ToolRun(ToolRun.product("stories"), ["two-thirds"], in: TemporaryFolder())
        expectEqual(run.status, 64)
        expectContains(run.output, "There is no story 'two-thirds'. The stories: two-halves, model-life")
    }
}
