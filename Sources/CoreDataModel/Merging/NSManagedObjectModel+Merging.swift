// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectModel {
    /// Creates a mutable model with copies of the entities of several models, and with all their configurations,
    /// templates and version identifiers.
    ///
    /// Equal entities of one name are copied once. Different entities of one name are a conflict: the result is nil,
    /// and a message on standard error names the entity, the origin of both models and their first difference. On
    /// Apple's platforms the conflict raises an exception.
    ///
    /// The initializer throws nothing. It reads the models on the calling thread.
    ///
    /// - Parameter models: the models; nil gives nil.
    /// - Returns: the merged model; nil for a conflict.
    public convenience init?(byMerging models: [NSManagedObjectModel]?) {
        guard let models else { return nil }
        do {
            let merged = try NSManagedObjectModel.merging(models)
            self.init()
            moveContents(from: merged)
        } catch {
            StandardErrorLog.write(error)
            return nil
        }
    }

    /// Merges models, and throws the reason for a failure.
    ///
    /// - Throws: `NSCoreDataError` (134060) with the entity or template and both origins.
    static func merging(_ models: [NSManagedObjectModel]) throws -> NSManagedObjectModel {
        do {
            return try ModelMerger.merge(models)
        } catch let conflict as MergeConflict {
            throw conflict.error
        }
    }

    /// Creates the model of a store from the entities of several models, which can be versions of one model.
    ///
    /// - Parameters:
    ///   - models: models that contain the entities, in any version.
    ///   - metadata: the metadata of the store.
    /// - Returns: nil if no model has an entity with a version hash of the store.
    public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
        guard let merged = Self.merged(models, forStoreMetadata: metadata) else { return nil }
        self.init()
        moveContents(from: merged)
    }

    /// Merges all models in bundles, and throws the reason for a failure.
    ///
    /// - Throws: `CocoaError` with the folders that were searched (260), with the file that can't be read, or with both
    ///   origins of a conflict (134060).
    static func merged(from bundles: [Bundle]?) throws -> NSManagedObjectModel {
        let files = ModelSearch.modelFiles(in: bundles)
        if files.isEmpty {
            let endings = (ModelSearch.compiledExtensions + ModelSearch.sourceExtensions).map { "*." + $0 }
            throw ModelSearch.notFound(
                "to merge", endings: endings, in: ModelSearch.folders(of: bundles), names: [], wanted: nil)
        }
        return try merging(files.map { try NSManagedObjectModel.load(contentsOf: $0) })
    }

    private static func merged(
        _ models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]
    ) -> NSManagedObjectModel? {
        guard let hashes = versionHashes(inStoreMetadata: metadata), !hashes.isEmpty else { return nil }
        // A single model with all entities keeps its configurations and templates.
        if let match = models.first(where: { $0.entityVersionHashesByName == hashes }) {
            return match.copy() as? NSManagedObjectModel
        }
        var entities: [NSEntityDescription] = []
        for (name, hash) in hashes.sortedBytewise(by: { $0.key }) {
            let candidates = models.lazy.compactMap { $0.entity(named: name) }
            guard let entity = candidates.first(where: { $0.versionHash == hash }),
                let copy = entity.copy() as? NSEntityDescription
            else { return nil }
            entities.append(copy)
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        return model.firstProblem() == nil && model.entityVersionHashesByName == hashes ? model : nil
    }

    /// The work of `mergedModel(from:)`.
    static func mergedOrNil(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        do {
            return try merged(from: bundles)
        } catch {
            StandardErrorLog.write(error)
            return nil
        }
    }

    /// The work of `mergedModel(from:forStoreMetadata:)`.
    static func mergedOrNil(from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any])
        -> NSManagedObjectModel?
    {
        do {
            let hashes = versionHashes(inStoreMetadata: metadata) ?? [:]
            let files = ModelSearch.modelFiles(in: bundles)
            for file in files {
                let models = try ModelSearch.versions(of: file) { $0 == hashes }
                if let match = models.first(where: { $0.entityVersionHashesByName == hashes }) { return match }
            }
            let models = try files.flatMap { file in
                try ModelSearch.versions(of: file) { $0.contains { hashes[$0.key] == $0.value } }
            }
            return NSManagedObjectModel(byMerging: models, forStoreMetadata: metadata)
        } catch {
            StandardErrorLog.write(error)
            return nil
        }
    }
}
