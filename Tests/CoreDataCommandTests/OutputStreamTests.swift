import CoreData
import Testing

@Suite("coredata: the output stream")
struct OutputStreamTests {
    /// Runs the command in a shell, which redirects the output.
    private func shell(_ script: String, _ arguments: String...) async throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, CommandRun.executable.path] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }

    @Test("A closed pipe ends the command without an error, and no files remain beside the store")
    func readerGone() async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        let storeFolder = URL(fileURLWithPath: store).deletingLastPathComponent()
        let before = try TemporaryFolder.contents(of: storeFolder)
        // The reader closes the pipe before the first write.
        let script =
            """
            { sleep 0.2; \"$0\" store fetch \"$1\" --entity Car; echo $? > \"$2\"; } | true; while [ ! -s \"$2\" \
            ]; do sleep 0.05; done
            """
        _ = try await shell(script, store, folder.path("status"))
        try expectEqual(String(contentsOf: folder.url.appendingPathComponent("status"), encoding: .utf8), "0\n")
        try expectEqual(TemporaryFolder.contents(of: storeFolder), before)
    }

    @Test("An output that can't be written is an error", arguments: [">&-", "> /dev/full"])
    func fullDisk(redirection: String) async throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        try await expectEqual(shell("\"$0\" store info \"$1\" \(redirection)", store), 1)
        try await expectEqual(shell("\"$0\" store info \"$1\"", store), 0)
    }
}
