import TestSupport
import Testing

@Suite("The programs in Examples")
struct ExampleProgramTests {
    @Test(
        "run to their end",
        arguments: [
            ("two-halves", "Sinnerman, Nina Simone, 10:18"), ("model-life", "Saved 1 run, with process ID 42"),
            ("entities-first", "Test Bank, Testville, zip 12345"), ("delivered-data", "CM1 is rated 2: in Essex"),
            ("migration-by-hand", "Ada | Lovelace | 1199 reports | Analysts"),
        ])
    func run(_ name: String, _ line: String) async throws {
        let run = try await ToolRun(ToolRun.product(name), [], in: TemporaryFolder())
        expectEqual(run.status, 0, "\(run.errors)")
        expectContains(run.output, line)
    }
}
