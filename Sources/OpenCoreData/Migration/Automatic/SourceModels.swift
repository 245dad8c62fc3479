import CoreDataModel

/// Finds the model that a store was made from.
enum SourceModels {
    /// The model that the store contains, otherwise a model in the resources of the program; nil if there is none.
    static func model(of store: MigratedStore, metadata: [String: Any]) -> NSManagedObjectModel? {
        candidates(store, metadata).first { $0.hasConfiguration(compatibleWithStoreMetadata: metadata) }
    }

    private static func candidates(_ store: MigratedStore, _ metadata: [String: Any]) -> [NSManagedObjectModel] {
        var models: [NSManagedObjectModel] = []
        if store.type == NSSQLiteStoreType,
            let cached = try? NSPersistentStoreCoordinator.closedModel(at: store.url, options: store.options)
        {
            models.append(cached)
        }
        if let known = NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata) { models.append(known) }
        return models
    }
}
