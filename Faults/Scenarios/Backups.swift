import OpenCoreData

/// Backs a store up while another process inserts, updates and deletes rows, and replaces external data, with pauses
/// between its saves. Each backup must succeed, and have all of the last save that it has, with its external data.
struct Backups: Scenario {
    let name = "backups"

    private static let file = "store.sqlite"
    private static let steps = SavedSteps(imageCount: 4)
    /// The longest pauses of the writer, in milliseconds.
    private static let pauses = [0, 10, 100, 500]

    func work(_ child: Child) throws {
        let stack = try Stack(child.file(Self.file), NSSQLiteStoreType)
        var step = 0
        repeat {
            step += 1
            try stack.perform { try Self.steps.save(step, in: $0) }
            if step == 3 { child.report("ready") }
            // Here the arguments' number of rows is a number of milliseconds.
            if child.options.rows > 0 { usleep(UInt32(Int.random(in: 0...child.options.rows) * 1000)) }
        } while true
    }

    func run(_ round: Round) throws {
        for pause in Self.pauses {
            let folder = try round.makeFolder()
            let writer = try round.child(folder, rows: pause)
            guard let report = writer.waitForReport(), report.hasPrefix("ready") else {
                throw FaultError("the process couldn't begin: \(try writer.finish())")
            }
            var last = 0
            var good = 0
            let count = max(1, round.options.kills / Self.pauses.count)
            for _ in 0..<count where round.tally.failures < 5 {
                // Backups begin at any moment of the writer's pauses.
                usleep(UInt32(round.number(0...max(1, pause) * 100)))
                if round.check(folder, { last = try check(Self.back(up: folder), after: last) }) { good += 1 }
            }
            guard writer.killed() else { throw FaultError("the process ended: \(try writer.finish())") }
            round.tally.steps += last
            round.tally.notes.append("pauses of 0 to \(pause) ms: \(good) of \(count) backups after \(last) saves")
            if good == count { try FileManager.default.removeItem(at: folder) }
        }
    }

    /// Makes a backup as `coredata store backup` does.
    private static func back(up folder: URL) throws -> URL {
        let copies = folder.appendingPathComponent("copies")
        try? FileManager.default.removeItem(at: copies)
        try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: false)
        let copy = copies.appendingPathComponent("copy.sqlite")
        try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel()).replacePersistentStore(
            at: copy, withPersistentStoreFrom: folder.appendingPathComponent(file), type: .sqlite)
        return copy
    }

    private func check(_ copy: URL, after last: Int) throws -> Int {
        let stack = try Stack(copy, NSSQLiteStoreType)
        let step = try stack.perform { try Self.steps.check($0) }
        try stack.close()
        try SQLiteChecks.check(copy)
        try expect(step >= last, "the backup has step \(step), but an earlier one had step \(last)")
        return step
    }
}
