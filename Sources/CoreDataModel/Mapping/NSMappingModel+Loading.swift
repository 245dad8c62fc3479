// SPDX-License-Identifier: Apache-2.0

extension NSMappingModel {
    /// Reads a mapping model from its file.
    ///
    /// ```swift
    /// if let url = Bundle.main.url(forResource: "MusicToMusic2", withExtension: "cdm"),
    ///     let mapping = NSMappingModel(contentsOf: url)
    /// {
    ///     print(mapping.entityMappingsByName.keys.sorted())
    /// }
    /// ```
    ///
    /// The initializer throws nothing.
    ///
    /// - Parameter url: a compiled mapping model (`.cdm`); nil gives nil. **Extension**: also the source
    ///   (`.xcmappingmodel`).
    /// - Returns: nil if the file doesn't exist or can't be read.
    public convenience init?(contentsOf url: URL?) {
        guard let url, let loaded = try? MappingModelFile.load(at: url) else { return nil }
        self.init()
        entityMappings = loaded.entityMappings
    }

    /// Finds the mapping model between two models in the resources of bundles.
    ///
    /// A mapping model matches if all its entity mappings have the version hashes of the two models.
    ///
    /// - Parameters:
    ///   - bundles: the bundles whose resources are searched for `.cdm` files (**Extension**: and `.xcmappingmodel`
    ///     sources); nil for the main bundle, and on Linux also for the resource bundles beside the program.
    ///   - sourceModel: the model to migrate from; nil gives nil.
    ///   - destinationModel: the model to migrate to; nil gives nil.
    /// - Returns: nil if no mapping model matches. Errors of reading files are written to standard error.
    public convenience init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        guard let sourceModel, let destinationModel else { return nil }
        let result = MappingModelSearch.find(in: bundles, from: sourceModel, to: destinationModel)
        for error in result.unreadable { StandardErrorLog.write(error) }
        guard let found = result.model else { return nil }
        self.init()
        entityMappings = found.entityMappings
    }

    /// Whether the mapping model is for the two models: all its version hashes are theirs.
    package final func matches(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) -> Bool {
        let mappings: [NSEntityMapping] = entityMappings
        return !mappings.isEmpty
            && entitiesUnlike(source: source.entityVersionHashesByName).isEmpty
            && entitiesUnlike(destination: destination.entityVersionHashesByName).isEmpty
    }

    /// The source entities whose version hashes in the mapping model are not the given ones, sorted.
    final func entitiesUnlike(source hashes: [String: Data]) -> [String] {
        unlike(hashes) { ($0.sourceEntityName, $0.sourceEntityVersionHash) }
    }

    /// The destination entities whose version hashes in the mapping model are not the given ones, sorted.
    final func entitiesUnlike(destination hashes: [String: Data]) -> [String] {
        unlike(hashes) { ($0.destinationEntityName, $0.destinationEntityVersionHash) }
    }

    private func unlike(_ hashes: [String: Data], _ side: (NSEntityMapping) -> (name: String?, hash: Data?)) -> [String]
    {
        let mappings: [NSEntityMapping] = entityMappings
        let names = mappings.map(side).compactMap { name, hash -> String? in
            guard let name, hash == nil || hashes[name] != hash else { return nil }
            return name
        }
        return Set(names).sortedBytewise()
    }
}
