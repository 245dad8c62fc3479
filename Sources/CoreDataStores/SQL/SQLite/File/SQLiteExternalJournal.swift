// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The names of the files of external data that a transaction writes, or that no row refers to after it.
///
/// It is a file beside the folder of external data, while the transaction runs and until its unused files are removed.
/// If the process ends before, the file remains, and the next opening of the store removes the files that no row refers
/// to. The process holds a lock on its journal, so that no other process takes the journal of a running process for a
/// remainder.
///
/// Stores whose names differ in their extensions share the folder, so the first line names the journal's store: the
/// name of its file, and its UUID before and after the transaction. Another store can't know whether the files in the
/// journal are in use.
final class SQLiteExternalJournal: @unchecked Sendable {
    private static let prefix = "_PENDING_"
    private static let ownerMark = "STORE"
    /// The library writes no longer journal: a name has 37 bytes.
    private static let sizeLimit = 256 << 20

    private static let attempts = 5

    private let file: OperatingSystem.LockedFile
    private let externalData: SQLiteExternalData
    /// Used by the owner of the journal alone.
    private var isLeft = false

    private init(_ file: OperatingSystem.LockedFile, of externalData: SQLiteExternalData) {
        self.file = file
        self.externalData = externalData
    }

    deinit { if !isLeft { file.remove() } }

    /// Leaves the journal, since the unused files couldn't be removed: the next opening of the store removes them.
    func leave() { isLeft = true }

    /// Makes the journal of a transaction.
    ///
    /// - Parameter identifiers: the UUIDs that the store may have after the transaction, whether it commits or not.
    static func make(for externalData: SQLiteExternalData, identifiers: [String]) throws
        -> SQLiteExternalJournal
    {
        do {
            try OperatingSystem.createFolder(externalData.supportFolder)
            for _ in 0..<attempts {
                let path = externalData.supportFolder + "/" + prefix + UUID().uuidString
                // Another process may take a file without contents for a remainder, before it is locked here.
                guard let file = try OperatingSystem.LockedFile(path: path) else { continue }
                // A journal that can't be written is removed with its object.
                let journal = SQLiteExternalJournal(file, of: externalData)
                let owner = [ownerMark, identifiers.joined(separator: ","), fileName(of: externalData)]
                try file.append(Data((owner.joined(separator: " ") + "\n").utf8))
                return journal
            }
        } catch {
            throw unwritable(error, externalData)
        }
        throw SQLiteErrors.storeError(
            512, path: externalData.storePath, reason: "The journal of external data is locked by other processes.",
            suggestion: "Save again.")
    }

    /// Records names. Call it before a file is created, and before the transaction that makes files unused commits.
    func record(_ names: [String]) throws {
        guard !names.isEmpty else { return }
        do {
            try file.append(Data(names.map { $0 + "\n" }.joined().utf8))
        } catch {
            throw Self.unwritable(error, externalData)
        }
    }

    private static func unwritable(_ error: any Error, _ externalData: SQLiteExternalData) -> NSError {
        externalData.wrapped(error, "The journal of external data couldn\u{2019}t be written.", 512)
    }

    /// The journals that ended processes have left of transactions of a store, with the names in them.
    ///
    /// - Parameter identifier: the UUID of the store.
    static func remainders(of externalData: SQLiteExternalData, identifier: String) -> [(
        journal: SQLiteExternalJournal, names: [String]
    )] {
        paths(of: externalData).compactMap { path in
            guard let contents = contents(path), contents.isRemainder(of: externalData, identifier),
                let file = try? OperatingSystem.LockedFile(path: path, creates: false)
            else { return nil }
            let journal = SQLiteExternalJournal(file, of: externalData)
            // Its writer may have gone on until the lock was free.
            let present = Self.contents(path) ?? contents
            guard present.isRemainder(of: externalData, identifier) else {
                journal.leave()
                return nil
            }
            return (journal, present.names)
        }
    }

    /// Whether there may be journals of ended processes. Journals of living processes count too.
    static func mayHaveRemainders(of externalData: SQLiteExternalData) -> Bool { !paths(of: externalData).isEmpty }

    /// The names in all journals but some: of transactions that are running, or whose stores were not opened since.
    static func pendingNames(of externalData: SQLiteExternalData, except own: [SQLiteExternalJournal]) -> Set<String> {
        let own = own.map(\.file.path)
        return paths(of: externalData).reduce(into: Set()) { names, path in
            guard !own.contains(path), let contents = contents(path) else { return }
            names.formUnion(contents.names)
        }
    }

    private static func paths(of externalData: SQLiteExternalData) -> [String] {
        OperatingSystem.names(inFolder: externalData.supportFolder).filter { $0.hasPrefix(prefix) }
            .map { externalData.supportFolder + "/" + $0 }
    }

    private struct Contents {
        /// The first line; nil if the process ended before it was written. Such a journal names no file.
        let owner: String?
        let names: [String]

        func isRemainder(of externalData: SQLiteExternalData, _ identifier: String) -> Bool {
            owner.map { SQLiteExternalJournal.isOwner($0, externalData, identifier) } ?? true
        }
    }

    private static func contents(_ path: String) -> Contents? {
        guard case .file(let size) = OperatingSystem.plainKind(at: path), size <= sizeLimit,
            let bytes = try? OperatingSystem.contents(ofPlainFile: path)
        else { return nil }
        if isBegun(bytes), OperatingSystem.nameCount(of: path) == 1 { return Contents(owner: nil, names: []) }
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        let owner = lines.first.flatMap { $0.hasPrefix(ownerMark + " ") ? $0 : nil }
        if owner != nil { lines.removeFirst() }
        return Contents(owner: owner ?? "", names: lines)
    }

    /// Whether a file has a part of the first line of a journal. Another file may be a database: it must not be opened.
    private static func isBegun(_ bytes: Data) -> Bool {
        let mark = Data((ownerMark + " ").utf8)
        return bytes.count < mark.count
            ? mark.starts(with: bytes) : bytes.starts(with: mark) && !bytes.contains(UInt8(ascii: "\n"))
    }

    private static func isOwner(_ text: String, _ externalData: SQLiteExternalData, _ identifier: String) -> Bool {
        let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
        guard parts.count == 3, parts[1].split(separator: ",").contains(where: { $0 == identifier }) else {
            return false
        }
        // A store may have been renamed since, but a copy with the same UUID may stand beside it.
        let former = OperatingSystem.folder(of: externalData.storePath) + "/" + parts[2]
        return parts[2] == fileName(of: externalData) || OperatingSystem.plainKind(at: former) == .missing
    }

    private static func fileName(of externalData: SQLiteExternalData) -> String {
        URL(fileURLWithPath: externalData.storePath).lastPathComponent
    }
}

/// Removes the files of external data that a process which ended during a save has left behind.
struct SQLiteExternalRecovery {
    let connection: SQLiteConnection
    let externalData: SQLiteExternalData
    /// The UUID of the store.
    let identifier: String

    /// A failure is logged, as it costs only space: the store opens all the same.
    func run() {
        guard !SQLiteConnection.isMemory(externalData.storePath),
            SQLiteExternalJournal.mayHaveRemainders(of: externalData)
        else { return }
        do {
            // This transaction keeps other processes from writing, so a file that no row names is unused.
            try connection.withTransaction { try removeUnusedFiles() }
        } catch {
            CoreDataLog.warning(
                """
                The files of external data that an ended process has left beside \(externalData.storePath) remain: \
                \((error as NSError).localizedDescription)
                """)
        }
    }

    private func removeUnusedFiles() throws {
        let remainders = SQLiteExternalJournal.remainders(of: externalData, identifier: identifier)
        guard !remainders.isEmpty else { return }
        let named: Set<String>
        do {
            named = try SQLiteExternalData.fileNames(on: connection)
        } catch {
            for (journal, _) in remainders { journal.leave() }
            throw error
        }
        let pending = SQLiteExternalJournal.pendingNames(of: externalData, except: remainders.map(\.journal))
        for name in Set(remainders.flatMap(\.names)).subtracting(named).subtracting(pending) {
            do {
                try externalData.remove(file: name)
            } catch {
                for (journal, _) in remainders { journal.leave() }
                throw error
            }
        }
    }
}
