import CoreDataModel

/// Finds the model that a store was made from.
enum SourceModels {
    /// The model that the store contains, otherwise a model in the resources of the program or another version in the
    /// bundle of the new model; nil if there is none.
    static func model(of store: ClosedStore, metadata: [String: Any], besides model: NSManagedObjectModel)
        -> NSManagedObjectModel?
    {
        if let found = candidates(store, metadata).first(where: {
            $0.hasConfiguration(compatibleWithStoreMetadata: metadata)
        }) {
            return found
        }
        let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
        let version = StoreIncompatibility.version(of: hashes, among: ModelVersion.known(besides: model))
        return try? version?.model()
    }

    /// `NSMigrationMissingSourceModelError` (134130): no model is known that made a store.
    static func missingError(_ store: ClosedStore, _ metadata: [String: Any], model: NSManagedObjectModel) -> NSError {
        incompatibility(store, metadata, nil, model).missingSourceError(path: store.url.path, metadata: metadata)
    }

    /// `NSMigrationMissingMappingModelError` (134140): there is no mapping model, and none may be inferred.
    static func missingMappingError(
        _ store: ClosedStore, _ metadata: [String: Any], from source: NSManagedObjectModel,
        to model: NSManagedObjectModel
    ) -> NSError {
        incompatibility(store, metadata, source, model)
            .missingMappingError(path: store.url.path, from: source, to: model)
    }

    private static func incompatibility(
        _ store: ClosedStore, _ metadata: [String: Any], _ source: NSManagedObjectModel?,
        _ model: NSManagedObjectModel
    ) -> StoreIncompatibility {
        StoreIncompatibility(
            storeHashes: NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:],
            expected: AtomicStoreMetadata.versionHashes(
                of: model, store.configuration ?? NSManagedObjectModel.defaultConfigurationName),
            model: model, cachedModel: source)
    }

    private static func candidates(_ store: ClosedStore, _ metadata: [String: Any]) -> [NSManagedObjectModel] {
        var models: [NSManagedObjectModel] = []
        if let cached = try? store.cachedModel() { models.append(cached) }
        if let known = NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata) { models.append(known) }
        return models
    }
}
