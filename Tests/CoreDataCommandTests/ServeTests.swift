import Foundation
import TestSupport
import Testing

@Suite("coredata serve")
struct ServeTests {
    private func run(_ path: String, _ arguments: String...) async throws -> ToolRun {
        try await ToolRun(CommandRun.executable, ["serve"] + arguments, environment: ["PATH": path])
    }

    @Test("runs the program coredata-serve of a folder of PATH, with the same arguments")
    func handsOver() async throws {
        let folder = try TemporaryFolder()
        let program = folder.file("coredata-serve")
        try "#!/bin/sh\necho \"$@\"\nexit 3\n".write(to: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let run = try await run("/none:\(folder.url.path):/bin", "Lists.momd", "--store", "a b.sqlite", "--help")
        expectEqual(run.output, "Lists.momd --store a b.sqlite --help\n")
        expectEqual(run.status, 3)
    }

    @Test("says how to get the program where it isn't")
    func missing() async throws {
        let run = try await run("/none", "Lists.momd")
        expectEqual(run.status, 1)
        expectContains(run.errors, "There is no program coredata-serve.")
        expectContains(run.errors, "swift build -c release --product coredata-serve")
        let help = try await self.run("/none", "--help")
        expectEqual(help.status, 0)
        expectContains(help.output, "coredata-serve")
    }
}
