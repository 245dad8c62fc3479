// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The options of a store that concern its file.
package struct SQLiteStoreOptions: Sendable {
    /// `NSReadOnlyPersistentStoreOption`: the file is never written.
    var isReadOnly = false
    /// `NSPersistentStoreTimeoutOption`: seconds to wait for other connections' locks.
    var timeout: Double = 240
    /// `NSSQLitePragmasOption`.
    var pragmas: [String: String] = [:]
    /// `NSIgnorePersistentStoreVersioningOption`: opens a file with different hashes if its tables match.
    var ignoresVersioning = false
    /// `NSSQLiteAnalyzeOption`: collects statistics for the query planner when opened.
    var analyzes = false
    /// `NSSQLiteManualVacuumOption`: rebuilds the file without free pages when opened.
    var vacuums = false
    /// `NSPersistentHistoryTrackingKey`: records the changes of each save.
    var tracksHistory = false
    /// `NSMigratePersistentStoresAutomaticallyOption`: a store of another model is migrated when opened.
    var migrates = false
    /// `NSInferMappingModelAutomaticallyOption`: the mapping model of a migration is inferred.
    var infersMapping = false
    /// `NSMigratePersistentStoresToFormerVersionOption`: a migration may lead back to a former version.
    var migratesBack = false
    /// `NSPersistentStoreDeferredLightweightMigrationOptionKey`: a migration leaves what can be removed later.
    var defersCleanup = false
    /// `NSPersistentStoreConnectionPoolMaxSizeKey`: the number of connections of the open store, the writing one
    /// included.
    var maximumConnectionCount = 7
    /// `NSPersistentStoreForceDestroyOption`: destroys a store even while another program locks it.
    var forcesDestroying = false
    /// `NSSQLiteEncryptionKeyOption`; nil for a store in plain text.
    var encryptionKey: SQLiteEncryptionKey?

    package init() {}
}

extension SQLiteStoreOptions {
    /// - Parameter options: all options of a store.
    package init(_ options: [AnyHashable: Any]?) {
        guard let options else { return }
        func isOn(_ option: String) -> Bool { (options[option] as? NSNumber)?.boolValue ?? false }
        isReadOnly = isOn(NSReadOnlyPersistentStoreOption)
        if let timeout = options[NSPersistentStoreTimeoutOption] as? NSNumber { self.timeout = timeout.doubleValue }
        if let pragmas = options[NSSQLitePragmasOption] as? [String: Any] {
            self.pragmas = pragmas.mapValues { "\($0)" }
        }
        ignoresVersioning = isOn(NSIgnorePersistentStoreVersioningOption)
        analyzes = isOn(NSSQLiteAnalyzeOption)
        vacuums = isOn(NSSQLiteManualVacuumOption)
        tracksHistory = isOn(NSPersistentHistoryTrackingKey)
        encryptionKey = options[NSSQLiteEncryptionKeyOption].map { SQLiteEncryptionKey(option: $0) }
        if let size = options[NSPersistentStoreConnectionPoolMaxSizeKey] as? NSNumber {
            maximumConnectionCount = Int(min(max(1, size.doubleValue), 1_000_000))
        }
        migrates = isOn(NSMigratePersistentStoresAutomaticallyOption)
        infersMapping = isOn(NSInferMappingModelAutomaticallyOption)
        migratesBack = isOn(NSMigratePersistentStoresToFormerVersionOption)
        defersCleanup = isOn(NSPersistentStoreDeferredLightweightMigrationOptionKey)
        forcesDestroying = isOn(NSPersistentStoreForceDestroyOption)
    }
}
