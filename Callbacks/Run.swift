import OpenCoreData

/// Runs cases in this process, and writes the number of each before it begins.
struct Worker {
    private let options: Options
    private let progress: URL

    init(_ options: Options, progress: URL) {
        self.options = options
        self.progress = progress
    }

    func run() throws {
        for (number, value) in options.cases {
            try Data("\(number)\n".utf8).write(to: progress)
            do {
                try Stage(value).run()
            } catch {
                print("finding \(number) \(String(describing: error).replacingOccurrences(of: "\n", with: "; "))")
                fflush(nil)
            }
        }
        try Data("done\n".utf8).write(to: progress)
    }
}

/// Starts workers, one after the other, each with the cases after the one that has ended the last worker.
final class Run {
    private let options: Options
    private let program: URL
    private let folder: URL
    private var counts = (cases: 0, crashes: 0, hangs: 0, findings: 0)

    init(_ options: Options, program: URL) throws {
        self.options = options
        self.program = program
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("callbacks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// - Returns: whether nothing was found.
    func all() throws -> Bool {
        let cases = options.cases
        let began = Date()
        say(
            "\(cases.count) cases: \(Callback.allCases.count) callbacks, \(Action.allCases.count) actions, "
                + "\(RelationshipKind.allCases.count) kinds of relationships, \(Moment.allCases.count) moments")
        var rest = cases[...]
        while let first = rest.first {
            let ended = try worker(from: first.number)
            guard let last = ended else {
                rest = []
                break
            }
            rest = rest.drop { $0.number <= last }
            if counts.crashes + counts.hangs >= 200 {
                say("The run ends after 200 cases that have ended a process.")
                break
            }
        }
        counts.cases = cases.count - rest.count
        say(
            "\(counts.cases) cases, \(counts.crashes) crashes or reports of the sanitizer, \(counts.hangs) hangs, "
                + "\(counts.findings) contexts in disorder, \(Int(Date().timeIntervalSince(began))) seconds")
        return counts.crashes + counts.hangs + counts.findings == 0
    }

    private func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// Runs cases from a number on.
    ///
    /// - Returns: the number of the case that has ended the process; nil if all were run.
    private func worker(from number: Int) throws -> Int? {
        let progress = folder.appendingPathComponent("progress")
        let output = folder.appendingPathComponent("output")
        try? FileManager.default.removeItem(at: progress)
        try Data().write(to: output)
        let handle = try FileHandle(forWritingTo: output)
        let process = Process()
        process.executableURL = program
        var arguments = ["--progress", progress.path, "--from", "\(number)", "--every", "\(options.every)"]
        arguments += options.callbacks.flatMap { ["--callback", $0.rawValue] }
        arguments += options.actions.flatMap { ["--action", $0.rawValue] }
        arguments += options.relationships.flatMap { ["--relationship", $0.rawValue] }
        arguments += ["--to", "\(options.end == .max ? 1_000_000 : options.end)"]
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        var current = (number: -1, since: Date())
        var isHung = false
        while process.isRunning {
            usleep(20_000)
            let now = read(progress) ?? -1
            if now != current.number { current = (now, Date()) }
            if Date().timeIntervalSince(current.since) > options.limit {
                isHung = true
                kill(process.processIdentifier, SIGKILL)
                break
            }
        }
        process.waitUntilExit()
        try handle.close()
        let lines = String(decoding: (try? Data(contentsOf: output)) ?? Data(), as: UTF8.self).split(separator: "\n")
        for line in lines where line.hasPrefix("finding ") {
            counts.findings += 1
            let parts = line.split(separator: " ", maxSplits: 2)
            say("disorder: \(name(Int(parts[1]) ?? -1)): \(parts.count > 2 ? String(parts[2].prefix(300)) : "")")
        }
        if process.terminationStatus == 0 && !isHung { return nil }
        guard let last = read(progress) else {
            throw CallbackError("a process ended before its first case:\n\(lines.suffix(20).joined(separator: "\n"))")
        }
        if isHung { counts.hangs += 1 } else { counts.crashes += 1 }
        let why = lines.filter { $0.contains("rror: ") || $0.contains("#") }.prefix(6).joined(separator: " | ")
        say("\(isHung ? "hang" : "crash"): \(name(last)): \(why.prefix(900))")
        return last
    }

    private func name(_ number: Int) -> String {
        Case.all.indices.contains(number) ? "case \(number) (\(Case.all[number]))" : "case \(number)"
    }

    private func read(_ progress: URL) -> Int? {
        (try? Data(contentsOf: progress)).flatMap { data in
            Int(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }
}
