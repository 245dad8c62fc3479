import FailingCalls
import OpenCoreData

/// Loops over failures, as SQLite's own tests: one call on a file, or one allocation of SQLite, fails, the first one,
/// the second one, and so on, until an operation succeeds without a failure.
///
/// A process makes the points of one operation. If it crashes, the next one goes on behind the point of the crash.
struct FailureLoops: Scenario {
    let name = "failure-loop"

    /// The failed points after which the loop over one kind of failure ends.
    private static let maximumFailures = 5

    func run(_ round: Round) throws {
        for operation in FailureOperations.all where round.options.takes(operation.name) {
            if operation is ImportOperation, ImportOperation.files == nil {
                round.tally.skipped = "coredata or libFailingCalls.so isn't built (Scripts/test-faults.sh builds them)"
                continue
            }
            for kind in FailureKind.allCases {
                let folder = try round.makeFolder().appendingPathComponent("\(operation.name).\(kind.rawValue)")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                if try run(operation, kind, folder, round) { try FileManager.default.removeItem(at: folder) }
            }
        }
    }

    /// - Returns: whether no point has failed.
    private func run(_ operation: any FailureOperation, _ kind: FailureKind, _ folder: URL, _ round: Round) throws
        -> Bool
    {
        let step = round.options.step(kind)
        var point = round.number(1...step)
        var points = 0
        var failures = 0
        var refused: [String: Int] = [:]
        var tolerated = 0
        var hasEnded = false
        while !hasEnded, failures < Self.maximumFailures {
            let process = try round.child(folder, rows: point)
            var last = ""
            while let line = process.nextLine() {
                let words = line.split(separator: " ", maxSplits: 1).map(String.init)
                switch words.first {
                case "point":
                    point = words.last.flatMap { Int($0) } ?? point
                    points += 1
                case "refused": refused[words.last ?? "", default: 0] += 1
                case "tolerated": tolerated += 1
                case "end": hasEnded = true
                case "failed":
                    failures += 1
                    round.check(folder) { throw FaultError("\(kind.rawValue), point \(point): \(words.last ?? "")") }
                default: last = line
                }
            }
            do {
                _ = try process.finish()
            } catch {
                failures += 1
                round.check(folder) { throw FaultError("\(kind.rawValue), point \(point): \(error) \(last)") }
                point += step
            }
        }
        round.tally.rounds += refused.values.reduce(0, +) + tolerated
        round.tally.steps += tolerated
        let codes = refused.sorted { $0.key < $1.key }.map { "\($0.value) with \($0.key)" }.joined(separator: ", ")
        round.tally.notes.append(
            """
            \(operation.name), \(kind.rawValue): \(points) points up to \(point), \
            refused \(codes.isEmpty ? "none" : codes), \(tolerated) tolerated
            """)
        return failures == 0
    }

    // MARK: In the process that makes the points

    func work(_ child: Child) throws {
        let words = child.options.folder.lastPathComponent.split(separator: ".").map(String.init)
        guard let operation = FailureOperations.all.first(where: { $0.name == words.first }),
            let kind = words.last.flatMap(FailureKind.init)
        else { throw FaultError("the folder has no known name") }
        guard failing_calls_replace_allocator() == 0 else { throw FaultError("SQLite is in use already") }
        let loop = FailureLoop(operation: operation, kind: kind, folder: child.options.folder)
        try loop.prepare()
        var number = child.options.rows
        var failures = 0
        while true {
            child.report("point \(number)")
            do {
                switch try loop.run(number) {
                case .refused(let code): child.report("refused \(code)")
                case .tolerated: child.report("tolerated")
                case .end: return child.report("end")
                }
            } catch {
                failures += 1
                child.report("failed " + "\(error)".split(whereSeparator: \.isNewline).joined(separator: " "))
            }
            number += child.options.step(kind)
            if failures == Self.maximumFailures { return }
        }
    }
}
