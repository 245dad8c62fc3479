import OpenCoreData

/// A stack on one store that never writes to it.
struct ReadOnlyStore {
    let path: String
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    /// Opens the store at `path` with the model at `modelPath`, or with the one cached in the store.
    init(path: String, modelPath: String?) throws {
        let url = URL(fileURLWithPath: path)
        // Reading the metadata first tells a file that is no store from one whose model can't be had.
        _ = try StoreFile.metadata(at: url)
        let model = try Self.model(for: path, modelPath: modelPath)
        StoredBytesTransformer.use(in: model)
        // The classes that the model names are the app's. Version hashes don't tell classes apart either.
        model.ignoresClassNames = true
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSReadOnlyPersistentStoreOption: true])
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        self.path = path
    }

    private static func model(for path: String, modelPath: String?) throws -> NSManagedObjectModel {
        if let modelPath { return try ModelSource.model(at: modelPath) }
        do {
            return try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: URL(fileURLWithPath: path))
        } catch let error as NSError
            where error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreOperationError
        {
            throw CommandError(
                "The store \(path) holds no model of its own (it has no Z_MODELCACHE): name its model with --model.")
        } catch {
            throw CommandError(
                """
                The model in the store \(path) can't be used: name its model with --model. \
                (\(ErrorReport.text(for: error)))
                """
            )
        }
    }

    /// The entity of that name.
    func entity(named name: String) throws -> NSEntityDescription {
        let entities = coordinator.managedObjectModel.entitiesByName
        guard let entity = entities[name] else {
            throw CommandError(
                "The model has no entity '\(name)'. It has: \(entities.keys.sorted().joined(separator: ", ")).")
        }
        return entity
    }
}
