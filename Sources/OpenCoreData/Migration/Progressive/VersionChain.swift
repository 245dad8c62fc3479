import CoreDataModel

/// Finds the shortest chain of versions of a model between which a store can be migrated.
struct VersionChain {
    let models: [NSManagedObjectModel]
    let mappingModels: [NSMappingModel]
    let bundles: [Bundle]?

    /// The steps of the shortest chain. Of several the first by the order of the models.
    ///
    /// - Throws: `NSMigrationMissingMappingModelError` (134140) if there is none.
    func shortest(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) throws
        -> [ProgressiveMigration.Step]
    {
        var seen: Set<[String: Data]> = [source.entityVersionHashesByName]
        if !seen.insert(destination.entityVersionHashesByName).inserted { return [] }
        var unreached = models.filter { seen.insert($0.entityVersionHashesByName).inserted }
        let available = availableMappings()
        var chains: [[ProgressiveMigration.Step]] = [[]]
        while !chains.isEmpty {
            for chain in chains {
                let end = chain.last?.destinationModel ?? source
                if let last = step(from: end, to: destination, available) { return chain + [last] }
            }
            var longer: [[ProgressiveMigration.Step]] = []
            for chain in chains {
                let end = chain.last?.destinationModel ?? source
                unreached.removeAll { model in
                    guard let step = step(from: end, to: model, available) else { return false }
                    longer.append(chain + [step])
                    return true
                }
            }
            chains = longer
        }
        throw noChain(source, destination)
    }

    /// The mapping models that the caller gave, and those of the bundles.
    private func availableMappings() -> [NSMappingModel] {
        mappingModels + MappingModelSearch.files(in: bundles).compactMap { try? MappingModelFile.load(at: $0) }
    }

    private func step(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel, _ available: [NSMappingModel]
    ) -> ProgressiveMigration.Step? {
        if let mapping = available.first(where: { $0.matches(from: source, to: destination) }) {
            return ProgressiveMigration.Step(
                sourceModel: source, destinationModel: destination, mappingModel: mapping, isInferred: false)
        }
        guard
            let mapping = try? NSMappingModel.inferredMappingModel(
                forSourceModel: source, destinationModel: destination)
        else { return nil }
        return ProgressiveMigration.Step(
            sourceModel: source, destinationModel: destination, mappingModel: mapping, isInferred: true)
    }

    private func noChain(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) -> NSError {
        var userInfo: [String: Any] = ["sourceModel": source, "destinationModel": destination]
        var reason = "Can't find mapping model for migration"
        do {
            _ = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
        } catch {
            userInfo[NSUnderlyingErrorKey] = error as NSError
            reason += ". None can be inferred: \(CoreDataErrors.reason(of: error))"
        }
        return CoreDataErrors.error(
            NSMigrationMissingMappingModelError, "No chain of \(models.count) versions leads to the model.",
            reason: reason, suggestion: "Add a mapping model for one of the steps.", userInfo: userInfo)
    }
}

extension NSManagedObjectModel {
    /// Whether a store was made from the model, or from one of its configurations.
    final func hasConfiguration(compatibleWithStoreMetadata metadata: [String: Any]) -> Bool {
        ([nil] + configurations.map(Optional.some))
            .contains { isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) }
    }
}
