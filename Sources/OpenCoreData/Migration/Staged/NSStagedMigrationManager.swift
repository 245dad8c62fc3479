// SPDX-License-Identifier: Apache-2.0

/// Migrates a store through several versions of its model, when it is added.
///
/// ```swift
/// func migrateInStages(
///     _ description: NSPersistentStoreDescription, from second: NSManagedObjectModelReference,
///     to third: NSManagedObjectModelReference
/// ) {
///     let manager = NSStagedMigrationManager([
///         NSLightweightMigrationStage(["vXcYfQ…=", "rGj1M2…="]),
///         NSCustomMigrationStage(migratingFrom: second, to: third),
///     ])
///     description.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
/// }
/// ```
///
/// The stages are in the order of the versions. The manager finds the store's version by its checksum, and skips the
/// stages before this version. Between two versions the migration is lightweight, in one transaction. A custom stage
/// calls its handlers before and after this migration.
///
/// A manager is used by one store at a time.
nonisolated open class NSStagedMigrationManager: NSObject, @unchecked Sendable {
    /// The stages, in the order of the versions.
    open private(set) var stages: [NSMigrationStage] = []

    /// In the handlers of a custom stage, a container with the store; otherwise nil.
    ///
    /// Its model is the stage's current or next version. Its objects are of class `NSManagedObject`. The store is
    /// closed when the handler returns.
    open internal(set) var container: NSPersistentContainer?

    /// Makes the container of a handler, for the model of its version; nil for objects of class `NSManagedObject`.
    package var makeContainer: ((NSManagedObjectModel) -> NSPersistentContainer)?
    /// Called with the position of a step, the number of the migration's steps, and the part of the step that is done,
    /// from 0 to 1. An error ends the migration.
    package var progressHandler: ((_ step: Int, _ count: Int, _ part: Float) throws -> Void)?

    /// Makes a manager.
    ///
    /// - Parameter stages: the stages, in the order of the versions.
    public convenience init(_ stages: [NSMigrationStage]) {
        self.init()
        self.stages = stages
    }
}
