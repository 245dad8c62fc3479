import CoreData
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
        #expect(readme.contains("```swift\n\(program)```"))
        #expect(program.split(separator: "\n").count <= 22)
    }

    @Test("The example runs and prints what it says")
    func runs() async throws {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = CommandRun.executable.deletingLastPathComponent().appendingPathComponent("readme")
        process.currentDirectoryURL = folder.url
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        #expect(status == 0)
        #expect(String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) == "So What\n")
        #expect(FileManager.default.fileExists(atPath: folder.path("Music.sqlite")))
    }
}
