// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The open file of a store, with its connection, schema and metadata. The file matches the model.
///
/// Like its connection it has one owner. Apple's Core Data opens the files without migration.
package final class SQLiteStoreFile {
    package let path: String
    let connection: SQLiteConnection
    /// The model's schema, with the names of join tables as the file has them.
    let schema: SQLSchema
    package let isReadOnly: Bool
    /// Whether opening the store has created the file.
    let wasCreated: Bool
    /// The store's UUID, in capitals with hyphens.
    package private(set) var identifier: String
    /// The store's metadata, with `NSStoreUUID`.
    package private(set) var metadata: [String: Any]
    /// The version of the file on the connection when the metadata were read: another process may have migrated the
    /// store since.
    let dataVersion: UInt32
    /// The version hashes of the store when it was opened. The schema is for them alone.
    let versionHashes: [String: Data]?
    /// The mark of the objects' keys when the store was opened; nil if no migration has given the objects other keys.
    let rowKeys: String?
    /// The tables of the history; nil if the file has none.
    let history: SQLiteHistoryTables?
    /// Reads and writes the values of attributes with external storage.
    let externalData: SQLiteExternalData

    init(
        path: String, connection: SQLiteConnection, schema: SQLSchema, isReadOnly: Bool, wasCreated: Bool,
        stored: SQLiteStoreMetadata, dataVersion: UInt32, history: SQLiteHistoryTables?,
        openedAs original: SQLiteStoreFile? = nil
    ) {
        self.path = path
        self.connection = connection
        self.schema = schema
        self.isReadOnly = isReadOnly
        self.wasCreated = wasCreated
        self.history = history
        self.dataVersion = dataVersion
        identifier = stored.identifier
        metadata = stored.dictionary
        versionHashes =
            original?.versionHashes ?? NSManagedObjectModel.versionHashes(inStoreMetadata: stored.dictionary)
        rowKeys = original.map(\.rowKeys) ?? stored.dictionary[SQLiteStoreMetadata.rowKeysKey] as? String
        externalData = SQLiteExternalData(storePath: path, keepsValuesInRows: connection.isEncrypted)
    }

    /// The model of a store with metadata, whose model cache has a model; nil if it is not known. An error leaves the
    /// file as it is.
    package typealias SourceModel =
        (_ metadata: [String: Any], _ cached: NSManagedObjectModel?) throws -> NSManagedObjectModel?

    /// Opens the file, or creates it if it is missing or empty and the store isn't read-only.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - model: a frozen model.
    ///   - configuration: the configuration whose entities the store contains; nil for all entities.
    ///   - options: the options of the store.
    ///   - sourceModel: called before the store is migrated; nil for a store that finds its model itself.
    /// - Throws: an error of `NSCocoaErrorDomain` that names the file: 134100 if the model's hashes differ from the
    ///   file's, 134020 if a table or column is missing, 259 for damage, and the errors of ``SQLiteErrors``.
    package static func open(
        at path: String, model: NSManagedObjectModel, configuration: String? = nil,
        options: SQLiteStoreOptions = SQLiteStoreOptions(), sourceModel: SourceModel? = nil
    ) throws -> SQLiteStoreFile {
        let path = OperatingSystem.resolvingLinks(path)
        try checkName(path)
        let schema = try naming(path) { try SQLSchema(model: model, configuration: configuration) }
        switch try SQLiteFileCheck.inspect(path, isEncrypted: options.encryptionKey != nil) {
        case .missing, .empty:
            guard !options.isReadOnly else {
                let isMissing = OperatingSystem.fileKind(at: path) == .missing
                throw SQLiteErrors.storeError(
                    isMissing ? SQLiteErrors.fileReadNoSuchFile : SQLiteErrors.fileReadCorrupt, path: path,
                    reason: isMissing ? "The file doesn\u{2019}t exist." : "The file is empty.",
                    suggestion: "A read-only store must exist: check the URL, or open it for writing to create it.")
            }
            return try SQLiteStoreCreator(path: path, schema: schema, options: options).create()
        case .database(let isLogged):
            return try SQLiteStoreOpener(
                path: path, schema: schema, options: options, isLogged: isLogged, sourceModel: sourceModel
            ).open()
        }
    }

    /// Checks that the process doesn't have the file open by another name.
    ///
    /// SQLite names the log of a database after its file. So two names of one file (hard links) have two logs, and each
    /// log overwrites the changes of the other.
    private static func checkName(_ path: String) throws {
        if SQLiteConnection.isMemory(path) { return }
        let names = DatabaseFiles.paths(of: path)
        func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        if let other = names.first(where: {
            $0 != path && resolved($0) != resolved(path)
                && DatabaseFiles.identity(of: $0) == DatabaseFiles.identity(of: path)
        }) {
            throw SQLiteErrors.storeError(
                SQLiteErrors.persistentStoreOpen, path: path,
                reason: "It is another name (a hard link) of the store \(other), which is open.",
                suggestion: "Use one name for a store: its log is beside the name by which it is open.")
        }
        guard names.isEmpty, case let count = OperatingSystem.nameCount(of: path), count > 1 else { return }
        CoreDataLog.warning(
            """
            The file of the store \(path) has \(count) names (hard links). Its log and its external data are beside \
            the name by which it is opened: always use the same one.
            """)
    }

    /// Replaces the metadata, in memory and in the file. Call it inside a transaction to write it with other changes.
    ///
    /// `NSStoreUUID` in `dictionary` becomes the store's UUID. The keys that describe the model stay as they are, also
    /// if the dictionary lacks them. All other keys get the values of the dictionary.
    func write(metadata dictionary: [String: Any]) throws {
        var dictionary = dictionary
        for key in SQLiteStoreMetadata.keysOfModel { dictionary[key] = metadata[key] }
        let stored = SQLiteStoreMetadata(identifier: identifier, replacedBy: dictionary)
        try stored.write(on: connection)
        identifier = stored.identifier
        metadata = stored.dictionary
    }

    /// Runs a transaction that may write metadata. If it throws, the metadata in memory are those of the file again:
    /// with another UUID the store would count as replaced.
    func withMetadata<Result>(_ transaction: () throws -> Result) rethrows -> Result {
        let former = (identifier, metadata)
        do {
            return try transaction()
        } catch {
            (identifier, metadata) = former
            throw error
        }
    }

    /// Adds the file's name to errors about the model.
    static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as NSError where error.userInfo[NSFilePathErrorKey] == nil {
            throw CoreDataErrors.adding([NSFilePathErrorKey: path], to: error)
        }
    }
}
