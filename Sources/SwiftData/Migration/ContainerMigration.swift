import OpenCoreData

/// The migration of stores of older schemas: a lightweight one, straight to the container's schema.
struct ContainerMigration {
    private let plan: (any SchemaMigrationPlan.Type)?

    init(_ plan: (any SchemaMigrationPlan.Type)?) { self.plan = plan }

    /// Refuses a store that needs a stage with code of the program.
    func check(_ configurations: [ModelConfiguration], model: NSManagedObjectModel) throws {
        guard let plan else { return }
        let isCustom = plan.stages.contains { stage in if case .custom = stage { true } else { false } }
        guard isCustom else { return }
        for configuration in configurations
        where !configuration.isStoredInMemoryOnly && !configuration.isDatabaseServer
            && FileManager.default.fileExists(atPath: configuration.url.path)
        {
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: configuration.url, options: nil)
            guard !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) else { continue }
            throw SwiftDataError(
                .loadIssueModelContainer,
                """
                The store '\(configuration.name)' has an older schema, and \(plan) has a custom stage. Custom stages \
                aren't executed yet: migrate the store with stages of Core Data (NSStagedMigrationManager).
                """)
        }
    }
}
