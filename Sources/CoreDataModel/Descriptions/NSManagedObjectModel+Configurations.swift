extension NSManagedObjectModel {
    /// The names of the configurations, sorted. The default configuration, which contains all entities, has no name.
    public final var configurations: [String] { configurationStorage.keys.sortedBytewise() }

    /// The entities of a configuration.
    ///
    /// - Parameter configuration: the name of a configuration; nil for all entities.
    /// - Returns: the entities; nil if there is no configuration of that name.
    public final func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration, configuration != Self.defaultConfigurationName else { return entityStorage }
        return configurationStorage[configuration]
    }

    /// Sets the entities of a configuration. Their parents and subentities are not added.
    ///
    /// Stops the program if an entity doesn't belong to the model.
    ///
    /// - Parameters:
    ///   - entities: entities of the model.
    ///   - configuration: the name of the configuration.
    public final func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        willModify("configurations")
        configurationStorage[configuration] = entities.map { entity in
            if entity.modelStorage === self { return entity }
            guard let name = entity.nameStorage, let own = self.entity(named: name) else {
                programmingError(
                    """
                    Can't put entity '\(entity.nameStorage ?? "")' into configuration '\(configuration)': it is not \
                    in the model. Assign it to the model's entities first.
                    """)
            }
            return own
        }
    }

    /// The name that Apple's tools write for the default configuration.
    package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"
}
