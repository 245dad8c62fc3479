// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Copies the files of external data that the rows of a store name, while programs go on saving into the store.
///
/// A file never changes. A save removes a file only after a transaction has committed in which no row names it. So a
/// read transaction that begins after a file was found missing, and has a row that names the file, shows that it is
/// missing for good: such a file doesn't prevent a copy. A file that is found missing for the first time may have been
/// removed by a save since the transaction began. The caller then reads the rows again in a newer transaction, for
/// which only files are copied that are new.
final class SQLiteExternalDataCopy {
    private let source: SQLiteExternalData
    private let destination: SQLiteExternalData
    /// Whether the folders existed before the copy.
    private let hadSupportFolder: Bool
    private var journal: SQLiteExternalJournal?
    /// The files at the destination that have the value of their name.
    private var complete: Set<String> = []
    /// The files that the copy has made.
    private var made: Set<String> = []
    /// The files of the source that were found missing in earlier transactions.
    private var missing: Set<String> = []
    /// The files of the destination that no row of the copy names.
    private var unused: [String] = []

    init(from source: SQLiteExternalData, to destination: SQLiteExternalData) {
        self.source = source
        self.destination = destination
        hadSupportFolder = OperatingSystem.fileKind(at: destination.supportFolder) == .directory
    }

    /// Whether both stores have one folder for external data: their files have one name but for its extension.
    var sharesFolder: Bool {
        func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        return resolved(source.supportFolder) == resolved(destination.supportFolder)
    }

    /// Copies the files with some names.
    ///
    /// - Parameters:
    ///   - names: the names in the rows of a read transaction that began after the last call.
    ///   - isLocked: whether no other transaction can commit meanwhile.
    /// - Returns: false if a newer transaction is needed.
    /// - Throws: 512, 513, 640 for a file that can't be written.
    package func copy(_ names: Set<String>, isLocked: Bool) throws -> Bool {
        var removed: Set<String> = []
        let wanted = names.subtracting(complete).subtracting(missing).sorted()
        if !wanted.isEmpty { try record(wanted) }
        for name in wanted where try !copy(name) { removed.insert(name) }
        missing.formUnion(removed)
        return removed.isEmpty || isLocked
    }

    /// Copies a file, unless the destination has it.
    ///
    /// - Returns: false if the source has no such file.
    private func copy(_ name: String) throws -> Bool {
        let size = source.size(of: name)
        if let existing = destination.size(of: name), existing == size ?? existing {
            complete.insert(name)
            return true
        }
        if size == nil { return false }
        do {
            // A process that is killed leaves a file of another name, never a part of this one.
            try destination.copy(file: name, from: source) { try record([$0]) }
        } catch {
            if source.size(of: name) == nil { return false }
            throw error
        }
        complete.insert(name)
        made.insert(name)
        return true
    }

    /// Finds the files of the destination that a copy is going to make unused, and records them in the journal. Call it
    /// before the copy: a program may save into the destination afterwards.
    ///
    /// - Parameter names: the names in the rows of the copy.
    package func prepare(naming names: Set<String>) throws {
        unused = OperatingSystem.names(inFolder: destination.dataFolder).filter { !names.contains($0) }
        if !unused.isEmpty { try record(unused) }
    }

    /// Removes the unused files. Call it when the copy is complete.
    package func finish() {
        for name in unused { try? destination.remove(file: name) }
        journal = nil
    }

    /// Removes what the copy has made.
    package func revert() {
        for name in made { try? destination.remove(file: name) }
        journal = nil
        if !hadSupportFolder { try? OperatingSystem.remove(destination.supportFolder) }
    }

    private func record(_ names: [String]) throws {
        let journal = try journal ?? SQLiteExternalJournal.make(for: destination)
        self.journal = journal
        try journal.record(names)
    }
}
