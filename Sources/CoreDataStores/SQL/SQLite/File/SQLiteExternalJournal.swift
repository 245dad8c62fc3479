// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The names of the files of external data that a transaction writes, or that no row refers to after it.
///
/// It is a file beside the folder of external data, while the transaction runs and until its unused files are removed.
/// If the process ends before, the file remains, and the next opening of the store removes the files that no row refers
/// to. The process holds a lock on its journal, so that no other process takes the journal of a living one for
/// a remainder.
/// The functions are called inside of a write transaction of the store.
package final class SQLiteExternalJournal: @unchecked Sendable {
    private static let prefix = "_PENDING_"

    private let file: OperatingSystem.LockedFile

    private init(_ file: OperatingSystem.LockedFile) { self.file = file }

    deinit { file.remove() }

    /// Makes the journal of a transaction.
    package static func make(for externalData: SQLiteExternalData) throws -> SQLiteExternalJournal {
        let path = externalData.supportFolder + "/" + prefix + UUID().uuidString
        do {
            try OperatingSystem.createFolder(externalData.supportFolder)
            if let file = try OperatingSystem.LockedFile(path: path) { return SQLiteExternalJournal(file) }
        } catch {
            throw externalData.wrapped(error, "The journal of external data couldn\u{2019}t be written.", 512)
        }
        throw SQLiteErrors.storeError(
            512, path: externalData.storePath, reason: "The journal of external data \(path) is locked.",
            suggestion: "Save again.")
    }

    /// Records names. Call it before a file is created, and before the transaction that makes files unused commits.
    package func record(_ names: [String]) throws {
        guard !names.isEmpty else { return }
        try file.append(Data(names.map { $0 + "\n" }.joined().utf8))
    }

    /// The journals that ended processes have left, with the names in them.
    package static func remainders(of externalData: SQLiteExternalData) -> [(
        journal: SQLiteExternalJournal, names: [String]
    )] {
        OperatingSystem.names(inFolder: externalData.supportFolder).filter { $0.hasPrefix(prefix) }.compactMap { name in
            guard let file = try? OperatingSystem.LockedFile(path: externalData.supportFolder + "/" + name),
                let contents = try? file.contents()
            else { return nil }
            return (
                SQLiteExternalJournal(file),
                String(decoding: contents, as: UTF8.self).split(separator: "\n").map(String.init)
            )
        }
    }

    /// Whether there may be journals of ended processes. Journals of living processes count too.
    static func mayHaveRemainders(of externalData: SQLiteExternalData) -> Bool {
        OperatingSystem.names(inFolder: externalData.supportFolder).contains { $0.hasPrefix(prefix) }
    }
}

/// Removes the files of external data that a process which ended during a save has left behind.
struct SQLiteExternalRecovery {
    package let connection: SQLiteConnection
    package let schema: SQLSchema
    package let externalData: SQLiteExternalData

    /// A failure is logged, as it costs only space: the store opens all the same.
    package func run() {
        guard externalData.storePath != SQLiteConnection.memoryPath,
            SQLiteExternalJournal.mayHaveRemainders(of: externalData)
        else { return }
        do {
            // No transaction of another process runs meanwhile, so a file that no row names is unused.
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
        let remainders = SQLiteExternalJournal.remainders(of: externalData)
        var unused = Set(remainders.flatMap(\.names))
        guard !unused.isEmpty else { return }
        unused.subtract(try externalData.fileNames(on: connection, schema))
        for name in unused { try externalData.remove(file: name) }
    }
}
