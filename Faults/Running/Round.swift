import OpenCoreData
import TestSupport

/// One scenario while it runs.
final class Round {
    let options: Options
    let program: URL
    let scenario: any Scenario
    var tally = Tally()
    private var random: SeededGenerator

    init(_ options: Options, program: URL, scenario: any Scenario) {
        self.options = options
        self.program = program
        self.scenario = scenario
        random = SeededGenerator(seed: options.seed, name: scenario.name)
    }

    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    func child(
        _ folder: URL, rows: Int? = nil, command: [String] = [], hasInput: Bool = false
    ) throws -> ChildProcess {
        try ChildProcess(
            program, scenario, folder: folder, rows: rows ?? options.rows, stride: options.stride, command: command,
            hasInput: hasInput)
    }

    /// A new folder for stores.
    func makeFolder() throws -> URL {
        let folder = options.folder.appendingPathComponent("\(scenario.name)-\(tally.rounds)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Runs one round, and reports a failure. The store of a failed round stays.
    ///
    /// - Returns: whether the round was without failure.
    @discardableResult
    func check(_ folder: URL, _ body: () throws -> Void) -> Bool {
        tally.rounds += 1
        do {
            try body()
            return true
        } catch {
            tally.failures += 1
            print("  \(scenario.name), round \(tally.rounds), seed \(options.seed) (\(folder.path)): \(error)")
            return false
        }
    }

    /// Starts a process again and again on one store, kills it, and checks the store.
    ///
    /// - Parameters:
    ///   - name: the name of the store's file.
    ///   - factor: how often the number of kills of the options is meant.
    ///   - check: opens the store, and returns the number of its last step.
    func killRepeatedly(_ name: String, factor: Int = 1, _ check: (URL) throws -> Int) throws {
        var folder = try makeFolder()
        var last = 0
        while tally.kills < options.kills * factor, tally.failures < 5 {
            let store = folder.appendingPathComponent(name)
            let process = try child(folder)
            guard let report = process.waitForReport(), report.hasPrefix("ready") else {
                throw FaultError("the process couldn't begin: \(try process.finish())")
            }
            usleep(UInt32(number(100...150_000)))
            guard process.killed() else { throw FaultError("the process ended: \(try process.finish())") }
            tally.kills += 1
            if Self.hasRemainder(store) { tally.remainders += 1 }
            let isGood = self.check(folder) {
                let step = try check(store)
                try expect(step >= last, "the store has step \(step), but had step \(last)")
                tally.steps += step - last
                last = step
                let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                    $0.hasSuffix(".new")
                }
                try expect(left.isEmpty, "unfinished files remain: \(left)")
            }
            if isGood, tally.kills % 10 != 0 { continue }
            if isGood { try FileManager.default.removeItem(at: folder) }
            folder = try makeFolder()
            last = 0
        }
        try? FileManager.default.removeItem(at: folder)
    }

    private static func hasRemainder(_ store: URL) -> Bool {
        let folder = store.deletingLastPathComponent()
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return names.contains { name in
            if name.hasSuffix(".new") || name.contains("_PENDING_") { return true }
            guard name.hasSuffix("-wal") else { return false }
            let path = folder.appendingPathComponent(name).path
            let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
            return (size?.intValue ?? 0) > 0
        }
    }
}

extension SeededGenerator {
    /// The numbers of one scenario.
    init(seed: UInt64, name: String) {
        self.init(seed: name.utf8.reduce(seed &* 0x9E37_79B9_7F4A_7C15) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    }
}
