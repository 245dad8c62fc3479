import OpenCoreData

/// Runs one operation with the first call that fails, the second one, and so on, until all calls succeed. After each
/// run the files are wholly old or wholly new, and an operation that was refused succeeds when it is repeated.
struct FailureLoop {
    let operation: any FailureOperation
    let kind: FailureKind
    let folder: URL

    /// The result of one point.
    enum Outcome {
        /// The operation has thrown an error with this code.
        case refused(Int)
        /// The operation has succeeded though a call has failed.
        case tolerated
        /// No call has failed: this was the last point.
        case end
    }

    /// Where the files are made once.
    private var original: URL { folder.appendingPathComponent("original") }

    func prepare() throws {
        try? FileManager.default.removeItem(at: original)
        try FileManager.default.createDirectory(at: original, withIntermediateDirectories: true)
        try operation.make(original)
    }

    /// Runs one point, in a folder that stays if the point fails.
    func run(_ number: Int) throws -> Outcome {
        let work = folder.appendingPathComponent("point-\(number)")
        try? FileManager.default.removeItem(at: work)
        try FileManager.default.copyItem(at: original, to: work)
        let window = FaultWindow((kind, number), folder: work)
        var failure: NSError?
        do {
            try operation.run(work, window)
        } catch let error as FaultError {
            throw FaultError("\(error); \(window.description) has failed")
        } catch {
            failure = error as NSError
        }
        do {
            let outcome = try check(window, failure, work)
            try FileManager.default.removeItem(at: work)
            return outcome
        } catch {
            throw FaultError(
                "\(error); \(window.description) has failed, and the operation has "
                    + (failure.map { "thrown \($0)" } ?? "succeeded"))
        }
    }

    private func check(_ window: FaultWindow, _ failure: NSError?, _ work: URL) throws -> Outcome {
        let call = window.description.prefix { $0 != " " }
        // A file stays if its removal has failed. A disk that fails for good lets no file be removed. On a full disk
        // SQLite can't read which files of external data a refused copy names.
        let allowsRemainders =
            kind == .from || ["unlink", "unlinkat", "rmdir"].contains(call)
            || kind == .full && operation is CopyOperation
            || failure == nil && operation.leavesFormerFiles
        guard let failure else {
            try expect(try operation.check(work, allowsRemainders: allowsRemainders), "the files are as before")
            return window.failedCount > 0 ? .tolerated : .end
        }
        try expect(window.failedCount > 0, "no call has failed")
        let code = try checkedCode(failure)
        let isNew = try operation.check(work, allowsRemainders: allowsRemainders)
        if window.isRepeated {
            try expect(isNew, "after the repeated save the files are as before")
            return .refused(code)
        }
        // On a disk that fails for good nothing can be taken back: not a log with the commit, nor a complete copy.
        if isNew, kind == .from || operation.opensAtEnd { return .refused(code) }
        try expect(!isNew, "the files are as after the operation")
        try operation.run(work, FaultWindow(nil, folder: work))
        try expect(
            try operation.check(work, allowsRemainders: allowsRemainders),
            "after the second try the files are as before")
        return .refused(code)
    }

    /// The codes of errors of the file system, of SQLite, and of operations that name such an error as their reason.
    private static let codes: Set<Int> = [
        CocoaError.Code.fileReadUnknown.rawValue, CocoaError.Code.fileReadNoPermission.rawValue,
        CocoaError.Code.fileReadCorruptFile.rawValue, CocoaError.Code.fileWriteUnknown.rawValue,
        CocoaError.Code.fileWriteNoPermission.rawValue, CocoaError.Code.fileWriteOutOfSpace.rawValue,
        NSManagedObjectReferentialIntegrityError, NSSQLiteError, NSPersistentStoreIncompleteSaveError, NSMigrationError,
        NSMigrationManagerSourceStoreError, NSMigrationManagerDestinationStoreError,
    ]

    /// The code of an error, which says what failed and why.
    private func checkedCode(_ error: NSError) throws -> Int {
        if operation is PlanOperation {
            // SwiftData's errors have no codes; the text has the reason of the store's error.
            try expect(error.localizedDescription.contains("store"), "the text is \(error.localizedDescription)")
            return error.code
        }
        try expect(error.domain == NSCocoaErrorDomain, "the domain is \(error.domain)")
        try expect(Self.codes.contains(error.code), "the code is \(error.code)")
        try expect(error.localizedFailureReason?.isEmpty == false, "the error has no reason")
        // A full disk is told from other failures.
        if kind == .full, operation.name != "import" {
            let codes = sequence(first: error) { $0.userInfo[NSUnderlyingErrorKey] as? NSError }.map(\.code)
            // SQLite doesn't say why it can't make a file. This disk isn't full, so nothing else tells it.
            let isUnknown = codes.contains(14)
            try expect(
                codes.contains(CocoaError.Code.fileWriteOutOfSpace.rawValue) || isUnknown, "the codes are \(codes)")
        }
        return error.code
    }
}
