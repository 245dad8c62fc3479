import OpenCoreData

/// Kills `coredata store migrate` at any moment. Afterwards the store is of the old version or of the new one, and the
/// next verb removes what the process has left beside it.
struct KilledCommands: Scenario {
    let name = "command-migration"

    private static let file = "store.data"
    private let migrated = MigratedStore(storeType: NSSQLiteStoreType, hasMapping: false)

    func work(_ child: Child) throws { throw FaultError("the scenario runs the command, not this program") }

    func run(_ round: Round) throws {
        let command = round.program.deletingLastPathComponent().appendingPathComponent("coredata")
        guard FileManager.default.isExecutableFile(atPath: command.path) else {
            round.tally.skipped = "\(command.path) isn't built (Scripts/test-faults.sh builds it)"
            return
        }
        let folder = try round.makeFolder()
        let original = folder.appendingPathComponent("original").appendingPathComponent(Self.file)
        try FileManager.default.createDirectory(
            at: original.deletingLastPathComponent(), withIntermediateDirectories: true)
        try migrated.make(original, textLength: max(1, round.options.megabytes) * 1_000_000 / MigratedStore.rowCount)
        let model = folder.appendingPathComponent("new.mom")
        try ModelArchive.encode(MigratedStore.model(2), as: .compiled).write(to: model)
        // How long an undisturbed migration takes.
        let start = Date()
        let whole = try copy(original, to: folder.appendingPathComponent("whole"))
        try Command(command, ["store", "migrate", whole.path, "--model", model.path]).finish()
        let duration = Date().timeIntervalSince(start)
        try check(whole, command)
        try expect(try migrated.version(of: whole) == 2, "the command hasn't migrated the store")
        try FileManager.default.removeItem(at: whole.deletingLastPathComponent())
        var versions: [Int] = []
        while round.tally.kills < round.options.kills, round.tally.failures < 5 {
            let store = try copy(original, to: folder.appendingPathComponent("store-\(round.tally.kills)"))
            let process = try Command(command, ["store", "migrate", store.path, "--model", model.path])
            usleep(UInt32(round.number(0...Int(duration * 1_100_000))))
            process.kill()
            round.tally.kills += 1
            let own = try Self.names(beside: store)
            if !own.isEmpty { round.tally.remainders += 1 }
            let isGood = round.check(store.deletingLastPathComponent()) {
                try check(store, command)
                versions.append(try migrated.version(of: store) ?? 0)
            }
            if isGood { try FileManager.default.removeItem(at: store.deletingLastPathComponent()) }
        }
        round.tally.steps = versions.count { $0 == 2 }
        round.tally.notes.append(
            """
            \(versions.count { $0 == 1 }) stores of the old version, \(versions.count { $0 == 2 }) of the new one; \
            undisturbed \(Int(duration * 1000)) ms
            """)
        if round.tally.failures == 0 { try FileManager.default.removeItem(at: folder) }
    }

    private func copy(_ original: URL, to folder: URL) throws -> URL {
        try FileManager.default.copyItem(at: original.deletingLastPathComponent(), to: folder)
        return folder.appendingPathComponent(Self.file)
    }

    /// Reads the store by another verb, and checks the store and its folder.
    private func check(_ store: URL, _ command: URL) throws {
        try Command(command, ["store", "info", store.path]).finish()
        let left = try Self.names(beside: store)
        try expect(left.isEmpty, "files remain after the next verb: \(left)")
        _ = try migrated.check(store)
    }

    /// The files beside a store that don't belong to it.
    private static func names(beside store: URL) throws -> [String] {
        let own = ["", "-wal", "-shm"].map { Self.file + $0 } + [".store_SUPPORT"]
        return try FileManager.default.contentsOfDirectory(atPath: store.deletingLastPathComponent().path).filter {
            !own.contains($0)
        }
    }
}

/// A running `coredata`.
private struct Command {
    private let process = Process()
    private let output = Pipe()

    init(_ program: URL, _ arguments: [String]) throws {
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits for its end.
    func finish() throws {
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try expect(process.terminationStatus == 0, "the command ended with \(process.terminationStatus): \(text)")
    }
}
