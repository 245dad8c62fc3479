import OpenCoreData

/// Kills processes that migrate a store by a plan of custom stages. Afterwards the store is of the old version or of
/// the last one, and the next process migrates it.
struct KilledPlans: Scenario {
    let name = "plan-migration"

    private static let file = "store.data"

    func work(_ child: Child) throws {
        child.report("ready")
        _ = try PlannedStore.container(child.file(Self.file), TicketsV3.self, plan: true)
        while true { pause() }
    }

    func run(_ round: Round) throws {
        let folder = try round.makeFolder()
        let original = folder.appendingPathComponent("original").appendingPathComponent(Self.file)
        try FileManager.default.createDirectory(
            at: original.deletingLastPathComponent(), withIntermediateDirectories: true)
        try PlannedStore.make(original)
        // How long an undisturbed migration takes.
        let whole = try copy(original, to: folder.appendingPathComponent("whole"))
        let start = Date()
        _ = try PlannedStore.container(whole, TicketsV3.self, plan: true)
        let duration = Date().timeIntervalSince(start)
        try expect(try PlannedStore.check(whole), "the plan hasn't migrated the store")
        try FileManager.default.removeItem(at: whole.deletingLastPathComponent())
        var migrated = 0
        while round.tally.kills < round.options.kills, round.tally.failures < 5 {
            let store = try copy(original, to: folder.appendingPathComponent("store-\(round.tally.kills)"))
            let process = try round.child(store.deletingLastPathComponent())
            guard let report = process.waitForReport(), report.hasPrefix("ready") else {
                throw FaultError("the process couldn't begin: \(try process.finish())")
            }
            usleep(UInt32(round.number(0...Int(duration * 1_300_000))))
            guard process.killed() else { throw FaultError("the process ended: \(try process.finish())") }
            round.tally.kills += 1
            if try !Self.names(beside: store).isEmpty { round.tally.remainders += 1 }
            let isGood = round.check(store.deletingLastPathComponent()) {
                if try PlannedStore.check(store) { migrated += 1 }
                // The next process migrates what the ended one hasn't, and removes what it has left.
                _ = try PlannedStore.container(store, TicketsV3.self, plan: true)
                try expect(try PlannedStore.check(store), "the store can't be migrated afterwards")
                let left = try Self.names(beside: store)
                try expect(left.isEmpty, "files remain after the next migration: \(left)")
                try Self.checkExternalData(of: store)
            }
            if isGood { try FileManager.default.removeItem(at: store.deletingLastPathComponent()) }
        }
        round.tally.steps = migrated
        round.tally.notes.append(
            """
            \(round.tally.rounds - migrated) stores of the old version, \(migrated) of the last one; undisturbed \
            \(Int(duration * 1000)) ms
            """)
        if round.tally.failures == 0 { try FileManager.default.removeItem(at: folder) }
    }

    private func copy(_ original: URL, to folder: URL) throws -> URL {
        try FileManager.default.copyItem(at: original.deletingLastPathComponent(), to: folder)
        return folder.appendingPathComponent(Self.file)
    }

    /// The files beside a store that don't belong to it.
    private static func names(beside store: URL) throws -> [String] {
        let own = ["", "-wal", "-shm"].map { file + $0 } + [".store_SUPPORT"]
        return try FileManager.default.contentsOfDirectory(atPath: store.deletingLastPathComponent().path).filter {
            !own.contains($0)
        }
    }

    private static func checkExternalData(of store: URL) throws {
        let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
        let integrity = try connection.pragma("integrity_check")
        try expect(integrity == "ok", "integrity_check says: \(integrity ?? "nothing")")
        let data = SQLiteExternalData(storePath: store.path)
        let files = try FileManager.default.contentsOfDirectory(atPath: data.dataFolder).count
        try expect(files == PlannedStore.rowCount / 40, "there are \(files) files of external data")
        let support = try FileManager.default.contentsOfDirectory(atPath: data.supportFolder)
        try expect(support == ["_EXTERNAL_DATA"], "the journal of an ended process remains: \(support)")
    }
}
