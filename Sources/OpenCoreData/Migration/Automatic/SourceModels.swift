// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// Finds the model that a store was made from.
enum SourceModels {
    /// The model that the store contains, otherwise a model in the resources of the program or another version in the
    /// bundle of the new model; nil if there is none.
    ///
    /// - Parameter cached: the model in the store.
    static func model(metadata: [String: Any], cached: NSManagedObjectModel?, besides model: NSManagedObjectModel)
        -> NSManagedObjectModel?
    {
        func isOfStore(_ model: NSManagedObjectModel) -> Bool {
            model.hasConfiguration(compatibleWithStoreMetadata: metadata)
        }
        if let cached, isOfStore(cached) { return cached }
        if let known = NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata), isOfStore(known) {
            return known
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
}
