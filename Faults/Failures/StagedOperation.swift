import OpenCoreData

/// The migration of a store by a stage of an `NSStagedMigrationManager` with code, while automatic migration is on.
///
/// The stages work in place: if the code of a stage fails, or the store can't be opened for it, the store has the
/// version of the stage already.
final class StagedOperation: FailureOperation {
    let name = "staged"
    var opensAtEnd: Bool { true }
    /// Whether the last run has thrown no error.
    private var hasSucceeded = false

    private let migrated = MigratedStore(storeType: NSSQLiteStoreType, hasMapping: false)

    private func store(_ folder: URL) -> URL { folder.appendingPathComponent("store.data") }

    func make(_ folder: URL) throws { try migrated.make(store(folder)) }

    func run(_ folder: URL, _ window: FaultWindow) throws {
        let versions = [1, 2].map { number in
            let model = MigratedStore.model(number)
            return NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
        }
        let stage = NSCustomMigrationStage(migratingFrom: versions[0], to: versions[1])
        stage.label = "notes"
        hasSucceeded = false
        stage.didMigrateHandler = { manager, _ in
            guard let context = manager.container?.newBackgroundContext() else { return }
            try context.performAndWait {
                for row in try context.all("Row") { row.setValue("staged", forKey: "note") }
                try context.save()
            }
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: MigratedStore.model(2))
        try window.during {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: store(folder),
                options: [
                    NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([stage]),
                    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                    NSPersistentStoreTimeoutOption: 5,
                ])
        }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        hasSucceeded = true
    }

    func check(_ folder: URL, allowsRemainders: Bool) throws -> Bool {
        let store = store(folder)
        _ = try migrated.check(store, allowsRemainders: allowsRemainders)
        if !allowsRemainders { try MigratedStore.checkFolder(of: store) }
        guard try migrated.version(of: store) == 2 else { return false }
        let context = try migrated.open(store, version: 2)
        let notes = try context.performAndWait {
            Set(try context.all("Row").map { $0.value(forKey: "note") as? String })
        }
        try migrated.close(context)
        try expect(
            notes == ["staged"] || notes == ["new"] && !hasSucceeded, "the stage was skipped: the notes are \(notes)")
        return true
    }
}
