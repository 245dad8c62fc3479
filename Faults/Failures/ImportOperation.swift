import OpenCoreData

/// `coredata store import` in a process of its own, whose calls fail by a library that is loaded before the others.
struct ImportOperation: FailureOperation {
    let name = "import"

    private static let (found, imported) = (30, 60)

    /// The command, and the library beside it; nil if they aren't built.
    static var files: (command: URL, library: URL)? {
        guard let folder = Bundle.main.executableURL?.deletingLastPathComponent() else { return nil }
        let command = folder.appendingPathComponent("coredata")
        let library = folder.appendingPathComponent("libFailingCalls.so")
        let areBuilt = [command, library].allSatisfy { FileManager.default.fileExists(atPath: $0.path) }
        return areBuilt ? (command, library) : nil
    }

    private func store(_ folder: URL) -> URL { folder.appendingPathComponent("store.data") }

    func make(_ folder: URL) throws {
        let stack = try Stack(store(folder), NSSQLiteStoreType)
        try stack.perform { context in
            for number in 0..<Self.found { _ = context.make("Row", ["number": number, "text": "old"]) }
            try context.save()
        }
        try stack.close()
        let rows = (0..<Self.imported).map { "\($0),new\n" }.joined()
        try Data("number,text\n\(rows)".utf8).write(to: folder.appendingPathComponent("rows.csv"))
    }

    func run(_ folder: URL, _ window: FaultWindow) throws {
        guard let files = Self.files else {
            throw FaultError("coredata and libFailingCalls.so aren't built (Scripts/test-faults.sh builds them)")
        }
        let process = Process()
        let output = Pipe()
        let report = folder.appendingPathComponent("report")
        process.executableURL = files.command
        process.arguments = [
            "store", "import", store(folder).path, folder.appendingPathComponent("rows.csv").path, "--entity", "Row",
            "--key", "number",
        ]
        if let failure = window.failure {
            process.environment = ProcessInfo.processInfo.environment.merging([
                "LD_PRELOAD": files.library.path, "FAILING_CALLS_KIND": String(failure.kind.code.rawValue),
                "FAILING_CALLS_NUMBER": String(failure.number), "FAILING_CALLS_FOLDER": folder.path,
                "FAILING_CALLS_REPORT": report.path, "SWIFT_BACKTRACE": "enable=no",
            ]) { $1 }
        }
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        window.failedElsewhere((try? String(contentsOf: report, encoding: .utf8)) ?? "")
        try expect(
            process.terminationReason == .exit, "the command ended by signal \(process.terminationStatus): \(text)")
        guard process.terminationStatus != 0 else { return }
        try expect(
            process.terminationStatus == 1 && text.contains("rror"),
            "the command ended with \(process.terminationStatus): \(text)")
        // The command prints no code.
        throw CoreDataErrors.error(
            CocoaError.fileWriteUnknown.rawValue, text, reason: text, userInfo: [NSFilePathErrorKey: folder.path])
    }

    func check(_ folder: URL, allowsRemainders: Bool) throws -> Bool {
        let stack = try Stack(store(folder), NSSQLiteStoreType)
        let rows = try stack.perform { context in
            try HistoryChecks.checkReplay(context)
            return try context.all("Row").map { ($0.number("number"), $0.value(forKey: "text") as? String) }
        }
        try stack.close()
        try SQLiteChecks.check(store(folder), allowsRemainders: allowsRemainders)
        let text = rows.count == Self.found ? "old" : "new"
        try expect(
            Set(rows.map(\.0)) == Set(0..<(rows.count == Self.found ? Self.found : Self.imported))
                && rows.allSatisfy { $0.1 == text }, "the store has \(rows.count) rows: \(rows)")
        return rows.count == Self.imported
    }
}
