extension NSMappingModel {
    /// Reads a mapping model from its file.
    ///
    /// - Parameter url: a compiled mapping model (`.cdm`); nil gives nil. **Extension**: also the source
    ///   (`.xcmappingmodel`).
    /// - Returns: nil if there is no mapping model, or it can't be read.
    public convenience init?(contentsOf url: URL?) {
        guard let url, let loaded = try? MappingModelFile.load(at: url) else { return nil }
        self.init()
        entityMappings = loaded.entityMappings
    }

    /// Finds the mapping model that leads from one model to another.
    ///
    /// A mapping model fits when the version hashes of all its entity mappings are those of the two models.
    ///
    /// - Parameters:
    ///   - bundles: the bundles whose resources are searched for `.cdm` files (**Extension**: and `.xcmappingmodel`
    ///     sources); nil for the main bundle, on Linux also the resource bundles beside the program.
    ///   - sourceModel: the model to migrate from; nil gives nil.
    ///   - destinationModel: the model to migrate to; nil gives nil.
    /// - Returns: nil if no mapping model fits. Files that can't be read are told on standard error.
    public convenience init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        guard let sourceModel, let destinationModel else { return nil }
        let result = MappingModelSearch.find(in: bundles, from: sourceModel, to: destinationModel)
        for error in result.unreadable {
            FileHandle.standardError.write(Data("CoreData: \(error.localizedDescription)\n".utf8))
        }
        guard let found = result.model else { return nil }
        self.init()
        entityMappings = found.entityMappings
    }

    /// Whether the mapping model leads from one model to the other: all its hashes are those of the models.
    package final func fits(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) -> Bool {
        let mappings: [NSEntityMapping] = entityMappings
        let sourceHashes = source.entityVersionHashesByName
        let destinationHashes = destination.entityVersionHashesByName
        return !mappings.isEmpty
            && mappings.allSatisfy { mapping in
                Self.fits(mapping.sourceEntityName, mapping.sourceEntityVersionHash, sourceHashes)
                    && Self.fits(mapping.destinationEntityName, mapping.destinationEntityVersionHash, destinationHashes)
            }
    }

    private static func fits(_ name: String?, _ hash: Data?, _ hashes: [String: Data]) -> Bool {
        guard let name else { return true }
        return hash != nil && hashes[name] == hash
    }
}
