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
        let run = try await ToolRun(Self.executable, arguments)
        (status, output, errors) = (run.status, run.output, run.errors)
    }

    /// The product is beside the test bundle.
    public static var executable: URL { ToolRun.product("coredata") }
}
