// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Copies the files of external data that the rows of a store name, while programs go on saving into the store.
///
/// A file never changes. A save removes a file only after a transaction has committed in which no row names it. So a
/// read transaction that begins after a file was found missing, and has a row that names the file, shows that it is
/// missing for good: such a file doesn't prevent a copy. A file that is found missing for the first time may have been
/// removed by a save since the transaction began. The caller then reads the rows again in a newer transaction, and
/// copies only the files that are new in it.
///
/// Other stores may have files in the folder of the destination. The copy removes only files that rows of the replaced
/// store named, or that this copy has made, and that no row names any longer.
final class SQLiteExternalDataCopy {
    private let source: SQLiteExternalData
    private let destination: SQLiteExternalData
    /// The UUIDs of the source, and of the store that the copy replaces.
    private var identifiers: [String] = []
    private var journal: SQLiteExternalJournal?
    /// The files at the destination that have the value of their name.
    private var complete: Set<String> = []
    /// The files that the copy has made, also for rows of earlier transactions.
    private var made: Set<String> = []
    /// The files that the rows of the last transaction name.
    private var named: Set<String> = []
    /// The files of the source that were found missing in earlier transactions.
    private var missing: Set<String> = []
    /// The files of the replaced store that no row of the copy names.
    private var unused: Set<String> = []

    init(from source: SQLiteExternalData, to destination: SQLiteExternalData) {
        self.source = source
        self.destination = destination
    }

    /// Whether both stores have one folder for external data: their files have one name but for its extension.
    var sharesFolder: Bool {
        func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        return resolved(source.supportFolder) == resolved(destination.supportFolder)
    }

    /// Copies the files that the rows of a store name.
    ///
    /// - Parameters:
    ///   - connection: a connection to the store, in a read transaction that began after the last call.
    ///   - isLocked: whether the caller holds a lock, so that no other transaction can commit during the copy.
    /// - Returns: false if a newer transaction is needed.
    /// - Throws: 512, 513, 640 for a file that can't be written.
    func copy(namedOn connection: SQLiteConnection, isLocked: Bool) throws -> Bool {
        if let identifier = try SQLiteStoreMetadata.identifier(on: connection), !identifiers.contains(identifier) {
            identifiers.append(identifier)
        }
        named = try SQLiteExternalData.fileNames(on: connection)
        var removed: Set<String> = []
        let wanted = named.subtracting(complete).subtracting(missing).sorted()
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

    /// Finds the files of the store that is going to be replaced, and records in the journal the files that the copy
    /// doesn't name. Call it before the copy: a program may save into the destination afterwards.
    ///
    /// - Parameters:
    ///   - former: a connection to the replaced store.
    ///   - connection: the connection whose rows were copied last.
    ///   - allowsDamage: whether the replaced store may be damaged. Files whose rows can't be read then stay.
    /// - Throws: errors of reading the stores.
    func prepare(
        replacing former: SQLiteConnection, by connection: SQLiteConnection, allowsDamage: Bool
    ) throws {
        let found: (identifier: String?, names: Set<String>)
        do {
            guard try former.hasTable("Z_METADATA") else { return }
            found = try former.withReadTransaction {
                (try SQLiteStoreMetadata.identifier(on: former), try SQLiteExternalData.fileNames(on: former))
            }
        } catch let error as NSError where allowsDamage && SQLiteErrors.isOfDamage(error) {
            return
        }
        let names = found.names
        if let identifier = found.identifier, !identifiers.contains(identifier) {
            identifiers.append(identifier)
            // The first line of a journal names the UUIDs of its store.
            if journal != nil {
                let renewed = try SQLiteExternalJournal.make(for: destination, identifiers: identifiers)
                try renewed.record(complete.sorted())
                journal = renewed
            }
        }
        unused = names.subtracting(try SQLiteExternalData.fileNames(on: connection))
        if !unused.isEmpty { try record(unused.sorted()) }
    }

    /// Removes the unused files, and the files that only rows of earlier transactions named. Call it when the copy is
    /// complete.
    ///
    /// - Parameter connection: a connection to the destination.
    func finish(on connection: SQLiteConnection) {
        let unused = unused.union(superfluous)
        if !unused.isEmpty {
            removing {
                try connection.withTransaction {
                    try destination.remove(unused, unlessNamedOn: connection, own: journals)
                }
            }
        }
        journal = nil
        destination.removeEmptyFolders()
    }

    /// Removes the files of rows of earlier transactions. Call it when the copy is complete, and has replaced nothing.
    func finish() {
        removing { try removeMade(superfluous) }
        journal = nil
    }

    /// Removes files. After a failure the next opening of the destination does it.
    private func removing(_ body: () throws -> Void) {
        do { try body() } catch { journal?.leave() }
    }

    /// The files that the copy has made for rows which the last transaction doesn't have.
    private var superfluous: Set<String> { made.subtracting(named) }

    /// Removes the files that the copy has made, unless rows of the destination name them: another process may have
    /// copied the same store at the same time.
    func revert() {
        removing { try removeMade(made) }
        journal = nil
        destination.removeEmptyFolders()
    }

    private func removeMade(_ made: Set<String>) throws {
        guard !made.isEmpty else { return }
        guard case .file(let size) = OperatingSystem.fileKind(at: destination.storePath), size > 0 else {
            let pending = SQLiteExternalJournal.pendingNames(of: destination, except: journals)
            for name in made.subtracting(pending) { try? destination.remove(file: name) }
            return
        }
        let connection = try SQLiteConnection(path: destination.storePath, mode: .readWrite, timeout: 0)
        do {
            try connection.withTransaction { try destination.remove(made, unlessNamedOn: connection, own: journals) }
        } catch let error as NSError where error.code == SQLiteErrors.persistentStoreTimeout {
            // Another process holds the write lock. A save writes other files; another copy of the same store has a
            // journal with its files.
            try connection.withReadTransaction {
                try destination.remove(made, unlessNamedOn: connection, own: journals)
            }
        }
    }

    private var journals: [SQLiteExternalJournal] { journal.map { [$0] } ?? [] }

    private func record(_ names: [String]) throws {
        let journal = try journal ?? SQLiteExternalJournal.make(for: destination, identifiers: identifiers)
        self.journal = journal
        try journal.record(names)
    }
}
