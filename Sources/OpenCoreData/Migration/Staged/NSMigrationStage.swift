// SPDX-License-Identifier: Apache-2.0

/// One stage of a migration that an ``NSStagedMigrationManager`` executes: a lightweight or a custom stage.
///
/// A program makes stages of the subclasses ``NSLightweightMigrationStage`` and ``NSCustomMigrationStage``.
nonisolated open class NSMigrationStage: NSObject {
    /// A name for logs and errors.
    open var label: String!
}

/// A series of versions of a model between which the mapping model can be inferred.
///
/// ```swift
/// let stage = NSLightweightMigrationStage(["vXcYfQ…=", "rGj1M2…=", "kz08Zw…="])
/// stage.label = "Songs get a genre and a rating"
/// ```
///
/// The models are found by their checksums: among the versions in the program's resources, the models of the other
/// stages, and the model with which the store is opened.
nonisolated open class NSLightweightMigrationStage: NSMigrationStage {
    /// The checksums of the versions, the oldest first.
    open private(set) var versionChecksums: [String] = []

    /// Makes a stage.
    ///
    /// - Parameter checksums: the checksums of the versions, the oldest first: `versionChecksum` of the models.
    public convenience init(_ checksums: [String]) {
        self.init()
        versionChecksums = checksums
    }
}

/// A step between two versions of a model. Handlers of the program run before and after it.
///
/// ```swift
/// func stage(
///     from second: NSManagedObjectModelReference, to third: NSManagedObjectModelReference
/// ) -> NSCustomMigrationStage {
///     let stage = NSCustomMigrationStage(migratingFrom: second, to: third)
///     stage.willMigrateHandler = { manager, stage in
///         guard let container = manager.container else { return }
///         let context = container.newBackgroundContext()
///         try context.performAndWait {
///             for song in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Song"))
///             where song.value(forKey: "genre") == nil {
///                 song.setValue("unknown", forKey: "genre")
///             }
///             try context.save()
///         }
///     }
///     return stage
/// }
/// ```
///
/// The step itself is a lightweight migration. Each step is saved when it ends: if the program is stopped between the
/// handlers, its next start finds a store of one of the two versions, and the handlers that follow this version are
/// called. A handler may therefore run again after it has done its work, and must cope with that.
nonisolated open class NSCustomMigrationStage: NSMigrationStage {
    private var models: (current: NSManagedObjectModelReference, next: NSManagedObjectModelReference)?

    /// The version from which the stage migrates.
    open var currentModel: NSManagedObjectModelReference { reference(\.current) }
    /// The version to which the stage migrates.
    open var nextModel: NSManagedObjectModelReference { reference(\.next) }

    /// Called before the step, with a container of the current model in the manager. An error ends the migration.
    open var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
    /// Called after the step, with a container of the next model in the manager. An error ends the migration.
    open var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

    /// Makes a stage.
    ///
    /// - Parameters:
    ///   - currentModel: the version from which the stage migrates.
    ///   - nextModel: the version to which it migrates.
    public convenience init(
        migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference
    ) {
        self.init()
        models = (currentModel, nextModel)
    }

    private func reference(
        _ side: KeyPath<
            (current: NSManagedObjectModelReference, next: NSManagedObjectModelReference), NSManagedObjectModelReference
        >
    ) -> NSManagedObjectModelReference {
        guard let models else {
            programmingError(
                "NSCustomMigrationStage: the stage \(label ?? "") has no models.",
                remedy: "Make it by init(migratingFrom:to:).")
        }
        return models[keyPath: side]
    }
}
