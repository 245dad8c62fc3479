import OpenCoreData

/// Copies a store into a folder that is full, or that can't be written, then into one with space. A copy that is
/// refused leaves nothing, and the store as it was.
struct RefusedCopies: Scenario {
    let name = "copies"

    private enum Fault: String, CaseIterable {
        case full, readOnly

        /// The error of a copy.
        var code: Int {
            switch self {
            case .full: CocoaError.fileWriteOutOfSpace.rawValue
            case .readOnly: CocoaError.fileWriteNoPermission.rawValue
            }
        }
    }

    private enum Copy: String, CaseIterable {
        case backup, sqlite, binary, xml

        var type: String {
            switch self {
            case .backup, .sqlite: NSSQLiteStoreType
            case .binary: NSBinaryStoreType
            case .xml: NSXMLStoreType
            }
        }
    }

    private static let steps = SavedSteps(imageCount: SavedSteps.rowCount)

    func run(_ round: Round) throws {
        let hasSmallDisk = SmallDisk.isPossible(try round.makeFolder())
        if !hasSmallDisk { round.tally.skipped = SmallDisk.impossible }
        for fault in Fault.allCases where fault != .full || hasSmallDisk {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "\(fault.rawValue).\(UUID().uuidString)")
            let copies = folder.appendingPathComponent("copies")
            try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
            let command = fault == .full ? SmallDisk.command(copies, megabytes: 24) : []
            let isGood = round.check(folder) {
                let text = try round.child(folder, command: command).finish()
                round.tally.notes.append("\(fault.rawValue): \(text.trimmingCharacters(in: .whitespacesAndNewlines))")
            }
            if isGood { try FileManager.default.removeItem(at: folder) }
        }
    }

    // MARK: In the process with the small disk, or without the rights of root

    func work(_ child: Child) throws {
        let word = child.options.folder.lastPathComponent.split(separator: ".").first.map(String.init) ?? ""
        guard let fault = Fault(rawValue: word) else { throw FaultError("the folder has no known name") }
        let folder = child.file("copies")
        if fault == .readOnly { try WithdrawnFiles.giveUpRights(child.options.folder, folder) }
        let source = child.file("store.sqlite")
        let stack = try Stack(source, NSSQLiteStoreType)
        for step in 1...5 { try stack.perform { try Self.steps.save(step, in: $0) } }
        try stack.close()
        let ballast = folder.appendingPathComponent("ballast")
        var outcomes: [String] = []
        for copy in Copy.allCases {
            let url = folder.appendingPathComponent("copy.store")
            if fault == .full {
                // Half a megabyte is left.
                try Data(repeating: 1, count: 47 << 19).write(to: ballast)
            } else {
                try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
            }
            do {
                try Self.make(copy, of: source, at: url)
                throw FaultError("\(copy): the copy succeeds")
            } catch let error as NSError where !(error is FaultError) {
                let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
                try expect(
                    error.domain == NSCocoaErrorDomain && [error.code, underlying?.code].contains(fault.code),
                    "\(copy): a copy throws \(error) \(error.userInfo)")
                outcomes.append("\(copy) throws \(error.code)")
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "ballast" }
            try expect(left.isEmpty, "\(copy): a refused copy leaves \(left)")
            if fault == .full {
                try FileManager.default.removeItem(at: ballast)
            } else {
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            }
            try Self.make(copy, of: source, at: url)
            try Self.check(url, copy.type)
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
            }
        }
        try Self.check(source, NSSQLiteStoreType)
        try SQLiteChecks.check(source)
        child.report(outcomes.joined(separator: ", "))
    }

    private static func check(_ url: URL, _ type: String) throws {
        let stack = try Stack(url, type)
        let step = try stack.perform { try steps.check($0) }
        try stack.close()
        try expect(step == 5, "the store has step \(step) of 5")
    }

    private static func make(_ copy: Copy, of source: URL, at url: URL) throws {
        if copy == .backup {
            return try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel()).replacePersistentStore(
                at: url, withPersistentStoreFrom: source, type: .sqlite)
        }
        let stack = try Stack(source, NSSQLiteStoreType)
        let options = copy == .sqlite ? [NSPersistentHistoryTrackingKey: true] : nil
        try stack.coordinator.migratePersistentStore(
            stack.coordinator.persistentStores[0], to: url, options: options, withType: copy.type)
        try stack.close()
    }
}
