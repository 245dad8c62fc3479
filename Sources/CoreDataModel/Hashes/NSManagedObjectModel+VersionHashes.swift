extension NSManagedObjectModel {
    /// The version hash of every entity, by the entity's name.
    public final var entityVersionHashesByName: [String: Data] {
        frozenState?.entityVersionHashesByName ?? computeEntityVersionHashes()
    }

    /// One text for the hashes of all entities, as in the bundles that newer Xcode versions compile.
    public final var versionChecksum: String {
        frozenState?.versionChecksum ?? VersionHashSummary.checksum(of: computeEntityVersionHashes())
    }

    /// Whether a store with this metadata can be opened with a configuration of the model, without migration.
    ///
    /// - Parameters:
    ///   - configuration: a configuration's name; nil for all entities.
    ///   - metadata: a store's metadata, with the hashes of the entities that the store was made for.
    /// - Returns: whether the store and the configuration have the same entities with the same hashes. False for an
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

    /// The hashes in a store's metadata; nil if there are none.
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
