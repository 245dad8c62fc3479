import OpenCoreData

/// Migrates on a disk that becomes full, frees space, and migrates again.
struct FullDiskMigrations: Scenario {
    let name = "full-disk-migration"

    private static let kinds = [
        ("lightweight", MigratedStore(storeType: NSSQLiteStoreType, hasMapping: false)),
        ("mapped", MigratedStore(storeType: NSSQLiteStoreType, hasMapping: true)),
        ("xml", MigratedStore(storeType: NSXMLStoreType, hasMapping: false)),
        ("binary", MigratedStore(storeType: NSBinaryStoreType, hasMapping: true)),
    ]

    func run(_ round: Round) throws {
        guard SmallDisk.isPossible(try round.makeFolder()) else {
            round.tally.skipped = SmallDisk.impossible
            return
        }
        for (name, _) in Self.kinds {
            let folder = try round.makeFolder().appendingPathComponent(name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            round.check(folder) {
                let text = try round.child(folder, command: SmallDisk.command(folder, megabytes: 40)).finish()
                round.tally.steps += 1
                round.tally.notes.append("\(name): \(text.trimmingCharacters(in: .newlines))")
            }
        }
    }

    func work(_ child: Child) throws {
        guard let (_, migrated) = Self.kinds.first(where: { $0.0 == child.options.folder.lastPathComponent }) else {
            throw FaultError("the folder has no known name")
        }
        let url = child.file("store.data")
        try migrated.make(url, textLength: 8000)
        // All but a little of the disk.
        let ballast = child.file("ballast")
        try Data().write(to: ballast)
        let handle = try FileHandle(forWritingTo: ballast)
        var size = 0
        while (try? handle.write(contentsOf: Data(repeating: 1, count: 65536))) != nil { size += 65536 }
        try handle.truncate(atOffset: UInt64(max(0, size - 1_000_000)))
        try handle.close()
        do {
            try migrated.migrate(url, from: 1)
            throw FaultError("the migration succeeds on a full disk of \(size) bytes")
        } catch let error as NSError where !(error is FaultError) {
            let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
            let codes = [error.code, underlying?.code ?? 0]
            try expect(
                codes.contains(CocoaError.fileWriteOutOfSpace.rawValue), "a migration on a full disk throws: \(error)")
        }
        try expect(try migrated.version(of: url) == 1, "the store isn't of its old version")
        try MigratedStore.checkFolder(of: url)
        _ = try migrated.check(url)
        try FileManager.default.removeItem(at: ballast)
        try migrated.migrate(url, from: 1)
        try expect(try migrated.version(of: url) == 2, "the store isn't of its new version")
        _ = try migrated.check(url)
        try MigratedStore.checkFolder(of: url)
        child.report("refused, and migrated after space was freed")
    }
}
