import OpenCoreData

/// Runs the scenarios and prints the table of their counts.
struct Run {
    let options: Options
    let program: URL

    init(_ options: Options, program: URL) {
        self.options = options
        self.program = program
    }

    private func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// - Returns: whether no scenario has failed.
    func all() throws -> Bool {
        try FileManager.default.createDirectory(at: options.folder, withIntermediateDirectories: true)
        say("seed \(options.seed) (COREDATA_SEED repeats it)")
        say(Self.row(["scenario", "rounds", "kills", "steps", "remainders", "failures", "seconds"]))
        var kills = 0
        var failures = 0
        for scenario in options.scenarios {
            let round = Round(options, program: program, scenario: scenario)
            let start = Date()
            do {
                try scenario.run(round)
            } catch {
                round.tally.failures += 1
                say("  \(scenario.name): \(error)")
            }
            let tally = round.tally
            kills += tally.kills
            failures += tally.failures
            let counts = [tally.rounds, tally.kills, tally.steps, tally.remainders, tally.failures].map(String.init)
            say(Self.row([scenario.name] + counts + [String(Int(Date().timeIntervalSince(start).rounded()))]))
            for note in tally.notes { say("  \(note)") }
            if let skipped = tally.skipped { say("  skipped: \(skipped)") }
        }
        say("\(kills) kills, \(failures) failures")
        return failures == 0
    }

    private static func row(_ cells: [String]) -> String {
        cells.enumerated().map {
            $0.offset == 0
                ? $0.element.padding(toLength: 14, withPad: " ", startingAt: 0)
                : String(repeating: " ", count: max(1, 11 - $0.element.count)) + $0.element
        }.joined()
    }
}
