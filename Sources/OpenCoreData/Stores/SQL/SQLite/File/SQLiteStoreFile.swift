import CoreDataModel
import CoreDataPredicates

/// A store's file: opened or made, checked against a model, with its connection, schema and metadata.
///
/// It has one owner, like its connection. The whole file is described in the format's specification; what is
/// made here opens in Apple's Core Data without migration.
package final class SQLiteStoreFile {
    package let path: String
    package let connection: SQLiteConnection
    /// The model's schema, with ties settled as the file has them.
    package let schema: SQLSchema
    package let isReadOnly: Bool
    /// True if the file was made by this opening.
    package let wasCreated: Bool
    /// The store's UUID, in capitals with hyphens.
    package private(set) var identifier: String
    /// The store's metadata, with `NSStoreUUID`.
    package private(set) var metadata: [String: Any]
    /// Reads and writes the values of attributes with external storage.
    package let externalData: SQLiteExternalData

    init(
        path: String, connection: SQLiteConnection, schema: SQLSchema, isReadOnly: Bool, wasCreated: Bool,
        stored: SQLiteStoreMetadata
    ) {
        self.path = path
        self.connection = connection
        self.schema = schema
        self.isReadOnly = isReadOnly
        self.wasCreated = wasCreated
        identifier = stored.identifier
        metadata = stored.dictionary
        externalData = SQLiteExternalData(storePath: path)
    }

    /// Opens the file, or makes it if it is missing or empty and may be written.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - model: A model that won't change any more.
    ///   - configuration: The configuration whose entities the store holds; `nil` for all.
    ///   - options: How to open.
    /// - Throws: An error of `NSCocoaErrorDomain` that names the file: 134100 if the model's hashes differ from the
    ///   file's, 134020 if a table or column is missing, 259 for damage, and what ``SQLiteErrors`` tells.
    package static func open(
        at path: String, model: NSManagedObjectModel, configuration: String? = nil,
        options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) throws -> SQLiteStoreFile {
        let schema = try naming(path) { try SQLSchema(model: model, configuration: configuration) }
        switch try SQLiteFileCheck.look(at: path) {
        case .missing, .empty:
            guard !options.isReadOnly else {
                let isMissing = OperatingSystem.fileKind(at: path) == .missing
                throw SQLiteErrors.storeError(
                    isMissing ? SQLiteErrors.fileReadNoSuchFile : SQLiteErrors.fileReadCorrupt, path: path,
                    reason: isMissing ? "The file doesn\u{2019}t exist." : "The file is empty.",
                    suggestion: "A read-only store must exist: check the URL, or open it for writing to make it.")
            }
            return try SQLiteStoreCreator(path: path, schema: schema, options: options).create()
        case .database(let isLogged):
            return try SQLiteStoreOpener(path: path, schema: schema, options: options, isLogged: isLogged).open()
        }
    }

    /// Replaces the metadata, in memory and in the file. Call it inside a transaction to write it with other changes.
    ///
    /// `NSStoreUUID` in `dictionary` becomes the store's UUID; all other keys are written as they are.
    package func write(metadata dictionary: [String: Any]) throws {
        let stored = SQLiteStoreMetadata(identifier: identifier, replacedBy: dictionary)
        try stored.write(on: connection)
        identifier = stored.identifier
        metadata = stored.dictionary
    }

    /// Adds the file's name to errors about the model.
    static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as NSError where error.userInfo[NSFilePathErrorKey] == nil {
            var info = error.userInfo
            info[NSFilePathErrorKey] = path
            throw NSError(domain: error.domain, code: error.code, userInfo: info)
        }
    }
}
