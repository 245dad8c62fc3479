import CoreDataModel

/// Starts and monitors workers, and saves the mutants that found defects.
final class Run {
    /// The result of one kind.
    struct Tally {
        let kind: String
        var accepted = 0
        var refused = 0
        var findings = 0
        var crashes = 0
        var hangs = 0
        var seconds = 0.0

        var isClean: Bool { findings + crashes + hangs == 0 }
    }

    /// The maximum of defects of one kind: they must be fixed before more are searched.
    private static let harmLimit = 20

    private let options: Options
    private let program: URL
    private let start = Date()
    private(set) var tallies: [Tally] = []

    init(_ options: Options, program: URL) {
        self.options = options
        self.program = program
    }

    /// Prints a line without buffering, as a run takes minutes.
    private func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// The deadline of the current kind; nil for a number of mutants.
    private var shareEnd: Date?

    private var isShareOver: Bool { shareEnd.map { $0 < Date() } ?? false }

    var isOutOfTime: Bool { Date().timeIntervalSince(start) > options.timeLimit }

    /// - Returns: true if no defect was found and the run is complete.
    func all() throws -> Bool {
        try FileManager.default.createDirectory(at: options.folder, withIntermediateDirectories: true)
        say(
            "seed \(options.seed), "
                + (options.seconds.map { "\(Int($0)) seconds for all kinds" }
                    ?? "\(options.count) mutants of each kind")
        )
        say(Self.row(["kind", "accepted", "refused", "findings", "crashes", "hangs", "seconds"]))
        for (place, kind) in options.kinds.enumerated() where !isOutOfTime {
            // The unused time of a kind is shared by the other kinds.
            shareEnd = options.seconds.map {
                Date().addingTimeInterval(($0 + start.timeIntervalSinceNow) / Double(options.kinds.count - place))
            }
            let tally = try self.kind(kind)
            tallies.append(tally)
            say(
                Self.row(
                    [tally.kind]
                        + [tally.accepted, tally.refused, tally.findings, tally.crashes, tally.hangs].map(String.init)
                        + [String(Int(tally.seconds.rounded()))]))
        }
        if isOutOfTime { say("The time limit of \(Int(options.timeLimit)) seconds ended the run early.") }
        return tallies.allSatisfy(\.isClean) && !isOutOfTime
    }

    private static func row(_ cells: [String]) -> String {
        cells.enumerated().map {
            $0.offset == 0
                ? $0.element.padding(toLength: 18, withPad: " ", startingAt: 0)
                : String(repeating: " ", count: max(1, 10 - $0.element.count)) + $0.element
        }.joined()
    }

    private func kind(_ kind: any InputKind) throws -> Tally {
        var tally = Tally(kind: kind.name)
        let began = Date()
        let end = options.first + options.count
        var next = options.first
        while next < end, !isOutOfTime, !isShareOver, tally.crashes + tally.hangs < Self.harmLimit {
            let stop = try worker(kind, from: next, to: end)
            tally.accepted += stop.progress.accepted
            tally.refused += stop.progress.refused
            tally.findings += stop.findings.count
            for (number, text) in stop.findings.prefix(Self.harmLimit) { try keep(kind, number, "finding", text) }
            switch stop.reason {
            case .done: next = end
            case .crashed(let how):
                guard stop.progress.number >= next else {
                    throw FuzzError("the worker of kind '\(kind.name)' does not start: \(how)")
                }
                tally.crashes += 1
                try keep(kind, stop.progress.number, "crash", how)
                next = stop.progress.number + 1
            case .hung:
                tally.hangs += 1
                try keep(kind, stop.progress.number, "hang", "no end after \(Int(options.mutantLimit)) seconds")
                next = stop.progress.number + 1
            case .outOfTime: break
            }
        }
        tally.seconds = Date().timeIntervalSince(began)
        return tally
    }

    /// Saves a mutant that found a defect, and prints a message.
    private func keep(_ kind: any InputKind, _ number: Int, _ harm: String, _ text: String) throws {
        let file = options.folder.appendingPathComponent("\(kind.name)-\(options.seed)-\(number)")
        try Mutator(kind, seed: options.seed).mutant(number).write(to: file)
        say("\(harm): kind \(kind.name), seed \(options.seed), mutant \(number) (\(file.path)): \(text)")
    }

    // MARK: One worker

    private enum Reason {
        case done
        case crashed(String)
        case hung, outOfTime
    }

    private struct Stop {
        let reason: Reason
        let progress: Progress
        let findings: [(number: Int, text: String)]
    }

    private func worker(_ kind: any InputKind, from first: Int, to end: Int) throws -> Stop {
        let progressFile = options.folder.appendingPathComponent("progress")
        let output = options.folder.appendingPathComponent("output")
        try? FileManager.default.removeItem(at: progressFile)
        try Data().write(to: output)
        let process = Process()
        process.executableURL = program
        process.arguments = [
            "--kind", kind.name, "--seed", String(options.seed), "--from", String(first), "--count",
            String(end - first),
            "--progress", progressFile.path,
        ]
        // A crash report of the Swift runtime takes longer than hundreds of mutants.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let handle = try FileHandle(forWritingTo: output)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        let reason = watch(process, progressFile)
        try handle.close()
        let lines = String(decoding: (try? Data(contentsOf: output)) ?? Data(), as: UTF8.self).split(separator: "\n")
        let findings = lines.filter { $0.hasPrefix("finding ") }.compactMap { line -> (number: Int, text: String)? in
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let number = Int(parts[1]) else { return nil }
            return (number, String(parts[2]))
        }
        let progress = Progress.read(progressFile) ?? Progress()
        if case .crashed(let how) = reason {
            let words =
                (lines.first { $0.contains("rror: ") } ?? lines.last { !$0.hasPrefix("finding ") }).map {
                    ": \($0.prefix(400))"
                } ?? ""
            return Stop(reason: .crashed(how + words), progress: progress, findings: findings)
        }
        return Stop(reason: reason, progress: progress, findings: findings)
    }

    /// Waits for the end of a worker, and ends a worker that needs too long for a mutant.
    private func watch(_ process: Process, _ progressFile: URL) -> Reason {
        var last: Progress?
        var since = Date()
        while process.isRunning {
            Thread.sleep(forTimeInterval: 0.05)
            let now = Progress.read(progressFile)
            if now != last {
                last = now
                since = Date()
            }
            let isStuck = Date().timeIntervalSince(since) > options.mutantLimit
            if isStuck || isOutOfTime || isShareOver {
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                return isStuck ? .hung : .outOfTime
            }
        }
        process.waitUntilExit()
        if process.terminationReason == .exit, process.terminationStatus == 0 { return .done }
        let how = process.terminationReason == .exit ? "exit code" : "signal"
        return .crashed("\(how) \(process.terminationStatus)")
    }
}
