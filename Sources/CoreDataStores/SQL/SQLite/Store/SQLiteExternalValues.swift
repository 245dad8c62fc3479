// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Reads values with external storage on one connection. A missing file or a damaged value is logged once.
///
/// A save of another coordinator or process removes the files of former values. So a missing file may have been there
/// when the read transaction began: the rows that were read are then older than the store. ``checkRows()`` throws, and
/// the request is repeated in a new transaction (``beginRequest()``). If a row of the new transaction names the file,
/// too, the file is lost for good. The value is then read as nil, so that the other values of the row can be used.
///
/// Guarded by the lock of the open store that owns it.
final class SQLiteExternalValueReader {
    let externalData: SQLiteExternalData
    private unowned let connection: SQLiteConnection
    /// Whether a missing file is an error at once: the request is then repeated on another connection.
    private let isStrict: Bool
    /// Columns that were logged.
    private var reported: Set<Data> = []
    /// Columns whose files were missing before the transaction of this request began.
    private var lost: Set<Data> = []
    /// Columns whose files were missing first in this request.
    private var missing: Set<Data> = []
    // Unchecked: the owner of the connection is on one thread, and no access contains another one.
    @exclusivity(unchecked) private var failure: NSError?

    init(_ externalData: SQLiteExternalData, on connection: SQLiteConnection, isStrict: Bool = false) {
        self.externalData = externalData
        self.connection = connection
        self.isStrict = isStrict
    }

    /// The value of a column: its bytes, or the contents of the file that it names.
    ///
    /// A damaged value, and a value whose file is lost, is read as nil. The column stays as it is until another value
    /// is set.
    func value(of column: Data, entityName: String) throws -> Data? {
        do {
            return try externalData.decode(column)
        } catch let error as NSError where error.code == SQLiteErrors.fileReadCorrupt {
            report(column, error, entityName)
            return nil
        } catch let error as NSError where error.code == SQLiteErrors.fileReadNoSuchFile && !isStrict {
            // A transaction that writes has the newest rows.
            if lost.contains(column) || connection.holdsWriteLock {
                report(column, error, entityName)
            } else {
                missing.insert(column)
                failure = error
            }
            return nil
        }
    }

    private func report(_ column: Data, _ error: NSError, _ entityName: String) {
        guard reported.insert(column).inserted else { return }
        let detail = [error.localizedFailureReason, error.localizedRecoverySuggestion].compactMap { $0 }.joined(
            separator: " ")
        CoreDataLog.error("\(detail) An object of entity \(entityName) has no value there.")
    }

    /// Whether the request has found files missing that its rows may have had when its transaction began.
    var hasOldRows: Bool { failure != nil }

    /// Checks that the files which the last rows name exist, or are lost for good.
    ///
    /// - Throws: 260.
    @inline(__always)
    func checkRows() throws { if let failure { throw failure } }

    /// Begins a request, in a transaction that has begun after the end of the former request's transaction.
    @inline(__always)
    func beginRequest() { if failure != nil { expectLostFiles() } }

    /// A file that is missing in the next request, too, counts as lost for good.
    @inline(never)
    private func expectLostFiles() {
        lost.formUnion(missing)
        missing = []
        failure = nil
    }

    /// Compares the files that were found missing with the newest rows of the store, for a connection whose transaction
    /// reads old ones. A file that the newest rows name is lost for good.
    ///
    /// - Parameter names: the files that the newest rows name.
    /// - Throws: 260 for a file that only older rows name.
    func expectLostFiles(amongFilesOf names: Set<String>) throws {
        guard let failure else { return }
        let replaced = missing.contains { SQLiteExternalData.fileName(in: $0).map { !names.contains($0) } ?? true }
        if replaced {
            missing = []
            self.failure = nil
            throw failure
        }
        expectLostFiles()
    }
}

/// The files of external data that one transaction writes, and the files that no row names after it.
struct SQLiteExternalFileChanges {
    private let externalData: SQLiteExternalData
    /// The UUID of the store.
    private let identifier: String
    private var written: [String] = []
    /// Removed after the commit, when no query generation reads them.
    private(set) var unused: [String] = []
    /// The record of both, for the case that the process ends; nil while there are none.
    private(set) var journal: SQLiteExternalJournal?

    init(_ file: SQLiteStoreFile) {
        externalData = file.externalData
        identifier = file.identifier
    }

    /// The column's value for the value of an attribute. The file of a large value is written now.
    mutating func column(for value: Data) throws -> Data {
        let (column, file) = try externalData.encode(value) { name in
            try openJournal().record([name])
        }
        if let file { written.append(file) }
        return column
    }

    /// Records that the transaction deletes or overwrites a column's value.
    mutating func recordUnused(_ column: Data?) {
        if let column, let name = SQLiteExternalData.fileName(in: column) { unused.append(name) }
    }

    /// Records the unused files in the journal, and flushes the new files to the disk. Call it before the transaction
    /// commits.
    mutating func prepareForCommit() throws {
        if !written.isEmpty { externalData.synchronizeFolder() }
        if !unused.isEmpty { try openJournal().record(unused) }
    }

    private mutating func openJournal() throws -> SQLiteExternalJournal {
        if let journal { return journal }
        let journal = try SQLiteExternalJournal.make(for: externalData, identifiers: [identifier])
        self.journal = journal
        return journal
    }

    /// Removes the files that the transaction has written: it was undone.
    mutating func revert() {
        for name in written { try? externalData.remove(file: name) }
        written = []
        unused = []
        journal = nil
    }
}
