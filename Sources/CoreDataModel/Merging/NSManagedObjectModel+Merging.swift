extension NSManagedObjectModel {
    /// Makes a mutable model of copies of the entities of several models; configurations, templates and version
    /// identifiers are united.
    ///
    /// Equal entities of one name are taken once. Two that differ can't be merged: the result is nil, and a message
    /// goes to standard error: "Can't merge models with two different entities named 'X'", where both come from, and
    /// how they differ. (Apple's Core Data raises an exception.)
    ///
    /// - Parameter models: the models; nil gives nil.
    public convenience init?(byMerging models: [NSManagedObjectModel]?) {
        guard let models else { return nil }
        do {
            let merged = try NSManagedObjectModel.merging(models)
            self.init()
            takeOver(merged)
        } catch {
            ModelMessages.say(error)
            return nil
        }
    }

    /// The same with the reason for a failure.
    ///
    /// - Throws: a Cocoa error (`NSCoreDataError`, 134060) that names the entity or template and both origins.
    package static func merging(_ models: [NSManagedObjectModel]) throws -> NSManagedObjectModel {
        do {
            return try ModelMerger.merge(models)
        } catch let conflict as MergeConflict {
            throw conflict.error
        }
    }

    /// Makes the model that a store was made with out of the entities of several models, often versions of one.
    ///
    /// - Parameters:
    ///   - models: models with the entities, in any version.
    ///   - metadata: the store's metadata.
    /// - Returns: nil if an entity is missing in the version that the store has.
    public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
        guard let merged = Self.merged(models, forStoreMetadata: metadata) else { return nil }
        self.init()
        takeOver(merged)
    }

    /// All models in the bundles, merged.
    ///
    /// - Parameter bundles: nil for the main bundle; on Linux also the resource bundles beside the program.
    /// - Returns: nil if there is no model, one can't be read, or two entities of one name differ; standard error says
    ///   which.
    public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        do {
            return try merged(from: bundles)
        } catch {
            ModelMessages.say(error)
            return nil
        }
    }

    /// The same with the reason for a failure.
    ///
    /// - Throws: `CocoaError` with the places searched (260), the file that can't be read, or both origins of a
    ///   conflict.
    package static func merged(from bundles: [Bundle]?) throws -> NSManagedObjectModel {
        let files = ModelSearch.modelFiles(in: bundles)
        if files.isEmpty {
            let endings = (ModelSearch.compiledExtensions + ModelSearch.sourceExtensions).map { "*." + $0 }
            throw ModelSearch.notFound(
                "to merge", endings: endings, in: ModelSearch.folders(of: bundles), names: [], wanted: nil)
        }
        return try merging(files.map { try NSManagedObjectModel.load(contentsOf: $0) })
    }

    /// The model that a store was made with, out of all versions of all models in the bundles.
    ///
    /// - Parameters:
    ///   - bundles: nil for the main bundle; on Linux also the resource bundles beside the program.
    ///   - metadata: the store's metadata.
    /// - Returns: nil if an entity isn't found in the version that the store has, or a model can't be read (standard
    ///   error says which).
    public class func mergedModel(from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any])
        -> NSManagedObjectModel?
    {
        do {
            let models = try ModelSearch.modelFiles(in: bundles).flatMap { try ModelSearch.allVersions(of: $0) }
            return NSManagedObjectModel(byMerging: models, forStoreMetadata: metadata)
        } catch {
            ModelMessages.say(error)
            return nil
        }
    }

    private static func merged(
        _ models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]
    ) -> NSManagedObjectModel? {
        guard let hashes = versionHashes(inStoreMetadata: metadata), !hashes.isEmpty else { return nil }
        // One model that has them all keeps its configurations and templates.
        if let whole = models.first(where: { $0.entityVersionHashesByName == hashes }) {
            return whole.copy() as? NSManagedObjectModel
        }
        var entities: [NSEntityDescription] = []
        for (name, hash) in hashes.sorted(by: { $0.key.precedesBytewise($1.key) }) {
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
}
