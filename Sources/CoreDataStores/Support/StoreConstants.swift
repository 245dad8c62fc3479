// SPDX-License-Identifier: Apache-2.0

/// The type of stores in SQLite files.
public let NSSQLiteStoreType = "SQLite"
/// The type of stores that keep their objects in memory only.
public let NSInMemoryStoreType = "InMemory"
/// The type of stores in XML files. The whole file is read when the store is added, and written by each save.
public let NSXMLStoreType = "XML"
/// The type of stores in binary files. The whole file is read when the store is added, and written by each save.
public let NSBinaryStoreType = "Binary"

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
/// **Extension**: the key of an encrypted SQLite store: a passphrase as a text, or a raw key as `Data` of 32 bytes (48
/// with the salt of the file). A program that isn't built with the trait `SQLCipher` refuses the option.
public let NSSQLiteEncryptionKeyOption = "NSSQLiteEncryptionKeyOption"
/// Store option: true opens a store without comparing the version hashes of the model's entities; the tables and
/// columns of the model must be there.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// Store option: true migrates a SQLite store when it is added, if another model has made it.
///
/// With `NSInferMappingModelAutomaticallyOption` the migration is lightweight: in place, in one transaction. Container
/// and store descriptions set both.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// Store option: true infers the mapping model of an automatic migration from both models.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// **Extension**: store option: true allows an automatic migration back to a former version of the store.
///
/// Without it a program that is older than the store gets `NSPersistentStoreIncompatibleVersionHashError` (134100): a
/// migration back deletes what newer versions have added. A program that has the version of the store among its models
/// needs no option.
public let NSMigratePersistentStoresToFormerVersionOption = "NSMigratePersistentStoresToFormerVersionOption"
/// Store option: an ``NSStagedMigrationManager`` that migrates the store in stages when it is added.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"
/// Store option: true makes a lightweight migration defer its cleanup until
/// `NSPersistentStoreCoordinator.finishDeferredLightweightMigration()` is called. In the metadata of a store, true says
/// that cleanup is left.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
    "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// Metadata key: the checksum of the model that made the store, as in `NSManagedObjectModel.versionChecksum`.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"
/// Store option: the greatest number of connections that a SQLite store opens, an `NSNumber`; 7 without the option.
///
/// One connection writes. The other connections read, for threads that find the writing connection in use. A store
/// without a write-ahead log has only one connection.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// Option of `destroyPersistentStore(at:ofType:options:)`: true removes the files of a SQLite store even while other
/// programs lock it. Their next request finds that the file is gone; their unfinished transactions are lost.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// Metadata key: the earliest version of the operating system that can open a store. Some stores made by Apple's
/// frameworks have it; nothing here reads it.
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"
/// Store option of binary stores: a set of classes that the archives of transformable values may contain, besides
/// Foundation's plain values and collections and the classes that the model and the transformers name.
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
/// Store option of binary stores: true lets the archives of transformable values contain any class. Only for files that
/// the program can trust.
public let NSBinaryStoreInsecureDecodingCompatibilityOption = "NSBinaryStoreInsecureDecodingCompatibilityOption"

/// Store option: true records each save into a SQLite store, so that `NSPersistentHistoryChangeRequest` can fetch the
/// changes. A store with a history that is opened without the option is read-only.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Store option: true makes the coordinator post `NSPersistentStoreRemoteChange` after each write to a SQLite store, by
/// this coordinator, another coordinator, or another process.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
    "NSPersistentStoreRemoteChangeNotificationOptionKey"
