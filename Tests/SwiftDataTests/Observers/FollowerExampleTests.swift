import TestSupport

/// The example in a terminal that follows another process.
@Suite(.timeLimit(.minutes(TestRun.hangMinutes))) struct FollowerExampleTests {
    private static var executable: URL {
        CommandRun.executable.deletingLastPathComponent().appendingPathComponent("follow-models")
    }

    private func start(_ arguments: String...) throws -> (process: Process, output: Pipe) {
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output)
    }

    /// The lines that a process prints.
    private static func lines(of pipe: Pipe) -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        let thread = Thread {
            var rest = ""
            while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
                rest += String(decoding: data, as: UTF8.self)
                while let end = rest.firstIndex(of: "\n") {
                    continuation.yield(String(rest[..<end]))
                    rest = String(rest[rest.index(after: end)...])
                }
            }
            continuation.finish()
        }
        thread.start()
        return lines
    }

    @Test func changesOfOtherProcessesArePrinted() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("dishes.store")
        let follower = try start("follow", path, "2")
        var lines = Self.lines(of: follower.output).makeAsyncIterator()
        await expectEqual(lines.next(), "nothing to serve")
        try start("add", path, "Soup").process.waitUntilExit()
        await expectEqual(lines.next(), "Soup")
        try start("serve", path, "Soup").process.waitUntilExit()
        await expectEqual(lines.next(), "nothing to serve")
        follower.process.waitUntilExit()
        expectEqual(follower.process.terminationStatus, 0)
    }
}
