// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Whether a connection's file is still the store that was opened.
///
/// Another program may delete the file, put another file in its place, empty the database, copy another store into it,
/// or migrate it to another model. A write into a deleted file is lost. A write into another store, or with the numbers
/// and columns of another model, damages the store. So each request compares the file of the path with the open file.
/// The process's knowledge of the contents (UUID, model, numbers of entities, whether there is a history) is valid for
/// one version of the file: after another connection has written, the contents are compared again. The owner of the
/// connection guards it.
package final class SQLiteFileIdentity {
    /// The change of a file that is no longer the store.
    package enum Change: Error {
        case missing, otherFile, emptied
        case otherStore(uuid: String)
        /// The store has the version hashes, or the entity numbers, of another model.
        case otherModel
        /// The store was migrated, and its objects have other keys.
        case otherKeys

        var reason: String {
            switch self {
            case .otherModel: "Another program has migrated it to another model while it was open."
            case .otherKeys: "Another program has migrated it while it was open: its objects have other IDs."
            case .missing: "Its file was deleted or moved while it was open."
            case .otherFile: "Another file has taken the place of its file while it was open."
            case .emptied: "Another program has destroyed it while it was open."
            case .otherStore(let uuid):
                "Another program has replaced it by the store with the UUID \(uuid) while it was open."
            }
        }
    }

    private let connection: SQLiteConnection
    private unowned let file: SQLiteStoreFile
    /// The version of the file whose contents were last compared; nil before the first comparison.
    private var verifiedVersion: UInt32?
    /// The metadata that were last compared, as the file has them.
    private var verifiedMetadata: Data?
    /// SQLite's number of the tables and indexes, when they were last compared.
    private var verifiedSchemaVersion: Int64?
    /// How many comparisons have found the same store, after another connection had written. A request that has failed
    /// since such a comparison may have read another model, to and from which another program has migrated the store.
    private(set) var comparisons = 0
    /// Whether another program has begun to record a history, in which the saves of this store would be missing.
    private var lacksHistory = false

    /// - Parameter file: a file whose metadata were read on its connection.
    init(_ file: SQLiteStoreFile) {
        self.file = file
        connection = file.connection
        // A further connection may find the metadata of a store that has been migrated.
        let isOfModel = file.versionHashes == NSManagedObjectModel.versionHashes(inStoreMetadata: file.metadata)
        let hasKeys = file.rowKeys == file.metadata[SQLiteStoreMetadata.rowKeysKey] as? String
        verifiedVersion = isOfModel && hasKeys ? file.dataVersion : nil
    }

    /// Runs a request, and checks the file before and after it.
    ///
    /// - Throws: `Change`, and the errors of the request.
    func checking<Result>(_ request: () throws -> Result) throws -> Result {
        try checkPath()
        let result: Result
        do {
            result = try request()
        } catch {
            try checkAfterFailure(error)
            throw error
        }
        if connection.knownDataVersion != verifiedVersion { try checkContents() }
        return result
    }

    /// Checks the file after a request has thrown. Without its tables a request fails in many ways, with one cause.
    ///
    /// - Throws: `Change`.
    func checkAfterFailure(_ error: any Error) throws {
        // A locked file stays locked.
        guard (error as NSError).code != SQLiteErrors.persistentStoreTimeout else { return }
        do { try checkContents() } catch let change as Change { throw change } catch {}
    }

    /// Checks that a transaction which has just begun is going to write into the store that was opened.
    ///
    /// - Throws: `Change`; `CocoaError.fileWriteNoPermission` (513) if another program records a history by now, and
    ///   this store was opened without one.
    func checkBeforeWriting() throws {
        try checkPath()
        if connection.knownDataVersion != verifiedVersion { try checkContents() }
        guard lacksHistory else { return }
        throw SQLiteErrors.storeError(
            CocoaError.fileWriteNoPermission.rawValue, path: file.path,
            reason: "Another program records its history since it was opened. The save would be missing there.",
            suggestion: "Remove it from its coordinator, and add it again with NSPersistentHistoryTrackingKey.")
    }

    /// Called when the transaction of ``checkBeforeWriting()`` has committed: no other connection could write during
    /// it.
    func didCommit() { verifiedVersion = connection.knownDataVersion }

    private func checkPath() throws {
        guard connection.hasMoved else { return }
        throw OperatingSystem.fileKind(at: connection.path) == .missing ? Change.missing : .otherFile
    }

    private func checkContents() throws {
        guard try connection.hasTable("Z_METADATA"), let row = try SQLiteStoreMetadata.stored(on: connection)
        else { throw Change.emptied }
        guard row.identifier == file.identifier else { throw Change.otherStore(uuid: row.identifier) }
        if row.propertyList != verifiedMetadata {
            let metadata = try SQLiteStoreMetadata.read(on: connection).dictionary
            guard NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) == file.versionHashes else {
                throw Change.otherModel
            }
            guard metadata[SQLiteStoreMetadata.rowKeysKey] as? String == file.rowKeys else { throw Change.otherKeys }
            verifiedMetadata = row.propertyList
        }
        let schemaVersion = try connection.integer("PRAGMA schema_version")
        if schemaVersion != verifiedSchemaVersion {
            // A store that was migrated and migrated back may have other numbers.
            let numbers = try SQLiteEntityNumbers(of: connection, tables: connection.tables())
            if numbers.differ(from: file.schema) { throw Change.otherModel }
            lacksHistory = try file.history == nil && SQLiteHistoryTables(connection) != nil
            verifiedSchemaVersion = schemaVersion
        }
        if verifiedVersion != connection.knownDataVersion { comparisons += 1 }
        verifiedVersion = connection.knownDataVersion
    }
}
