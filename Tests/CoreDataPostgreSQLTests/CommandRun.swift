import Foundation
import TestSupport

/// One run of the built `coredata`, with arguments for `coredata store`.
struct CommandRun {
    let status: Int32
    let output: String
    let errors: String

    init(_ arguments: String...) async throws { try await self.init(arguments) }

    init(_ arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let (outputURL, errorsURL) = (folder.file("output"), folder.file("errors"))
        // Files, not pipes: a full pipe that isn't read blocks the writer.
        try Data().write(to: outputURL)
        try Data().write(to: errorsURL)
        let process = Process()
        // The product is beside the test bundle.
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("coredata")
        process.arguments = ["store"] + arguments
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
}
