/// The type of stores in SQLite files.
public let NSSQLiteStoreType = "SQLite"
/// The type of stores that keep their objects in memory only.
public let NSInMemoryStoreType = "InMemory"

/// Metadata key: the type of the store.
public let NSStoreTypeKey = "NSStoreType"
/// Metadata key: the store's UUID.
public let NSStoreUUIDKey = "NSStoreUUID"
/// Metadata key: the version hashes of the store's entities, by name.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// Metadata key: the model's version identifiers.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"

/// Store option: true opens the store for reading only. The file and its folder stay as they are.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Store option: the seconds to wait for a lock of another process, an `NSNumber`.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Store option: a dictionary of SQLite pragmas to set on the connection.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Store option: true runs `ANALYZE` when a SQLite store is added, so that the query planner knows how values are
/// distributed.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Store option: true runs `VACUUM` when a SQLite store is added: the file is rebuilt without free pages.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Store option: true opens a store without comparing the version hashes of the model's entities; the tables and
/// columns of the model must be there.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"

/// Store option: true records each save into a SQLite store, so that `NSPersistentHistoryChangeRequest` can fetch what
/// has changed since. A store with a history that is opened without the option is read-only.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Store option: true has the coordinator post `NSPersistentStoreRemoteChange` after each write to a SQLite store, by
/// this coordinator, another one, or another process.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
    "NSPersistentStoreRemoteChangeNotificationOptionKey"

extension NSPersistentStore {
    /// The type of a store.
    public struct StoreType: Hashable, RawRepresentable, Sendable {
        /// The name of the type, as in metadata.
        public var rawValue: String

        /// Makes the type of a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// SQLite files in Apple's format.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        /// Objects in memory only.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    }
}
