import OpenCoreData

/// Backs a store up while another process destroys it, replaces it by another one, or migrates it. A backup is refused,
/// or has the whole of the store at one moment.
struct BackupsOfChangedStores: Scenario {
    let name = "changed-stores"

    private enum Change: String, CaseIterable {
        case destroyed, replaced, migrated, deleted
    }

    private static let file = "store.sqlite"
    private static let steps = SavedSteps(imageCount: 4)
    private static let migrated = MigratedStore(storeType: NSSQLiteStoreType, hasMapping: false)

    // MARK: In the process that changes the store

    func work(_ child: Child) throws {
        guard let change = Change(rawValue: child.options.folder.lastPathComponent) else {
            throw FaultError("the folder has no known name")
        }
        let url = child.file(Self.file)
        if change == .migrated { try Self.migrated.make(url) } else { try Self.save(1...5, url) }
        let other = child.file("other.sqlite")
        try Self.save(1...9, other)
        child.report("ready")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: FaultModel.make())
        var version = 1
        while true {
            switch change {
            case .destroyed:
                try coordinator.destroyPersistentStore(at: url, type: .sqlite)
                try Self.save(1...5, url)
            case .replaced:
                try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: other, type: .sqlite)
                try Self.save(10...12, url)
            case .migrated:
                try Self.migrated.migrate(url, from: version)
                version = 3 - version
            case .deleted:
                try FileManager.default.removeItem(at: url)
                try? FileManager.default.removeItem(at: child.file(Self.file + "-wal"))
                try? FileManager.default.removeItem(at: child.file(Self.file + "-shm"))
                try FileManager.default.removeItem(at: child.file(".store_SUPPORT"))
                try Self.save(1...5, url)
            }
        }
    }

    private static func save(_ steps: ClosedRange<Int>, _ url: URL) throws {
        let stack = try Stack(url, NSSQLiteStoreType)
        for step in steps { try stack.perform { try Self.steps.save(step, in: $0) } }
        try stack.close()
    }

    // MARK: The backups

    func run(_ round: Round) throws {
        for change in Change.allCases {
            let folder = try round.makeFolder().appendingPathComponent(change.rawValue)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let process = try round.child(folder)
            guard let report = process.waitForReport(), report.hasPrefix("ready") else {
                throw FaultError("the process couldn't begin: \(try process.finish())")
            }
            var (copied, refused) = (0, 0)
            for _ in 0..<max(1, round.options.kills / Change.allCases.count) where round.tally.failures < 5 {
                usleep(UInt32(round.number(0...20_000)))
                round.check(folder) {
                    if try backUp(folder, change) { copied += 1 } else { refused += 1 }
                }
            }
            guard process.killed() else { throw FaultError("the process ended: \(try process.finish())") }
            round.tally.notes.append("\(change.rawValue): \(copied) copies, \(refused) refusals")
            if round.tally.failures == 0 {
                try FileManager.default.removeItem(at: folder.deletingLastPathComponent())
            }
        }
    }

    /// - Returns: whether there is a copy; false if it was refused.
    private func backUp(_ folder: URL, _ change: Change) throws -> Bool {
        let copies = folder.appendingPathComponent("copies")
        try? FileManager.default.removeItem(at: copies)
        try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: false)
        let copy = copies.appendingPathComponent("copy.sqlite")
        do {
            try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel()).replacePersistentStore(
                at: copy, withPersistentStoreFrom: folder.appendingPathComponent(Self.file), type: .sqlite)
        } catch let error as NSError {
            // A store that was destroyed or deleted is missing (260), empty (259), or ends while it is copied (134070).
            try expect(
                error.domain == NSCocoaErrorDomain && [259, 260, 134070].contains(error.code),
                "a backup throws: \(error) \(error.userInfo)")
            let left = try FileManager.default.contentsOfDirectory(atPath: copies.path)
            try expect(left.isEmpty, "a refused backup leaves \(left)")
            return false
        }
        if change == .migrated {
            _ = try Self.migrated.check(copy)
            return true
        }
        let stack = try Stack(copy, NSSQLiteStoreType)
        _ = try stack.perform { try Self.steps.check($0) }
        try stack.close()
        try SQLiteChecks.check(copy)
        return true
    }
}
