import OpenCoreData

/// Copies a SQLite store and its write-ahead log while a process saves, cuts some of the logs, and opens the copies.
///
/// The saving process doesn't move its log into the file, so each part of the log is a former version of the store.
struct LeftLogs: Scenario {
    let name = "left-logs"

    private static let file = "store.sqlite"
    private static let steps = SavedSteps(imageCount: 0, keepsAll: true)
    private static let pragmas = [NSSQLitePragmasOption: ["wal_autocheckpoint": "0"]]

    func work(_ child: Child) throws {
        let stack = try Stack(child.file(Self.file), NSSQLiteStoreType, options: Self.pragmas)
        child.report("ready")
        var step = 0
        while true {
            step += 1
            try stack.perform { try Self.steps.save(step, in: $0) }
        }
    }

    func run(_ round: Round) throws {
        let folder = try round.makeFolder()
        let process = try round.child(folder)
        guard process.waitForReport() != nil else { throw FaultError("the process couldn't begin") }
        var cutSteps = 0
        for _ in 0..<max(2, round.options.kills / 2) {
            usleep(UInt32(round.number(1000...60_000)))
            let copy = try round.makeFolder().appendingPathComponent(Self.file)
            process.send(SIGSTOP)
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(
                    atPath: folder.appendingPathComponent(Self.file).path + suffix, toPath: copy.path + suffix)
            }
            process.send(SIGCONT)
            round.tally.remainders += 1
            let isGood = round.check(copy) {
                let whole = try copyOf(copy, round)
                let last = try step(whole)
                round.tally.steps += last
                let log = URL(fileURLWithPath: copy.path + "-wal")
                let size = try Data(contentsOf: log).count
                let handle = try FileHandle(forWritingTo: log)
                try handle.truncate(atOffset: UInt64(round.number(0...size)))
                try handle.close()
                let cut = try step(copy)
                try expect(cut <= last, "the copy with a shorter log has step \(cut), the whole one \(last)")
                cutSteps += cut
            }
            if isGood { try FileManager.default.removeItem(at: copy.deletingLastPathComponent()) }
        }
        guard process.killed() else { throw FaultError("the process ended: \(try process.finish())") }
        round.tally.kills += 1
        round.tally.notes.append("\(round.tally.steps) steps in whole logs, \(cutSteps) in cut ones")
        try FileManager.default.removeItem(at: folder)
    }

    private func copyOf(_ store: URL, _ round: Round) throws -> URL {
        let copy = store.deletingLastPathComponent().appendingPathComponent("whole.sqlite")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: store.path + suffix, toPath: copy.path + suffix)
        }
        return copy
    }

    /// The last step of a copy. A log without the store's tables leaves an empty database, in which a new store is
    /// made.
    private func step(_ store: URL) throws -> Int {
        let stack = try Stack(store, NSSQLiteStoreType)
        let last = try stack.perform { context in
            let last = try Self.steps.check(context)
            try HistoryChecks.checkReplay(context)
            return last
        }
        try stack.close()
        try SQLiteChecks.check(store)
        return last
    }
}
