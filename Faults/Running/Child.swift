import OpenCoreData

/// A process that this program has started for a scenario.
struct Child {
    let options: Options
    let scenario: any Scenario

    init(_ options: Options, scenario: any Scenario) {
        self.options = options
        self.scenario = scenario
    }

    func file(_ name: String) -> URL { options.folder.appendingPathComponent(name) }

    /// Tells the program a number: the process has got so far.
    func report(_ text: String) {
        print(text)
        fflush(nil)
    }

    func run() throws { try scenario.work(self) }
}

/// A running process of a scenario.
final class ChildProcess {
    private let process = Process()
    private let output = Pipe()
    /// Nil for a process that reads nothing.
    private let input: Pipe?
    /// The output of the process that was not read as lines yet.
    private var unread = Data()

    /// - Parameters:
    ///   - command: the program and the arguments before the scenario's arguments; the program itself if empty.
    ///   - hasInput: whether the process reads lines.
    init(
        _ program: URL, _ scenario: any Scenario, folder: URL, rows: Int = 0, stride: Int = 1, command: [String] = [],
        hasInput: Bool = false
    ) throws {
        input = hasInput ? Pipe() : nil
        let arguments = [
            program.path, "--child", scenario.name, "--folder", folder.path, "--rows", String(rows),
            "--stride", String(stride),
        ]
        let all = command + arguments
        process.executableURL = URL(fileURLWithPath: all[0])
        process.arguments = Array(all.dropFirst())
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardOutput = output
        process.standardError = output
        if let input { process.standardInput = input }
        try process.run()
    }

    /// Sends a line to the process.
    func send(_ line: String) throws { try input?.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// Tells the process that no lines follow.
    func endInput() { try? input?.fileHandleForWriting.close() }

    /// Waits for the next line of the process; nil if it has ended.
    func nextLine() -> String? {
        let newline = UInt8(ascii: "\n")
        while true {
            if let end = unread.firstIndex(of: newline) {
                defer { unread = Data(unread[(end + 1)...]) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { return nil }
            unread += data
        }
    }

    /// Waits for the first text of the process; nil if it has ended before.
    func waitForReport() -> String? {
        let data = output.fileHandleForReading.availableData
        return data.isEmpty ? nil : String(decoding: data, as: UTF8.self)
    }

    func send(_ signal: Int32) { Foundation.kill(process.processIdentifier, signal) }

    /// Kills the process.
    ///
    /// - Returns: false if it had ended by itself.
    func killed() -> Bool {
        send(SIGKILL)
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    }

    /// Waits for the end of the process.
    ///
    /// - Returns: its text.
    /// - Throws: an error with its text, if it failed.
    func finish() throws -> String {
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw FaultError("the process ended with \(process.terminationStatus): \(text)")
        }
        return text
    }
}
