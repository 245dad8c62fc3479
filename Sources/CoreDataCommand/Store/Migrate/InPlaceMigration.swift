import CoreDataModel
import CoreDataPostgreSQL
import OpenCoreData

/// Migrates a store on a server where it is.
struct InPlaceMigration {
    let store: StoreLocation

    /// Migrates in the steps of a plan, each in a transaction of its own.
    ///
    /// - Parameter isDeferred: whether what only older programs use may stay.
    func run(_ plan: ProgressiveMigration, isDeferred: Bool) throws {
        if let step = plan.steps.first(where: { !$0.isInferred }) {
            let count = Wording.count(step.mappingModel.entityMappings.count, "entity mapping")
            throw CommandError(
                """
                A step has a mapping model (\(count)), and a store on a server is migrated by lightweight steps alone. \
                Migrate it by a program with NSMigrationManager into another schema, or copy it to a file and back: \
                coredata store copy.
                """)
        }
        let bar = ProgressBar(count: plan.steps.count)
        defer { bar.clear() }
        for (index, step) in plan.steps.enumerated() {
            bar.show(index, 0)
            try open(
                step.destinationModel,
                [
                    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                    NSPersistentStoreDeferredLightweightMigrationOptionKey: isDeferred,
                ]
            ) { coordinator in
                guard index == plan.steps.count - 1 else { return }
                bar.clear()
                try printCounts(coordinator)
                let metadata = coordinator.metadata(for: coordinator.persistentStores[0])
                let isLeft = metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] != nil
                try StandardStreams.outputText(
                    "\(store.text) is migrated."
                        + (isLeft ? " What only older programs use is left: --finish removes it." : ""))
            }
        }
    }

    /// Removes what migrations have left for older programs.
    func finish(_ model: NSManagedObjectModel) throws {
        try open(model, [:]) { coordinator in
            let metadata = coordinator.metadata(for: coordinator.persistentStores[0])
            guard metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] != nil else {
                return try StandardStreams.outputText("Nothing of older versions is left in \(store.text).")
            }
            try coordinator.finishDeferredLightweightMigration()
            try StandardStreams.outputText("What only older programs used is removed from \(store.text).")
        }
    }

    private func open(
        _ model: NSManagedObjectModel, _ options: [AnyHashable: Any],
        _ body: (NSPersistentStoreCoordinator) throws -> Void
    ) throws {
        guard let model = model.copy() as? NSManagedObjectModel else { return }
        // This process doesn't have the classes and the transformers of the model.
        StoredBytesTransformer.use(in: model)
        model.ignoresClassNames = true
        // A store with a history can be changed only by who records it.
        let hasHistory = try PostgreSQLStoreCheck.hasHistory(at: store.url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let opened = try coordinator.addPersistentStore(
            type: .postgreSQL, at: store.url,
            options: options.merging([NSPersistentHistoryTrackingKey: hasHistory]) { $1 })
        defer { try? coordinator.remove(opened) }
        try body(coordinator)
    }

    private func printCounts(_ coordinator: NSPersistentStoreCoordinator) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let rows = try context.performAndWait {
            try coordinator.managedObjectModel.entities.filter { !$0.isAbstract }.map { entity in
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                request.includesSubentities = false
                return [entity.name ?? "", "\(try context.count(for: request))"]
            }
        }
        for line in ColumnLayout(rows: rows.sorted { $0[0] < $1[0] }).lines {
            try StandardStreams.outputText("  \(line)")
        }
    }
}
