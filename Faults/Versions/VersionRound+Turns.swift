import OpenCoreData
import TestSupport

extension VersionRound {
    /// The processes take turns.
    mutating func takeTurns(_ turns: Int, processes count: Int) throws {
        var processes = try start(processes: count, readsAll: true)
        describe("in turns", processes)
        // A failed round ends its processes.
        defer { for process in processes { _ = process.kill() } }
        var forecast = VersionForecast(isNamed: isNamed)
        for number in 0..<turns {
            let place = Int.random(in: 0..<count, using: &random)
            if random.chance(1, of: 20) {
                // A program ends, and starts again, perhaps as another version.
                try processes[place].finish()
                forecast.end(place)
                let version = Int.random(in: 1...2, using: &random)
                processes[place] = try start(place, version: version, readsAll: true)
                self.count(["restarts": 1])
            }
            let step =
                number == 0
                ? VersionStep(0, .setUp, owner: 0)
                : VersionStep.random(
                    number, owner: Int.random(in: 0..<count, using: &random), goesBack: goesBack, &random)
            let answer = try processes[place].perform(step)
            note(answer)
            do {
                try forecast.check(step, answer, processes[place].settings)
            } catch {
                throw FaultError("process \(place), version \(processes[place].settings.version), \(step): \(error)")
            }
        }
        for process in processes { try process.finish() }
        let differences = forecast.final().differences(to: try finalContents())
        try expect(differences.isEmpty, "at the end: \(differences)")
        try checkFiles()
    }
}
