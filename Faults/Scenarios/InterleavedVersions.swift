import OpenCoreData
import TestSupport

/// Three processes with two versions of a model work on one store: they migrate it, save, make batch requests, read
/// and delete the history, and keep values in files. Each step succeeds whole or throws; afterwards the newest version
/// reads everything that was acknowledged, and nothing else.
///
/// In the rounds of the first form the processes take turns, so that each outcome is known before. In the rounds of the
/// second form they work at the same time, each process on its own entries, and one of them may be killed.
struct InterleavedVersions: Scenario {
    let name = "versions"

    private static let file = "store.sqlite"
    private static let processCount = 3
    /// The rounds for each of the kills that the options ask for.
    private static let factor = 2
    private static let turns = 60
    private static let stepsOfEach = 40

    // MARK: In each process

    func work(_ child: Child) throws {
        guard let line = readLine() else { throw FaultError("the process has no settings") }
        let program = VersionedProgram(
            try VersionProcess.value(VersionSettings.self, line), child.file(Self.file))
        while let line = readLine() {
            // A step that never ends ends the process.
            alarm(120)
            let answer = try program.perform(VersionProcess.value(VersionStep.self, line))
            child.report(try VersionProcess.line(answer: answer))
        }
    }

    // MARK: The rounds

    func run(_ round: Round) throws {
        signal(SIGPIPE, SIG_IGN)
        var counts: [String: Int] = [:]
        for number in 0..<round.options.kills * Self.factor where round.tally.failures < 5 {
            let folder = try round.makeFolder()
            var game = VersionRound(
                round, folder, folder.appendingPathComponent(Self.file), seed: UInt64(round.number(1...1_000_000_000)))
            let isGood = round.check(folder) {
                do {
                    if number % 2 == 0 {
                        try game.takeTurns(Self.turns, processes: Self.processCount)
                    } else {
                        try game.workTogether(Self.stepsOfEach, processes: Self.processCount)
                    }
                } catch {
                    throw FaultError("\(game.description): \(error)")
                }
            }
            counts.merge(game.counts) { $0 + $1 }
            round.tally.steps += game.counts["succeeded"] ?? 0
            if isGood { try FileManager.default.removeItem(at: folder) }
        }
        let texts = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        round.tally.notes.append(texts.joined(separator: ", "))
    }
}
