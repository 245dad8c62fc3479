// SPDX-License-Identifier: Apache-2.0

/// Reads values with external storage for one open store. A missing file is logged once.
///
/// Guarded by the lock of the open store that owns it.
package final class SQLiteExternalValueReader {
    package let externalData: SQLiteExternalData
    /// Whether a missing file is an error: a save may have removed it since the transaction began.
    private let isStrict: Bool
    /// Column values whose files are missing.
    private var reported: Set<Data> = []

    init(_ externalData: SQLiteExternalData, isStrict: Bool) {
        self.externalData = externalData
        self.isStrict = isStrict
    }

    /// The value of a column: its own bytes, or those of the file that it names.
    ///
    /// A value whose file is missing reads as nil, so that the other values of the row can be used. The column retains
    /// the name of the file until another value is set.
    package func value(of column: Data, entityName: String) throws -> Data? {
        do {
            return try externalData.decode(column)
        } catch let error as NSError where error.code == SQLiteErrors.fileReadNoSuchFile && !isStrict {
            guard reported.insert(column).inserted else { return nil }
            let detail = [error.localizedFailureReason, error.localizedRecoverySuggestion].compactMap { $0 }.joined(
                separator: " ")
            CoreDataLog.error("\(detail) An object of entity \(entityName) has no value there.")
            return nil
        }
    }
}

/// The files of external data that one transaction writes, and those that no row names after it.
struct SQLiteExternalFileChanges {
    private let externalData: SQLiteExternalData
    private var written: [String] = []
    /// Removed after the commit, when no query generation reads them.
    private(set) var unused: [String] = []
    /// The record of both, for the case that the process ends; nil while there are none.
    private(set) var journal: SQLiteExternalJournal?

    init(_ externalData: SQLiteExternalData) { self.externalData = externalData }

    /// The column's value for the value of an attribute. The file of a large value is written now.
    package mutating func column(for value: Data) throws -> Data {
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

    /// Records the unused files in the journal. Call it before the transaction commits.
    mutating func prepareForCommit() throws {
        if !unused.isEmpty { try openJournal().record(unused) }
    }

    private mutating func openJournal() throws -> SQLiteExternalJournal {
        if let journal { return journal }
        let journal = try SQLiteExternalJournal.make(for: externalData)
        self.journal = journal
        return journal
    }

    /// Removes the files that the transaction has written: it was undone.
    package mutating func revert() {
        for name in written { try? externalData.remove(file: name) }
        written = []
        unused = []
        journal = nil
    }
}
