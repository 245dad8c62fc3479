// SPDX-License-Identifier: Apache-2.0

/// The lock that lets one process at a time migrate a store, or make a store by copying another. The lock is on a file
/// beside the store; the system releases it when the process ends. Unfinished files are in a folder beside the store,
/// which belongs to the process that has the lock.
package enum MigrationLock {
    /// The seconds to wait for another process, unless `NSPersistentStoreTimeoutOption` says otherwise.
    package static let defaultTimeout: TimeInterval = 240

    /// The folders of unfinished files of this process, by the files that are its locks.
    private static let held = Locked<[URL: URL]>([:])

    /// Removes the unfinished files of this process, which ends afterwards.
    package static func abandon() {
        held.withLock { held in
            // The folder is removed before the lock is released: another process makes a folder with the same name once
            // it has the lock.
            for (lock, folder) in held {
                try? OperatingSystem.remove(folder.path)
                try? OperatingSystem.remove(lock.path)
            }
        }
    }

    /// A hidden file beside a store, whose name begins with the name of the store.
    private static func url(beside store: URL, suffix: String) -> URL {
        let store = store.resolvingSymlinksInPath()
        return store.deletingLastPathComponent().appendingPathComponent(".\(store.lastPathComponent).\(suffix)")
    }

    /// The work on a store that one process at a time does.
    package enum Work: CaseIterable, Sendable {
        case migration, copy

        fileprivate var lockSuffix: String { self == .migration ? "migration" : "copy" }
        fileprivate var folderSuffix: String { self == .migration ? "migrating" : "copying" }
        fileprivate var participle: String { self == .migration ? "migrated" : "made" }
        fileprivate var description: String { self == .migration ? "is migrating it" : "is copying a store to it" }
    }

    private static func lockFile(of store: URL, for work: Work) -> URL { url(beside: store, suffix: work.lockSuffix) }

    /// The folder of the unfinished files: `.NAME.migrating` or `.NAME.copying` beside the store.
    package static func folder(of store: URL, for work: Work = .migration) -> URL {
        url(beside: store, suffix: work.folderSuffix)
    }

    /// Makes the folder of unfinished files, for the one who has the lock.
    package static func makeFolder(of store: URL, for work: Work = .migration) throws -> URL {
        let folder = folder(of: store, for: work)
        try OperatingSystem.createFolder(folder.path)
        return folder
    }

    /// Runs a block while no other process, and no other coordinator of this one, migrates the store.
    ///
    /// The files that an interrupted migration has left are removed before the block runs. The block's unfinished files
    /// are removed after it.
    ///
    /// - Parameters:
    ///   - store: the URL of the store.
    ///   - work: the work of the block.
    ///   - timeout: the seconds to wait for another process.
    ///   - waiting: called once, before the first wait.
    ///   - body: the block.
    /// - Throws: `NSPersistentStoreTimeoutError` (134090) if another process takes longer than the timeout.
    package static func withLock<Result>(
        at store: URL, for work: Work = .migration, timeout: TimeInterval, waiting: () -> Void = {},
        _ body: () throws -> Result
    ) throws -> Result {
        let end = OperatingSystem.uptimeNanoseconds &+ UInt64(max(0, min(timeout, 1e9)) * 1e9)
        var isWaiting = false
        while true {
            if let lock = try OperatingSystem.LockedFile(path: lockFile(of: store, for: work).path), lock.isInPlace {
                let (file, folder) = (lockFile(of: store, for: work), folder(of: store, for: work))
                held.withLock { $0[file] = folder }
                defer {
                    held.withLock { held in
                        lock.remove()
                        held[file] = nil
                    }
                }
                try OperatingSystem.remove(folder.path)
                // A folder that can't be removed now is removed later.
                defer { try? OperatingSystem.remove(folder.path) }
                return try body()
            }
            if OperatingSystem.uptimeNanoseconds >= end {
                throw CoreDataErrors.error(
                    NSPersistentStoreTimeoutError,
                    "The store \u{201c}\(store.path)\u{201d} can\u{2019}t be \(work.participle).",
                    reason: "Another process \(work.description).",
                    suggestion: "Try again, or set NSPersistentStoreTimeoutOption.",
                    userInfo: [NSFilePathErrorKey: store.path, NSURLErrorKey: store])
            }
            if !isWaiting { waiting() }
            isWaiting = true
            OperatingSystem.pause()
        }
    }

    /// Removes the unfinished files of migrations and copies that ended early. The files of running ones stay.
    ///
    /// - Returns: the folder of a migration that was removed; nil if there was none, or if it can't be removed.
    @discardableResult
    package static func removeLeftovers(of store: URL) -> URL? {
        _ = removeLeftovers(of: store, for: .copy)
        return removeLeftovers(of: store, for: .migration)
    }

    private static func removeLeftovers(of store: URL, for work: Work) -> URL? {
        let (folder, file) = (folder(of: store, for: work), lockFile(of: store, for: work))
        let exists = OperatingSystem.fileKind(at: folder.path) == .directory
        guard exists || OperatingSystem.fileKind(at: file.path) != .missing,
            let lock = try? OperatingSystem.LockedFile(path: file.path), lock.isInPlace
        else { return nil }
        defer { lock.remove() }
        guard exists, (try? OperatingSystem.remove(folder.path)) != nil else { return nil }
        MigrationLog.write("\(folder.path): removed what a \(work) has left")
        return folder
    }
}
