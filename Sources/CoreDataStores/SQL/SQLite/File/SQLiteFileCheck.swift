// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The state of a store's file, determined before SQLite opens it.
enum SQLiteFileCheck: Equatable {
    /// The file is missing, its folder exists.
    case missing
    /// The file is empty. It counts as a new store.
    case empty
    /// The file has the header of a SQLite database. `isWriteAheadLogged`: the header names the WAL journal.
    case database(isWriteAheadLogged: Bool)

    /// Inspects a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - isEncrypted: whether the store is opened with a key. The header of an encrypted file can't be read before.
    /// - Throws: an error of `NSCocoaErrorDomain` for a folder (256), a file that can't be read (257), a missing
    ///   folder (4), and for a file that is no SQLite database or is truncated (259).
    static func inspect(_ path: String, isEncrypted: Bool = false) throws -> SQLiteFileCheck {
        if SQLiteConnection.isMemory(path) { return .empty }
        switch OperatingSystem.fileKind(at: path) {
        case .missing:
            let folder = OperatingSystem.folder(of: path)
            guard OperatingSystem.fileKind(at: folder) == .directory else {
                throw SQLiteErrors.storeError(
                    SQLiteErrors.fileNoSuchFile, path: path, reason: "The folder \(folder) doesn\u{2019}t exist.",
                    suggestion: "Create the folder before adding the store.")
            }
            return .missing
        case .directory:
            throw SQLiteErrors.storeError(
                SQLiteErrors.fileReadUnknown, path: path, reason: "It is a folder.",
                suggestion: "Give the URL of a file.")
        case .other:
            throw SQLiteErrors.storeError(
                SQLiteErrors.fileReadUnknown, path: path, reason: "It is not a file.",
                suggestion: "Give the URL of a file.")
        case .file(0):
            return .empty
        case .file where isEncrypted:
            return .database(isWriteAheadLogged: true)
        case .file:
            return try inspectHeader(of: path, attempts: 3)
        }
    }

    /// Inspects the header of a file.
    ///
    /// - Parameter attempts: how often a file that seems truncated is read, because another process may be changing its
    ///   size.
    private static func inspectHeader(of path: String, attempts: Int) throws -> SQLiteFileCheck {
        let head = try firstBytes(of: path, count: 100)
        guard head.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw corrupt(
                path,
                "It isn\u{2019}t in the correct format: it is no SQLite database, or an "
                    + "encrypted one, which needs NSSQLiteEncryptionKeyOption.")
        }
        guard head.count == 100 else { throw corrupt(path, "It is truncated.") }
        let declared = Int(head[16]) << 8 | Int(head[17])
        let pageSize = declared == 1 ? 65536 : declared
        guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { throw corrupt(path, "Its header is damaged.") }
        let hasLog: Bool
        if case .file(let logSize) = OperatingSystem.fileKind(at: path + "-wal"), logSize > 0 {
            hasLog = true
        } else {
            hasLog = false
        }
        // The size is read last: the file includes the pages that another connection has moved out of the log.
        guard case .file(let size) = OperatingSystem.fileKind(at: path) else {
            throw corrupt(path, "Another process removed it.")
        }
        // The size in the header is valid only if it was written together with the change counter.
        let pages = word(head, 28)
        if !hasLog, word(head, 24) == word(head, 92), pages > 0, UInt64(pages) * UInt64(pageSize) > size {
            if attempts > 1 { return try inspectHeader(of: path, attempts: attempts - 1) }
            throw corrupt(
                path, "It is truncated: it has \(Wording.count(size, "byte")) of \(UInt64(pages) * UInt64(pageSize)).")
        }
        return .database(isWriteAheadLogged: head[18] == 2 || head[19] == 2)
    }

    /// The first bytes of a file; fewer if the file is shorter.
    ///
    /// SQLite reads them. A program that opens and closes a database's file by itself ends the locks that SQLite holds
    /// for other connections of the process. Another process could then take the write-ahead log away from them.
    ///
    /// - Throws: 257 for a file that can't be read.
    static func firstBytes(of path: String, count: Int) throws -> [UInt8] {
        do {
            return try SQLiteConnection(path: path, mode: .readOnly, timeout: 0).firstBytes(count: count)
        } catch {
            throw SQLiteErrors.storeError(
                SQLiteErrors.fileReadNoPermission, path: path, reason: "It can\u{2019}t be read.",
                suggestion: "Check the permissions of the file.", userInfo: [NSUnderlyingErrorKey: error as NSError])
        }
    }

    private static func word(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        bytes[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    static func corrupt(_ path: String, _ reason: String) -> NSError {
        SQLiteErrors.storeError(
            SQLiteErrors.fileReadCorrupt, path: path, reason: reason, suggestion: "Restore the file from a backup.")
    }
}
