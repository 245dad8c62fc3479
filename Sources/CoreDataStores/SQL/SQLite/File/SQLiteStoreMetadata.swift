// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The one row of `Z_METADATA`.
package struct SQLiteStoreMetadata {
    /// The store's UUID, in capitals with hyphens.
    let identifier: String
    /// All keys, with `NSStoreUUID`, which has a separate column in the file.
    let dictionary: [String: Any]

    /// The framework version in new files. It denotes the current format.
    package static let frameworkVersion = 1344
    package static let frameworkVersionKey = "NSPersistenceFrameworkVersion"
    static let identifierKey = NSStoreUUIDKey
    static let hashesKey = NSStoreModelVersionHashesKey
    /// The maximum size of the property list in bytes. A larger one is considered damaged.
    private static let sizeLimit = 64 << 20

    // MARK: Creating

    /// The metadata of a new store.
    init(newStoreFor schema: SQLSchema) {
        self.init(
            identifier: UUID().uuidString,
            dictionary: Self.modelKeys(for: schema).merging([
                NSStoreTypeKey: NSSQLiteStoreType,
                Self.frameworkVersionKey: NSNumber(value: Self.frameworkVersion),
                "_NSAutoVacuumLevel": "2",
            ]) { $1 })
    }

    /// The keys that identify the model: hashes, their digest and checksum, identifiers.
    package static func modelKeys(for schema: SQLSchema) -> [String: Any] {
        let hashes = schema.versionHashes
        return [
            hashesKey: hashes,
            "NSStoreModelVersionHashesVersion": NSNumber(value: 3),
            "NSStoreModelVersionHashesDigest": VersionHashSummary.digest(of: hashes),
            "NSStoreModelVersionChecksumKey": VersionHashSummary.checksum(of: hashes),
            NSStoreModelVersionIdentifiersKey: schema.model.versionIdentifiers
                .compactMap { $0.base as? String }.sortedBytewise(),
        ]
    }

    /// The key of a text that changes when a migration gives the objects of the store other keys.
    static let rowKeysKey = "OpenCoreDataRowKeys"

    /// The keys of ``modelKeys(for:)``, and the keys that a migration writes.
    package static let keysOfModel = [
        hashesKey, "NSStoreModelVersionHashesVersion", "NSStoreModelVersionHashesDigest",
        "NSStoreModelVersionChecksumKey", NSStoreModelVersionIdentifiersKey, FormerModelVersions.key,
        rowKeysKey,
    ]

    init(identifier: String, dictionary: [String: Any]) {
        self.identifier = identifier
        var dictionary = dictionary
        dictionary[Self.identifierKey] = identifier
        self.dictionary = dictionary
    }

    init(identifier: String, replacedBy dictionary: [String: Any]) {
        self.init(identifier: dictionary[Self.identifierKey] as? String ?? identifier, dictionary: dictionary)
    }

    // MARK: Reading and writing

    /// The UUID alone; nil if the row is missing.
    static func identifier(on connection: SQLiteConnection) throws -> String? {
        try connection.text("SELECT Z_UUID FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    }

    /// The UUID, and the property list as the file has it; nil if the row or the UUID is missing.
    static func stored(on connection: SQLiteConnection) throws -> (identifier: String, propertyList: Data?)? {
        let row = try connection.statement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
        defer { row.reset() }
        guard try row.step(), let identifier = row.text(at: 0) else { return nil }
        let size = row.withBytes(at: 1) { $0.count }
        return (identifier, size <= sizeLimit ? row.data(at: 1) : nil)
    }

    /// Reads the row.
    ///
    /// - Throws: 259 if the file is no Core Data store, or the row is damaged.
    static func read(on connection: SQLiteConnection) throws -> SQLiteStoreMetadata {
        let path = connection.path
        guard try connection.hasTable("Z_METADATA") else {
            throw SQLiteFileCheck.corrupt(
                path, "It is a SQLite database, but no Core Data store: it has no table Z_METADATA.")
        }
        let row = try connection.statement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
        defer { row.reset() }
        guard try row.step() else {
            throw SQLiteFileCheck.corrupt(path, "Its metadata is missing: Z_METADATA is empty.")
        }
        guard let identifier = row.text(at: 0), !identifier.isEmpty else {
            throw SQLiteFileCheck.corrupt(path, "Its metadata has no UUID.")
        }
        guard StoreIdentifier.isUsable(identifier) else {
            throw SQLiteFileCheck.corrupt(
                path, "The UUID in its metadata contains characters that a URI can\u{2019}t have.")
        }
        let size = row.withBytes(at: 1) { $0.count }
        guard size <= sizeLimit, let bytes = row.data(at: 1), let dictionary = try? Self.dictionary(in: bytes) else {
            throw SQLiteFileCheck.corrupt(
                path, "Its metadata is damaged: Z_PLIST is no property list with a dictionary.")
        }
        return SQLiteStoreMetadata(identifier: identifier, dictionary: dictionary)
    }

    /// Writes the row.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) if a value has a type that property lists don't have.
    func write(on connection: SQLiteConnection) throws {
        guard StoreIdentifier.isUsable(identifier) else {
            throw SQLiteErrors.storeError(
                NSPersistentStoreOperationError, path: connection.path,
                reason: "\u{201c}\(identifier)\u{201d} can\u{2019}t be its identifier.",
                suggestion: "Use a UUID, or letters, digits, hyphens, dots and underscores.")
        }
        var stored = dictionary
        stored[Self.identifierKey] = nil
        let bytes: Data
        do {
            guard PropertyListSerialization.propertyList(stored, isValidFor: .binary) else {
                throw CoreDataErrors.cocoaError(
                    .propertyListWriteInvalid, message: "The metadata are no property list.",
                    reason: "A value has a type that property lists don't have.")
            }
            bytes = try PropertyListSerialization.data(fromPropertyList: stored, format: .binary, options: 0)
        } catch {
            throw SQLiteErrors.storeError(
                NSPersistentStoreOperationError, path: connection.path, reason: "Its metadata can\u{2019}t be written.",
                suggestion: "Use only strings, numbers, dates, data, arrays and dictionaries as metadata.",
                userInfo: [NSUnderlyingErrorKey: error as NSError])
        }
        try connection.run(
            "INSERT OR REPLACE INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
            [.text(identifier), .bytes(bytes)])
    }

    private static func dictionary(in bytes: Data) throws -> [String: Any] {
        // Unlike Foundation's reader this one limits depth and size.
        guard case .dictionary(let dictionary) = try PropertyListReader.read(bytes) else {
            throw propertyListError("the metadata are no dictionary")
        }
        return dictionary.foundationDictionary
    }
}

extension SQLSchema {
    /// The version hashes of the entities in the store's configuration.
    package var versionHashes: [String: Data] {
        let members = model.entities(forConfigurationName: configuration) ?? model.entities
        let names = Set(members.compactMap(\.name))
        return model.entityVersionHashesByName.filter { names.contains($0.key) }
    }
}
