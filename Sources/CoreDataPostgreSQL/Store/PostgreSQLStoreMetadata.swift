// SPDX-License-Identifier: Apache-2.0

/// The one row of `z_metadata`: the store's UUID and its metadata.
struct PostgreSQLStoreMetadata: Sendable {
    /// The store's UUID.
    let identifier: String
    /// The property list of the metadata, without the UUID.
    private let bytes: Data

    /// The maximum size of the property list in bytes.
    private static let sizeLimit = 64 << 20

    /// All keys, with `NSStoreUUID`.
    var dictionary: [String: Any] {
        guard case .dictionary(let values)? = try? PropertyListReader.read(bytes) else {
            return [NSStoreUUIDKey: identifier]
        }
        var dictionary = values.foundationDictionary
        dictionary[NSStoreUUIDKey] = identifier
        return dictionary
    }

    /// Whether migrations have left something for older programs.
    var isIncomplete: Bool {
        (dictionary[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? NSNumber)?.boolValue == true
    }

    /// The key that marks a store into which another store is copied, until the copy is complete. A killed program
    /// leaves the mark.
    static let copyKey = "OpenCoreDataIncompleteCopy"

    /// Whether the store is an incomplete copy of another store.
    var isIncompleteCopy: Bool { (dictionary[Self.copyKey] as? NSNumber)?.boolValue == true }

    /// The metadata of the complete copy.
    func completed() throws -> PostgreSQLStoreMetadata {
        var changed = dictionary
        changed[Self.copyKey] = nil
        return try PostgreSQLStoreMetadata(identifier: identifier, replacedBy: changed)
    }

    /// The metadata of a new store.
    ///
    /// - Parameter isCopy: whether another store is going to be copied into it.
    init(newStoreFor schema: SQLSchema, identifier: String, isCopy: Bool) throws {
        var dictionary = SQLiteStoreMetadata.modelKeys(for: schema)
        dictionary[NSStoreTypeKey] = PostgreSQLStore.storeType
        dictionary[SQLiteStoreMetadata.frameworkVersionKey] = NSNumber(value: SQLiteStoreMetadata.frameworkVersion)
        if isCopy { dictionary[Self.copyKey] = NSNumber(value: true) }
        try self.init(identifier: identifier, replacedBy: dictionary)
    }

    /// - Throws: `NSPersistentStoreOperationError` (134070) for values that property lists don't have.
    init(identifier: String, replacedBy dictionary: [String: Any]) throws {
        var stored = dictionary
        self.identifier = stored.removeValue(forKey: NSStoreUUIDKey) as? String ?? identifier
        guard StoreIdentifier.isUsable(self.identifier),
            PropertyListSerialization.propertyList(stored, isValidFor: .binary)
        else {
            throw CoreDataErrors.error(
                NSPersistentStoreOperationError, "The metadata can\u{2019}t be written.",
                reason: "A value has a type that property lists don\u{2019}t have, or the UUID can\u{2019}t be one.",
                suggestion: "Use only strings, numbers, dates, data, arrays and dictionaries as metadata.")
        }
        bytes = try PropertyListSerialization.data(fromPropertyList: stored, format: .binary, options: 0)
    }

    /// Reads the row; nil if there is none.
    ///
    /// - Throws: 259 if the row is damaged.
    init?(on connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws {
        let result = try connection.execute(
            "SELECT z_uuid, z_plist FROM \(dialect.table("z_metadata")) ORDER BY z_version LIMIT 1")
        guard result.rowCount > 0 else { return nil }
        identifier = result[0].text(0)
        bytes = result[0].data(1)
        let url = connection.location.publicURL
        guard StoreIdentifier.isUsable(identifier) else {
            throw PostgreSQLStoreErrors.damaged(
                url, "The UUID in its metadata contains characters that a URI can\u{2019}t have.")
        }
        guard bytes.count <= Self.sizeLimit, case .dictionary? = try? PropertyListReader.read(bytes) else {
            throw PostgreSQLStoreErrors.damaged(url, "Its metadata is no property list with a dictionary.")
        }
    }

    /// Locks the row until the transaction ends.
    static func lock(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws {
        _ = try connection.execute("SELECT z_version FROM \(dialect.table("z_metadata")) FOR UPDATE")
    }

    /// Writes the row, which is locked. The values that identify the model stay as they are: another process may have
    /// migrated the store.
    func writeKeepingModel(on connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws {
        var merged = dictionary
        if let stored = try PostgreSQLStoreMetadata(on: connection, dialect)?.dictionary {
            for key in Self.modelKeys { merged[key] = stored[key] }
        }
        try PostgreSQLStoreMetadata(identifier: identifier, replacedBy: merged).write(on: connection, dialect)
    }

    /// The keys that a migration writes, and the mark of a copy.
    private static let modelKeys =
        SQLiteStoreMetadata.keysOfModel + [NSPersistentStoreDeferredLightweightMigrationOptionKey, copyKey]

    /// The metadata of the store with the keys of another model.
    ///
    /// - Parameter isExplicit: whether the program asks for the migration, instead of having the store migrate itself.
    func replacingModel(by schema: SQLSchema, isIncomplete: Bool, isExplicit: Bool) throws -> PostgreSQLStoreMetadata {
        var changed = dictionary.merging(SQLiteStoreMetadata.modelKeys(for: schema)) { $1 }
        changed[NSPersistentStoreDeferredLightweightMigrationOptionKey] = isIncomplete ? NSNumber(value: true) : nil
        changed[FormerModelVersions.key] = FormerModelVersions.value(
            migrating: dictionary, to: schema.versionHashes, of: schema.model,
            isExplicit: isExplicit)
        return try PostgreSQLStoreMetadata(identifier: identifier, replacedBy: changed)
    }

    func write(on connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws {
        var parameters = PostgreSQLParameters()
        parameters.append(text: identifier)
        parameters.append(bytes: bytes)
        _ = try connection.execute(
            """
            INSERT INTO \(dialect.table("z_metadata")) (z_version, z_uuid, z_plist) VALUES (1, $1, $2) \
            ON CONFLICT (z_version) DO UPDATE SET z_uuid = excluded.z_uuid, z_plist = excluded.z_plist
            """, parameters)
    }
}
