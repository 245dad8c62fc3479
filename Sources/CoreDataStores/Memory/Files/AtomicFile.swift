// SPDX-License-Identifier: Apache-2.0

/// A file that is read and replaced as a whole.
package enum AtomicFile {
    /// A larger file isn't read, nor written.
    static let sizeLimit: UInt64 = 1 << 30

    /// Checks that a path names a file or nothing.
    ///
    /// - Returns: whether there is a file with contents.
    /// - Throws: 256 for a folder or a device, 4 for a missing folder.
    package static func check(_ path: String) throws -> Bool {
        switch OperatingSystem.fileKind(at: path) {
        case .missing:
            let folder = OperatingSystem.folder(of: path)
            guard OperatingSystem.fileKind(at: folder) == .directory else {
                throw AtomicFileErrors.error(
                    CocoaError.Code.fileNoSuchFile.rawValue, path, .opening,
                    reason: "The folder \(folder) doesn\u{2019}t exist.",
                    suggestion: "Create the folder before adding the store.")
            }
            return false
        case .file(let size):
            if DatabaseFiles.contains(path) {
                throw AtomicFileErrors.corrupt(path, "It is a SQLite database, which this process has open.")
            }
            guard size <= sizeLimit else {
                throw AtomicFileErrors.corrupt(
                    path, "It has \(Wording.count(size, "byte")), too many to be read at once.")
            }
            return size > 0
        case .directory, .other:
            let isFolder = OperatingSystem.fileKind(at: path) == .directory
            throw AtomicFileErrors.error(
                CocoaError.Code.fileReadUnknown.rawValue, path, .opening,
                reason: isFolder ? "It is a folder." : "It is not a file.", suggestion: "Give the URL of a file.")
        }
    }

    /// The contents of a file.
    ///
    /// - Throws: 257 for a file that can't be read, and other errors of reading.
    package static func contents(_ path: String) throws -> Data {
        do {
            return try OperatingSystem.contents(of: path)
        } catch {
            throw AtomicFileErrors.error(error, path, .opening)
        }
    }

    /// The contents of a file that must exist.
    ///
    /// - Throws: 260 for a missing file, 259 for an empty one, and the errors of reading.
    package static func existingContents(_ path: String) throws -> Data {
        if OperatingSystem.fileKind(at: path) == .missing {
            throw AtomicFileErrors.error(
                CocoaError.Code.fileReadNoSuchFile.rawValue, path, .opening, reason: "The file doesn\u{2019}t exist.",
                suggestion: "Check the URL.")
        }
        guard try check(path) else { throw AtomicFileErrors.corrupt(path, "The file is empty.") }
        return try contents(path)
    }

    /// Runs a block that alone has the lock of the file. A missing file is no error here.
    ///
    /// - Throws: `NSPersistentStoreTimeoutError` (134090) if the file stays locked.
    package static func withLock(_ path: String, timeout: TimeInterval, _ body: () throws -> Void) throws {
        guard OperatingSystem.fileKind(at: path) != .missing, OperatingSystem.isReadable(path) else {
            return try body()
        }
        guard try OperatingSystem.withLock(onFile: path, timeout: timeout, body) == nil else { return }
        throw AtomicFileErrors.error(
            NSPersistentStoreTimeoutError, path, .saving, reason: "Another process has locked it.",
            suggestion: "Try again, or set NSPersistentStoreTimeoutOption.")
    }

    private static let unfinishedSuffix = ".new"

    /// Removes the new contents that a process which ended during a save has left beside a file.
    ///
    /// A process that saves has the lock of the file, so without the lock nothing is removed. A failure costs
    /// only space.
    package static func removeUnfinished(_ path: String) {
        let files = unfinishedFiles(beside: path)
        if files.isEmpty { return }
        _ = try? OperatingSystem.withLock(onFile: path, timeout: 0) {
            for file in files { try? OperatingSystem.remove(file) }
        }
    }

    /// The new contents beside a file, of saves that are running or have not ended.
    package static func unfinishedFiles(beside path: String) -> [String] {
        let file = URL(fileURLWithPath: path)
        let prefix = file.lastPathComponent + "."
        let folder = file.deletingLastPathComponent().path
        return OperatingSystem.names(inFolder: folder).filter { name in
            name.hasPrefix(prefix) && name.hasSuffix(unfinishedSuffix)
                && UUID(uuidString: String(name.dropFirst(prefix.count).dropLast(unfinishedSuffix.count))) != nil
        }.map { folder + "/" + $0 }
    }

    /// Replaces a file in one step.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - bytes: the new contents.
    ///   - beforeReplacing: called when the new contents are on the disk. After an error of it the file is as before.
    /// - Returns: the stamp of the new file. Another process may have replaced it since.
    /// - Throws: file errors (512, 513, 640, 642), and what the block throws.
    @discardableResult
    package static func replace(_ path: String, by bytes: Data, beforeReplacing: () throws -> Void) throws
        -> OperatingSystem.FileStamp
    {
        let unfinished = try write(bytes, beside: path)
        return try name(unfinished, path, after: beforeReplacing) {
            try OperatingSystem.renameDurably(unfinished.path, to: path)
            return unfinished.stamp
        }
    }

    /// Makes a file in one step, unless the path names one already.
    ///
    /// - Returns: the stamp of the new file; nil if another process has made a file since the caller found none.
    /// - Throws: file errors (512, 513, 640, 642), and what the block throws.
    package static func create(_ path: String, _ bytes: Data, beforeNaming: () throws -> Void = {}) throws
        -> OperatingSystem.FileStamp?
    {
        let unfinished: UnfinishedFile
        do {
            unfinished = try write(bytes, beside: path)
        } catch {
            // A process that opens the file of another one removes the new contents beside it.
            guard OperatingSystem.fileKind(at: path) == .missing else { return nil }
            throw error
        }
        return try name(unfinished, path, after: beforeNaming) {
            if try OperatingSystem.renameIfFree(unfinished.path, to: path) { return unfinished.stamp }
            try? OperatingSystem.remove(unfinished.path)
            return nil
        }
    }

    /// New contents that don't have the name of the file yet.
    private struct UnfinishedFile {
        let path: String
        let stamp: OperatingSystem.FileStamp
    }

    private static func write(_ bytes: Data, beside path: String) throws -> UnfinishedFile {
        guard UInt64(bytes.count) <= sizeLimit else {
            throw AtomicFileErrors.error(
                NSPersistentStoreSaveError, path, .saving,
                reason: "It would have \(Wording.count(bytes.count, "byte")), too many to be read at once.",
                suggestion: "Use a SQLite store.")
        }
        let temporary = path + "." + UUID().uuidString + unfinishedSuffix
        do {
            try OperatingSystem.createDurableFile(temporary, contents: bytes, permissionsOf: path)
        } catch {
            try? OperatingSystem.remove(temporary)
            throw AtomicFileErrors.error(error, path, .saving)
        }
        // Under its other name another process may replace the file at once.
        guard let stamp = OperatingSystem.fileStamp(at: temporary) else {
            throw AtomicFileErrors.error(
                CocoaError.Code.fileWriteUnknown.rawValue, path, .saving, reason: "Its new contents were removed.",
                suggestion: "Save again.")
        }
        return UnfinishedFile(path: temporary, stamp: stamp)
    }

    /// Gives new contents their name. After an error they are removed.
    private static func name<Result>(
        _ unfinished: UnfinishedFile, _ path: String, after beforeNaming: () throws -> Void,
        naming: () throws -> Result
    ) throws -> Result {
        do {
            try beforeNaming()
        } catch {
            try? OperatingSystem.remove(unfinished.path)
            throw error
        }
        do {
            return try naming()
        } catch {
            try? OperatingSystem.remove(unfinished.path)
            throw AtomicFileErrors.error(error, path, .saving)
        }
    }
}
