/// The store type of SQLite files.
public let NSSQLiteStoreType = "SQLite"
/// The store type that keeps objects in memory only.
public let NSInMemoryStoreType = "InMemory"

/// Metadata key: the kind of store.
public let NSStoreTypeKey = "NSStoreType"
/// Metadata key: the store's UUID.
public let NSStoreUUIDKey = "NSStoreUUID"
/// Metadata key: the version hashes of the store's entities, by name.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// Metadata key: the model's version identifiers.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"

/// Store option: true opens the store for reading only; the file and its folder are left as they are.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Store option: seconds to wait for another process's lock, an `NSNumber`.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Store option: a dictionary of SQLite pragmas to set on the connection.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"

extension NSPersistentStore {
    /// A kind of store.
    public struct StoreType: Hashable, RawRepresentable, Sendable {
        /// The type's name, as metadata have it.
        public let rawValue: String

        /// The type of a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A SQLite file in Apple's format.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        /// Objects in memory only.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    }
}
