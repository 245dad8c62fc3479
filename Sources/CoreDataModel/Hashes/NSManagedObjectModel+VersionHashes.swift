extension NSManagedObjectModel {
    /// The version hashes of all entities by the name of the entity.
    public final var entityVersionHashesByName: [String: Data] {
        frozenState?.entityVersionHashesByName ?? computeEntityVersionHashes()
    }

    /// One checksum for the hashes of all entities, which newer versions of Xcode write into compiled bundles.
    public final var versionChecksum: String {
        frozenState?.versionChecksum ?? VersionHashSummary.checksum(of: computeEntityVersionHashes())
    }

    /// Whether a store with the given metadata can be opened with a configuration of the model, without migration.
    ///
    /// - Parameters:
    ///   - configuration: the name of a configuration; nil for all entities.
    ///   - metadata: the metadata of a store, which contain the version hashes of its entities.
    /// - Returns: true if the store and the configuration have the same entities with the same hashes; false for an
    ///   unknown configuration.
    public final func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        guard let entities = entities(forConfigurationName: configuration),
            let stored = Self.versionHashes(inStoreMetadata: metadata)
        else { return false }
        let own = Dictionary(entities.map { ($0.nameStorage ?? "", $0.versionHash) }, uniquingKeysWith: { $1 })
        return own == stored
    }

    /// The version hashes in the metadata of a store; nil if there are none.
    package static func versionHashes(inStoreMetadata metadata: [String: Any]) -> [String: Data]? {
        guard let hashes = metadata["NSStoreModelVersionHashes"] else { return nil }
        if let hashes = hashes as? [String: Data] { return hashes }
        guard let dictionary = hashes as? NSDictionary else { return nil }
        var result: [String: Data] = [:]
        for (key, value) in dictionary {
            guard let name = key as? String, let hash = value as? Data else { return nil }
            result[name] = hash
        }
        return result
    }

    final func computeEntityVersionHashes() -> [String: Data] {
        Dictionary(entityStorage.map { ($0.nameStorage ?? "", $0.versionHash) }, uniquingKeysWith: { $1 })
    }
}
