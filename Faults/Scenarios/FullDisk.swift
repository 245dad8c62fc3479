import OpenCoreData

/// Saves until the disk is full, frees space, and goes on.
struct FullDisk: Scenario {
    let name = "full-disk"

    private struct Kind {
        let name: String
        let storeType: String
        let steps: SavedSteps
    }

    private static let kinds = [
        Kind(
            name: "sqlite", storeType: NSSQLiteStoreType,
            steps: SavedSteps(imageCount: 0, keepsAll: true, textLength: 20_000)),
        Kind(name: "external", storeType: NSSQLiteStoreType, steps: SavedSteps(imageCount: 4, keepsAll: true)),
        Kind(
            // An archive has equal texts once, so that they must be longer to fill the disk.
            name: "binary", storeType: NSBinaryStoreType,
            steps: SavedSteps(imageCount: 0, keepsAll: true, textLength: 200_000)),
        Kind(
            name: "xml", storeType: NSXMLStoreType,
            steps: SavedSteps(imageCount: 0, keepsAll: true, textLength: 20_000)),
    ]

    func run(_ round: Round) throws {
        guard SmallDisk.isPossible(try round.makeFolder()) else {
            round.tally.skipped = SmallDisk.impossible
            return
        }
        for kind in Self.kinds {
            let folder = try round.makeFolder().appendingPathComponent(kind.name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            round.check(folder) {
                let text = try round.child(folder, command: SmallDisk.command(folder)).finish()
                let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
                try expect(numbers.count == 2, "the process says: \(text)")
                round.tally.steps += numbers[1]
                round.tally.notes.append(
                    "\(kind.name): full after \(numbers[0]) saves, \(numbers[1]) after space was freed")
            }
        }
    }

    // MARK: In the process with the small disk

    /// Opens a closed store on the full disk: SQLite can't make the log or its index, and the error says why.
    private func checkOpening(_ store: URL, _ storeType: String, _ ballast: URL) throws {
        FileManager.default.createFile(atPath: ballast.path, contents: nil)
        let file = try FileHandle(forWritingTo: ballast)
        for size in [1 << 20, 1 << 12, 1] { while (try? file.write(contentsOf: Data(count: size))) != nil {} }
        try file.close()
        try checkRefusedOpening(store, storeType)
        try FileManager.default.removeItem(at: ballast)
        try Stack(store, storeType).close()
        // The disk has space, and no room for another file.
        try FileManager.default.createDirectory(at: ballast, withIntermediateDirectories: false)
        for number in 0..<SmallDisk.fileCount {
            let path = ballast.appendingPathComponent("\(number)").path
            if !FileManager.default.createFile(atPath: path, contents: nil) { break }
        }
        try checkRefusedOpening(store, storeType)
        try FileManager.default.removeItem(at: ballast)
        try Stack(store, storeType).close()
    }

    private func checkRefusedOpening(_ store: URL, _ storeType: String) throws {
        do {
            try Stack(store, storeType).close()
            throw FaultError("a store on a full disk opens, which this scenario doesn't expect")
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            try expect(
                error.code == CocoaError.fileWriteOutOfSpace.rawValue,
                "opening a store on the full disk throws: \(error)")
        }
    }

    func work(_ child: Child) throws {
        guard let kind = Self.kinds.first(where: { $0.name == child.options.folder.lastPathComponent }) else {
            throw FaultError("the folder has no known name")
        }
        let ballast = child.file("ballast")
        try Data(repeating: 1, count: 4 << 20).write(to: ballast)
        let store = child.file("store.data")
        let stack = try Stack(store, kind.storeType)
        var step = 0
        var isFull = false
        while !isFull {
            try expect(step < 1000, "the disk doesn't become full")
            do {
                try stack.perform { try kind.steps.save(step + 1, in: $0) }
                step += 1
            } catch let error as NSError {
                try expect(
                    error.domain == NSCocoaErrorDomain && error.code == CocoaError.fileWriteOutOfSpace.rawValue,
                    "a save to the full disk throws: \(error)")
                isFull = true
            }
        }
        let fullAfter = step
        try expect(step > 0, "the disk was full at once")
        // The context still has the changes; the store has none of them.
        try stack.perform { $0.rollback() }
        try FileManager.default.removeItem(at: ballast)
        try expect(
            try stack.perform { try kind.steps.check($0) } == step, "a part of the refused save is in the open store")
        for _ in 0..<2 {
            step += 1
            try stack.perform { try kind.steps.save(step, in: $0) }
        }
        try stack.close()
        let again = try Stack(store, kind.storeType)
        let last = try again.perform { try kind.steps.check($0) }
        try expect(last == step, "the store has step \(last) of \(step)")
        try again.close()
        let unfinished = try FileManager.default.contentsOfDirectory(atPath: child.options.folder.path).filter {
            $0.hasSuffix(".new")
        }
        try expect(unfinished.isEmpty, "unfinished files remain: \(unfinished)")
        if kind.storeType == NSSQLiteStoreType {
            try SQLiteChecks.check(store)
            try checkOpening(store, kind.storeType, ballast)
        }
        child.report("\(fullAfter) \(step - fullAfter)")
    }
}
