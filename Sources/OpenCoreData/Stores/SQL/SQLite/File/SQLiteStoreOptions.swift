import CoreDataPredicates

/// The options of a store that concern its file.
package struct SQLiteStoreOptions: Sendable {
    /// `NSReadOnlyPersistentStoreOption`: the file is never written.
    package var isReadOnly = false
    /// `NSPersistentStoreTimeoutOption`: seconds to wait for other connections' locks.
    package var timeout: Double = 240
    /// `NSSQLitePragmasOption`.
    package var pragmas: [String: String] = [:]
    /// `NSIgnorePersistentStoreVersioningOption`: opens a file with different hashes if its tables match.
    package var ignoresVersioning = false
    /// `NSSQLiteAnalyzeOption`: collects statistics for the query planner when opened.
    package var analyzes = false
    /// `NSSQLiteManualVacuumOption`: rebuilds the file without free pages when opened.
    package var vacuums = false
    /// `NSPersistentHistoryTrackingKey`: records the changes of each save.
    package var tracksHistory = false
    /// `NSMigratePersistentStoresAutomaticallyOption`: a store of another model is migrated when opened.
    package var migrates = false
    /// `NSInferMappingModelAutomaticallyOption`: the mapping model of a migration is inferred.
    package var infersMapping = false
    /// `NSPersistentStoreDeferredLightweightMigrationOptionKey`: a migration leaves what can be removed later.
    package var defersCleanup = false
    /// `NSPersistentStoreConnectionPoolMaxSizeKey`: the number of connections of the open store, the writing one
    /// included.
    package var maximumConnectionCount = 7
    /// `NSPersistentStoreForceDestroyOption`: destroys a store that others have locked.
    package var forcesDestroying = false
    /// `NSSQLiteEncryptionKeyOption`; nil for a store in plain text.
    package var encryptionKey: SQLiteEncryptionKey?

    package init() {}
}

extension SQLiteStore {
    /// The options of a store that concern its file.
    static func fileOptions(_ options: [AnyHashable: Any]?) -> SQLiteStoreOptions {
        var result = SQLiteStoreOptions()
        guard let options else { return result }
        func isOn(_ option: String) -> Bool { (options[option] as? NSNumber)?.boolValue ?? false }
        result.isReadOnly = isOn(NSReadOnlyPersistentStoreOption)
        if let timeout = options[NSPersistentStoreTimeoutOption] as? NSNumber { result.timeout = timeout.doubleValue }
        if let pragmas = options[NSSQLitePragmasOption] as? [String: Any] {
            result.pragmas = pragmas.mapValues { "\($0)" }
        }
        result.ignoresVersioning = isOn(NSIgnorePersistentStoreVersioningOption)
        result.analyzes = isOn(NSSQLiteAnalyzeOption)
        result.vacuums = isOn(NSSQLiteManualVacuumOption)
        result.tracksHistory = isOn(NSPersistentHistoryTrackingKey)
        result.encryptionKey = options[NSSQLiteEncryptionKeyOption].map { SQLiteEncryptionKey(option: $0) }
        if let size = options[NSPersistentStoreConnectionPoolMaxSizeKey] as? NSNumber {
            result.maximumConnectionCount = max(1, size.intValue)
        }
        result.migrates = isOn(NSMigratePersistentStoresAutomaticallyOption)
        result.infersMapping = isOn(NSInferMappingModelAutomaticallyOption)
        result.defersCleanup = isOn(NSPersistentStoreDeferredLightweightMigrationOptionKey)
        result.forcesDestroying = isOn(NSPersistentStoreForceDestroyOption)
        return result
    }
}
