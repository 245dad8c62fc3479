import Foundation
import TestSupport
import Testing

@Suite("README")
struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("The example is the program in Examples/Readme, and has about twenty lines")
    func sameText() throws {
        let readme = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
        let program = try String(
            contentsOf: Self.root.appendingPathComponent("Examples/Readme/main.swift"), encoding: .utf8)
        expectContains(readme, "```swift\n\(program)```")
        #expect(program.split(separator: "\n").count <= 22)
    }

    @Test("The example runs and prints what it says")
    func runs() async throws {
        let folder = try TemporaryFolder()
        let run = try await ToolRun(ToolRun.product("readme"), [], in: folder)
        expectEqual(run.status, 0)
        expectEqual(run.output, "So What\n")
        expectTrue(FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("Music.sqlite").path))
    }
}
