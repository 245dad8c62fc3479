// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
internal import SQLiteLibrary

/// Converts SQLite's result codes and defects of store files into Core Data's errors.
///
/// Every error is in `NSCocoaErrorDomain` with Apple's code, and names the file under `NSFilePath`. An error of SQLite
/// has its extended code under the key `NSSQLiteErrorDomain`.
package enum SQLiteErrors {
    static let sqliteDomain = NSSQLiteErrorDomain

    static let fileNoSuchFile = 4
    static let fileReadUnknown = 256
    static let fileReadNoPermission = 257
    static let fileReadCorrupt = 259
    package static let fileReadNoSuchFile = 260
    static let fileWriteUnknown = 512
    static let fileWriteNoPermission = 513
    static let fileWriteOutOfSpace = 640
    static let userCancelled = 3072
    static let managedObjectConstraintMerge = NSManagedObjectConstraintMergeError
    static let persistentStoreIncompatibleSchema = NSPersistentStoreIncompatibleSchemaError
    static let persistentStoreOpen = NSPersistentStoreOpenError
    static let persistentStoreTimeout = NSPersistentStoreTimeoutError
    static let sqlite = NSSQLiteError

    /// The error for a result code.
    ///
    /// - Parameters:
    ///   - code: SQLite's extended result code.
    ///   - systemCode: the number of the system's error, for a file that SQLite can't open, read or write; otherwise 0.
    ///   - message: SQLite's message.
    ///   - path: the path of the store's file.
    ///   - mode: the mode of the connection. The codes of some errors differ for readers and writers.
    ///   - sql: the text of the statement that failed, without its values.
    package static func error(
        code: Int32, systemCode: Int32, message: String, path: String, mode: SQLiteConnection.Mode, sql: String?
    ) -> NSError {
        let (cocoaCode, suggestion) = codeAndSuggestion(for: code, systemCode, message, mode: mode, path: path)
        var info: [String: Any] = [
            NSFilePathErrorKey: path,
            sqliteDomain: NSNumber(value: code),
            NSUnderlyingErrorKey: CoreDataErrors.error(
                Int(code), message: message, reason: message, domain: sqliteDomain,
                userInfo: [NSFilePathErrorKey: path]),
        ]
        if let sql { info["NSSQLiteStatement"] = sql }
        return CoreDataErrors.error(
            cocoaCode, message: "The store \u{201c}\(fileName(path))\u{201d} couldn\u{2019}t be used: \(message).",
            reason: message, suggestion: suggestion, userInfo: info)
    }

    /// An error about a store file that SQLite hasn't reported.
    ///
    /// - Parameters:
    ///   - code: the code in `NSCocoaErrorDomain`.
    ///   - path: the path of the file.
    ///   - reason: one or two sentences, with the file as the subject.
    ///   - suggestion: how to recover.
    ///   - userInfo: further entries, which replace entries with the same key.
    package static func storeError(
        _ code: Int, path: String, reason: String, suggestion: String? = nil, userInfo: [String: Any] = [:]
    ) -> NSError {
        let message = "The store \u{201c}\(fileName(path))\u{201d} couldn\u{2019}t be opened. \(reason)"
        return CoreDataErrors.error(
            code, message: userInfo[NSLocalizedDescriptionKey] as? String ?? message, reason: reason,
            suggestion: suggestion,
            userInfo: [NSFilePathErrorKey: path, "reason": reason].merging(userInfo) { _, given in given })
    }

    /// Whether an error tells of the contents of a file. Others, of the disk, of memory or of a lock, may pass.
    static func isOfDamage(_ error: NSError) -> Bool {
        guard let code = (error.userInfo[sqliteDomain] as? NSNumber)?.int32Value else { return true }
        return error.code == fileReadCorrupt || code & 0xff == SQLITE_ERROR
    }

    private static func fileName(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    private static func codeAndSuggestion(
        for code: Int32, _ systemCode: Int32, _ message: String, mode: SQLiteConnection.Mode, path: String
    ) -> (Int, String) {
        let isReader = mode == .readOnly || mode == .immutable
        // Swift doesn't import the extended codes, which C writes as expressions.
        let shortRead = SQLITE_IOERR | 2 << 8
        let corruptFileSystem = SQLITE_IOERR | 33 << 8
        let access = SQLITE_IOERR | 13 << 8
        let primaryKey = SQLITE_CONSTRAINT | 6 << 8
        let unique = SQLITE_CONSTRAINT | 8 << 8
        switch code {
        case shortRead, corruptFileSystem:
            return (fileReadCorrupt, "The file is damaged or truncated: restore it from a backup.")
        case access:
            return (
                isReader ? fileReadNoPermission : fileWriteNoPermission,
                "Check the permissions of the file and its folder."
            )
        case unique, primaryKey:
            return (
                managedObjectConstraintMerge,
                "Set a merge policy on the context, or give the object unique values."
            )
        default: break
        }
        // SQLite reports "can't open" for a file that it can't make, too.
        if [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xff), OperatingSystem.isOutOfSpace(systemCode) {
            return fullVolume
        }
        switch code & 0xff {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT:
            return (fileReadCorrupt, "The file is not a SQLite database or is damaged: restore it from a backup.")
        case SQLITE_CANTOPEN:
            return openingFailure(isReader: isReader, path: path)
        case SQLITE_PERM, SQLITE_AUTH:
            return (
                isReader ? fileReadNoPermission : fileWriteNoPermission,
                "Check the permissions of the file and its folder."
            )
        case SQLITE_READONLY:
            return (
                fileWriteNoPermission,
                "Make the file and its folder writable, or add the store with NSReadOnlyPersistentStoreOption."
            )
        case SQLITE_FULL:
            return (fileWriteOutOfSpace, "Free space on the volume, and try again; nothing was written.")
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
            return (
                persistentStoreTimeout,
                "Another process or connection locks the store: try again, or raise NSPersistentStoreTimeoutOption."
            )
        case SQLITE_IOERR:
            return fileSystemFailure(isReader: isReader, path: path)
        case SQLITE_INTERRUPT:
            return (userCancelled, "The operation was cancelled.")
        case SQLITE_ERROR where message.lowercased() == "no such module: rtree":
            return (
                sqlite,
                "The program's SQLite has no R-trees: use one that is compiled with SQLITE_ENABLE_RTREE, or a model "
                    + "without fetch indexes of the type rTree."
            )
        default:
            return (sqlite, "See the SQLite code under NSSQLiteErrorDomain.")
        }
    }

    /// The reason for SQLite's "disk I/O error". On a full volume SQLite can't make the index of the log, which readers
    /// need, too.
    private static func fileSystemFailure(isReader: Bool, path: String) -> (Int, String) {
        if isVolumeFull(path) { return fullVolume }
        // The file was deleted after it was opened.
        if isReader, OperatingSystem.fileKind(at: path) == .missing {
            return openingFailure(isReader: isReader, path: path)
        }
        return (isReader ? fileReadUnknown : fileWriteUnknown, "The file system reported an error: check the volume.")
    }

    private static func isVolumeFull(_ path: String) -> Bool {
        OperatingSystem.isVolumeFull(OperatingSystem.folder(of: path), for: logIndexSize)
    }

    private static let fullVolume = (
        fileWriteOutOfSpace,
        "The volume is full: free space on it, and try again. To read a store needs some space, too."
    )

    /// The size of the first part of the index of a write-ahead log.
    private static let logIndexSize = 32_768

    /// The reason for SQLite's "can't open", found by inspecting the file.
    private static func openingFailure(isReader: Bool, path: String) -> (Int, String) {
        switch OperatingSystem.fileKind(at: path) {
        case .missing where isReader:
            return (fileReadNoSuchFile, "Check the store's URL.")
        case .missing:
            return OperatingSystem.fileKind(at: OperatingSystem.folder(of: path)) == .directory
                ? (fileWriteNoPermission, "Make the store's folder writable.")
                : (fileNoSuchFile, "Create the store's folder before adding the store.")
        case .directory:
            return (fileReadUnknown, "The URL names a folder: give the URL of a file.")
        default:
            // SQLite says no more about a log that it can't make.
            if isVolumeFull(path) { return fullVolume }
            return (
                isReader ? fileReadNoPermission : fileWriteNoPermission,
                "Check the permissions of the file and its folder."
            )
        }
    }
}
