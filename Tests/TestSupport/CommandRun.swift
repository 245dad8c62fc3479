import Foundation

/// One run of the built `coredata` in a process.
public struct CommandRun {
    public let status: Int32
    public let output: String
    public let errors: String

    /// The lines of the output.
    public var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// Runs the command and waits for its end.
    public init(_ arguments: String...) async throws {
        try await self.init(arguments: arguments)
    }

    /// Runs the command and waits for its end.
    public init(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let outputURL = folder.url.appendingPathComponent("output")
        let errorsURL = folder.url.appendingPathComponent("errors")
        // Files, not pipes: a full pipe that isn't read blocks the writer.
        try Data().write(to: outputURL)
        try Data().write(to: errorsURL)
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: outputURL)
        process.standardError = try FileHandle(forWritingTo: errorsURL)
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        self.status = status
        output = String(decoding: try Data(contentsOf: outputURL), as: UTF8.self)
        errors = String(decoding: try Data(contentsOf: errorsURL), as: UTF8.self)
    }

    /// The product is beside the test bundle.
    public static var executable: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("coredata")
    }
}
