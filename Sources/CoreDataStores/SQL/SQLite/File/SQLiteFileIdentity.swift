// SPDX-License-Identifier: Apache-2.0

/// Whether a connection's file is still the store that was opened.
///
/// Another program may delete the file, put another one in its place, empty the database, or copy another store into
/// it. A write into a deleted file is lost, and a write into another store damages that. So each
/// request compares the file of the path with the open one, and looks for the store's UUID after others have written.
/// The owner of the connection guards it.
package final class SQLiteFileIdentity {
    /// The change of a file that is no longer the store.
    package enum Change: Error {
        case missing, otherFile, emptied
        case otherStore(uuid: String)

        package var reason: String {
            switch self {
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
    /// The version of the file in which the UUID was last found.
    private var verifiedVersion: UInt32

    /// - Parameter file: a file whose metadata were read on its connection.
    init(_ file: SQLiteStoreFile) {
        self.file = file
        connection = file.connection
        verifiedVersion = connection.knownDataVersion
    }

    /// Runs a request, and checks the file before and after it.
    ///
    /// - Throws: `Change`, and what the request throws.
    package func checking<Result>(_ request: () throws -> Result) throws -> Result {
        try checkPath()
        let result: Result
        do {
            result = try request()
        } catch {
            // Without its tables a request fails in many ways, which have one cause. A locked file stays locked.
            if (error as NSError).code != SQLiteErrors.persistentStoreTimeout {
                do { try checkContents() } catch let change as Change { throw change } catch {}
            }
            throw error
        }
        if connection.knownDataVersion != verifiedVersion { try checkContents() }
        return result
    }

    /// Checks that a transaction which has just begun is going to write into the store that was opened.
    ///
    /// - Throws: `Change`.
    func checkBeforeWriting() throws {
        try checkPath()
        if connection.knownDataVersion != verifiedVersion { try checkContents() }
    }

    /// Called when the transaction of ``checkBeforeWriting()`` has committed: no one else has written meanwhile.
    package func didCommit() { verifiedVersion = connection.knownDataVersion }

    private func checkPath() throws {
        guard connection.hasMoved else { return }
        throw OperatingSystem.fileKind(at: connection.path) == .missing ? Change.missing : .otherFile
    }

    private func checkContents() throws {
        guard try connection.hasTable("Z_METADATA"), let uuid = try SQLiteStoreMetadata.identifier(on: connection)
        else { throw Change.emptied }
        guard uuid == file.identifier else { throw Change.otherStore(uuid: uuid) }
        verifiedVersion = connection.knownDataVersion
    }
}

extension SQLiteSession {
    /// Runs a block in a transaction that writes, if the file is still the store that was opened.
    func withWriteTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        let result = try connection.withTransaction(.immediate) {
            try fileIdentity.checkBeforeWriting()
            return try body()
        }
        fileIdentity.didCommit()
        return result
    }
}
