import OpenCoreData

/// Files and folders become read-only, or vanish, while their store is open. A save succeeds or throws; afterwards the
/// store has all that a save has written, and nothing of one that has thrown.
///
/// As root may write to everything, the work is done by a process without the rights of root.
struct WithdrawnFiles: Scenario {
    let name = "withdrawn"

    private enum Fault: String, CaseIterable {
        case readOnlyFile, readOnlyFolder, missingFile, missingExternalFolder
    }

    private static let types = [
        "sqlite": NSSQLiteStoreType, "binary": NSBinaryStoreType, "xml": NSXMLStoreType,
    ]

    func run(_ round: Round) throws {
        for type in Self.types.keys.sorted() {
            for fault in Fault.allCases where fault != .missingExternalFolder || type == "sqlite" {
                let parent = FileManager.default.temporaryDirectory
                let folder = parent.appendingPathComponent("\(type).\(fault.rawValue).\(UUID().uuidString)")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let isGood = round.check(folder) {
                    let text = try round.child(folder).finish()
                    let outcome = text.trimmingCharacters(in: .whitespacesAndNewlines)
                    round.tally.notes.append("\(type), \(fault.rawValue): \(outcome)")
                }
                if isGood { try FileManager.default.removeItem(at: folder) }
            }
        }
    }

    // MARK: In the process without rights

    func work(_ child: Child) throws {
        let words = child.options.folder.lastPathComponent.split(separator: ".").map(String.init)
        guard words.count == 3, let type = Self.types[words[0]], let fault = Fault(rawValue: words[1]) else {
            throw FaultError("the folder has no known name")
        }
        try Self.giveUpRights(child.options.folder)
        let steps = SavedSteps()
        let store = child.file("store.data")
        var stack = try Stack(store, type)
        for step in 1...3 { try stack.perform { try steps.save(step, in: $0) } }
        try inflict(fault, child)
        var saved = 3
        var outcomes: [String] = []
        func attempt(_ what: String) {
            do {
                try stack.perform { context in
                    defer { context.rollback() }
                    try steps.save(saved + 1, in: context)
                }
                saved += 1
                outcomes.append("\(what) succeeds")
            } catch let error as NSError {
                outcomes.append("\(what) throws \(error.code)")
            }
        }
        attempt("the open store's save")
        try stack.close()
        if fault != .missingFile {
            do {
                stack = try Stack(store, type)
                attempt("a new store's save")
                try stack.close()
            } catch let error as NSError {
                outcomes.append("opening throws \(error.code)")
            }
        }
        try undo(fault, child)
        stack = try Stack(store, type)
        let last = try stack.perform { context in
            // The images of the folder that was removed are gone.
            fault == .missingExternalFolder ? try SavedSteps.last(context) : try steps.check(context)
        }
        try expect(
            last == (fault == .missingFile ? 0 : saved), "the store has step \(last) of \(saved): \(outcomes)")
        try stack.close()
        // The removal of a store's file by hand leaves its other files.
        if type == NSSQLiteStoreType, fault == .readOnlyFile || fault == .readOnlyFolder {
            try SQLiteChecks.check(store)
        }
        child.report(outcomes.joined(separator: ", "))
    }

    private func inflict(_ fault: Fault, _ child: Child) throws {
        switch fault {
        case .readOnlyFile: try Self.setPermissions(0o444, child.file("store.data"))
        case .readOnlyFolder: try Self.setPermissions(0o555, child.options.folder)
        case .missingFile: try FileManager.default.removeItem(at: child.file("store.data"))
        case .missingExternalFolder: try FileManager.default.removeItem(at: child.file(".store_SUPPORT"))
        }
    }

    private func undo(_ fault: Fault, _ child: Child) throws {
        switch fault {
        case .readOnlyFile: try Self.setPermissions(0o644, child.file("store.data"))
        case .readOnlyFolder: try Self.setPermissions(0o755, child.options.folder)
        case .missingFile, .missingExternalFolder: break
        }
    }

    private static func setPermissions(_ permissions: Int, _ url: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: url.path)
    }

    /// Makes the process one of the user `nobody`, who owns the folders.
    static func giveUpRights(_ folders: URL...) throws {
        guard geteuid() == 0 else { return }
        let nobody: uid_t = 65534
        guard folders.allSatisfy({ chown($0.path, nobody, nobody) == 0 }), setgid(nobody) == 0, setuid(nobody) == 0
        else {
            throw FaultError("the process can't give up the rights of root")
        }
    }
}
