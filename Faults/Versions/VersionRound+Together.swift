import Dispatch
import OpenCoreData
import TestSupport

extension VersionRound {
    /// The processes work at the same time.
    mutating func workTogether(_ steps: Int, processes count: Int) throws {
        var processes = try start(processes: count, readsAll: false)
        describe("together", processes)
        // A failed round ends its processes.
        defer { for process in processes { _ = process.kill() } }
        try begin(processes)
        var journals = processes.map { process in
            let number = process.settings.number
            return VersionJournal(
                process.settings,
                steps: (1...steps).map { VersionStep.random($0, owner: number, goesBack: goesBack, &random) })
        }
        for (process, journal) in zip(processes, journals) {
            for step in journal.steps { try process.send(step) }
            process.endInput()
        }
        var running = Self.read(processes, journals)
        let killed = random.chance(1, of: 2) ? Int.random(in: 0..<count, using: &random) : nil
        if let killed {
            usleep(UInt32(Int.random(in: 0...400_000, using: &random)))
            let isKilled = processes[killed].kill()
            journals[killed] = try running[killed].finish()
            if isKilled {
                round.tally.kills += 1
                journals[killed].endEarly()
                // The program starts again, and looks first what it has.
                processes[killed] = try start(
                    killed, version: processes[killed].settings.version, readsAll: false)
                try journals[killed].findOutcome(processes[killed])
                for step in journals[killed].steps { try processes[killed].send(step) }
                processes[killed].endInput()
            }
            running[killed] = Self.read([processes[killed]], [journals[killed]])[0]
        }
        for place in processes.indices {
            journals[place] = try running[place].finish()
            try processes[place].finish()
            try expect(
                journals[place].steps.isEmpty, "the process \(place) has ended early: \(processes[place].output)")
        }
        try check(journals)
    }

    /// Has all processes open the store at once, so that one of them makes it, and makes the objects that they share.
    private mutating func begin(_ processes: [VersionProcess]) throws {
        for process in processes { try process.send(VersionStep(0, .open, owner: 0)) }
        for process in processes {
            guard let answer = try process.answer() else {
                throw FaultError("the process \(process.settings.number) ended: \(process.output)")
            }
            note(answer)
            try expect(
                answer.failure == nil || answer.isKnownFailure,
                "process \(process.settings.number) can't open the store: \(answer)")
        }
        for process in processes {
            let answer = try process.perform(VersionStep(0, .setUp, owner: 0, opening: .migratesBack))
            if answer.failure == nil { return }
            try expect(answer.isKnownFailure, "process \(process.settings.number) can't save: \(answer)")
        }
        throw FaultError("no process can use the store")
    }

    /// Compares what the newest version finds with what each process was told.
    private mutating func check(_ journals: [VersionJournal]) throws {
        let all = try finalContents()
        let goneBack = journals.contains { $0.mayHaveGoneBack }
        var entries = all.entries.count
        for var journal in journals {
            let owner = journal.settings.number
            var own = all
            own.entries = all.entries.filter { $0.value.owner == owner }
            own.groups = all.groups.filter { $0 == "group \(owner)" }
            own.tags = all.tags.filter { $0 == VersionStep.sharedTag || $0.hasPrefix("tag \(owner).") }
            try journal.compare(own, mayLackDrafts: goneBack)
            entries -= own.entries.count
            count(journal.outcomes)
        }
        try expect(entries == 0, "\(entries) entries have no owner")
        let least = journals.reduce(0) { $0 + $1.counts }
        let most = least + journals.reduce(0) { $0 + $1.unknownCounts }
        try expect(
            all.counter.map { (least...most).contains($0) } == true,
            "the counter is \(all.counter ?? -1) after \(least) to \(most) increments")
        try checkFiles()
    }

    // MARK: Answers

    /// Reads a process's answers, on a separate thread.
    private final class Reading: @unchecked Sendable {
        // Safe: the thread has all of it before the signal, and the caller after the signal.
        private let process: VersionProcess
        private var journal: VersionJournal
        private var failure: (any Error)?
        private let done = DispatchSemaphore(value: 0)

        init(_ process: VersionProcess, _ journal: VersionJournal) {
            self.process = process
            self.journal = journal
            Thread { self.read() }.start()
        }

        private func read() {
            do { try journal.read(process) } catch { failure = error }
            done.signal()
        }

        /// Waits for the end of the process.
        func finish() throws -> VersionJournal {
            done.wait()
            // Once more for a second call.
            done.signal()
            if let failure { throw failure }
            return journal
        }
    }

    private static func read(_ processes: [VersionProcess], _ journals: [VersionJournal]) -> [Reading] {
        zip(processes, journals).map { Reading($0, $1) }
    }
}
