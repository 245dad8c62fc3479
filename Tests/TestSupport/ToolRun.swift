import Foundation

/// One run of a tool in a process.
///
/// A few run at once, and the others wait for their turn: all tests of a process begin at once. Hundreds of tools would
/// each take minutes, and the process would have more open files than `Process` on Linux can list.
public struct ToolRun: Sendable {
    public let status: Int32
    public let output: String
    public let errors: String

    /// Runs a tool and waits for its end.
    ///
    /// - Parameters:
    ///   - work: the current folder of the process, and where it makes temporary files; nil for those of this process.
    ///   - environment: variables that the process gets beside those of this one.
    public init(
        _ executable: URL, _ arguments: [String], in work: TemporaryFolder? = nil, environment: [String: String] = [:]
    ) async throws {
        await ProcessSlots.shared.take()
        do {
            self = try await ToolRun(executable, now: arguments, in: work, environment)
        } catch {
            await ProcessSlots.shared.giveBack()
            throw error
        }
        await ProcessSlots.shared.giveBack()
    }

    private init(
        _ executable: URL, now arguments: [String], in work: TemporaryFolder?, _ environment: [String: String]
    ) async throws {
        let folder = try TemporaryFolder()
        let outputURL = folder.url.appendingPathComponent("output")
        let errorsURL = folder.url.appendingPathComponent("errors")
        // Files, not pipes: a full pipe that isn't read blocks the writer.
        try Data().write(to: outputURL)
        try Data().write(to: errorsURL)
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment
        if let work {
            process.currentDirectoryURL = work.url
            variables["TMPDIR"] = work.url.path
        }
        process.environment = variables.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: outputURL)
        process.standardError = try FileHandle(forWritingTo: errorsURL)
        status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        output = String(decoding: try Data(contentsOf: outputURL), as: UTF8.self)
        errors = String(decoding: try Data(contentsOf: errorsURL), as: UTF8.self)
    }

    /// The URL of a product, which is beside the test bundle.
    public static func product(_ name: String) -> URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(name)
    }
}

/// The processes that may run at once.
private actor ProcessSlots {
    static let shared = ProcessSlots()

    private var free = 2 * ProcessInfo.processInfo.activeProcessorCount
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func giveBack() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
