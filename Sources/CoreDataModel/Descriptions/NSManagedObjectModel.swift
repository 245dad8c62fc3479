// SPDX-License-Identifier: Apache-2.0

/// The schema of a program: entities, configurations and named fetch requests.
///
/// A model is read from a file that a model compiler wrote, or is made in code:
///
/// ```swift
/// let name = NSAttributeDescription()
/// name.name = "name"
/// name.type = .string
/// let artist = NSEntityDescription()
/// artist.name = "Artist"
/// artist.properties = [name]
/// let model = NSManagedObjectModel()
/// model.entities = [artist]
/// ```
///
/// A model is mutable until it is given to a coordinator, and belongs to one thread. A coordinator makes it immutable:
/// every thread can read it, and a setter stops the program with a message. `copy()` returns a mutable model. A
/// coordinator stops the program if the model is inconsistent, for example if the destination of a relationship is
/// missing.
///
/// A store can be opened with a model if the version hashes of all entities match. Otherwise the store needs a
/// migration.
nonisolated open class NSManagedObjectModel: NSObject, NSCopying, NSSecureCoding {
    var entityStorage: [NSEntityDescription] = [] {
        didSet { entityNameIndex.invalidate() }
    }
    /// Finds entities by name in large models.
    let entityNameIndex = NameIndex<NSEntityDescription>()
    var configurationStorage: [String: [NSEntityDescription]] = [:]
    var templateStorage: [String: NSFetchRequest<any NSFetchRequestResult>] = [:]
    /// Set by `freeze()` under `freezeLock`, and constant afterwards.
    var frozenState: FrozenModelState?
    let freezeLock = NSLock()

    /// Attributes of the source model that only the editor reads, such as tool versions. They have no effect, and are
    /// written back.
    package final var sourceAttributes: [String: String] = [:]

    /// The file that the model was read from, for messages; nil for a merged model and for a model made in code.
    final var origin: URL?

    /// Whether all objects are of class `NSManagedObject`, regardless of the class names in the model. For tools that
    /// read any store. Set it before a coordinator uses the model.
    package final var ignoresClassNames = false

    /// The class of all objects, regardless of the class names in the model; nil for the classes that the model names.
    /// A subclass of `NSManagedObject`. Set it before a coordinator uses the model.
    package final var objectClass: AnyClass?

    /// Creates a model without entities.
    public override init() { super.init() }

    /// Decodes a model that `encode(with:)` encoded. The result is mutable.
    ///
    /// - Parameter coder: an `NSKeyedUnarchiver`, which gets an error if the archive contains no valid model.
    public required convenience init?(coder: NSCoder) {
        guard let decoded = ModelCoding.model(from: coder) else { return nil }
        self.init()
        moveContents(from: decoded)
    }

    /// The layouts that the framework derives from the frozen model. The model owns them. Set once, under the lock of
    /// the framework's layout code.
    package nonisolated(unsafe) final var layouts: AnyObject?

    deinit {
        // The layouts are deallocated with the model.
        for entity in entityStorage { entity.layoutAddress.store(0, ordering: .releasing) }
    }

    /// All entities, including subentities.
    ///
    /// The setter connects superentities and relationships that are known by name only, as in copies, to the entities
    /// of the list. It stops the program if an entity belongs to another model.
    open var entities: [NSEntityDescription] {
        get { entityStorage }
        set {
            willModify("entities")
            assignEntities(newValue)
        }
    }

    /// All entities by name.
    open var entitiesByName: [String: NSEntityDescription] {
        frozenState?.entitiesByName
            ?? Dictionary(entityStorage.map { ($0.nameStorage ?? "", $0) }, uniquingKeysWith: { $1 })
    }

    /// An entity by name. Builds no dictionary.
    package final func entity(named name: String) -> NSEntityDescription? {
        if let frozenState { return frozenState.entitiesByName[name] }
        return entityNameIndex.element(named: name, in: entityStorage) { $0.nameStorage ?? "" }
    }

    /// The program's names for this version of the model; usually one string. They have no effect on compatibility.
    open var versionIdentifiers: Set<AnyHashable> = [] {
        willSet { willModify("versionIdentifiers") }
    }

    /// Texts that replace the names of entities and properties, and the texts of validation errors, in messages.
    ///
    /// The keys are `Entity/NAME`, `Property/NAME/Entity/ENTITY`, `Property/NAME` and `ErrorString/TEXT`. A model that
    /// was read from a file has the texts of the strings file beside the model. A dictionary that is set before a
    /// coordinator uses the model replaces them.
    ///
    /// ```swift
    /// model.localizationDictionary = ["Entity/Song": "Lied", "Property/title/Entity/Song": "Titel"]
    /// ```
    open var localizationDictionary: [String: String]? {
        willSet { willModify("localizationDictionary") }
    }

    final func willModify(_ key: String) {
        guard frozenState != nil else { return }
        immutableModelError("The model of \(Wording.count(entityStorage.count, "entity"))", key: key)
    }

    private func assignEntities(_ entities: [NSEntityDescription]) {
        for entity in entities {
            if let model = entity.modelStorage, model !== self {
                programmingError(
                    "\(entity.subjectForMessages) belongs to another model already. Assign a copy of it: entity.copy()."
                )
            }
        }
        let assigned = Set(entities.map(ObjectIdentifier.init))
        for entity in entityStorage where !assigned.contains(ObjectIdentifier(entity)) { entity.modelStorage = nil }
        entityStorage = entities
        for entity in entities {
            entity.modelStorage = self
            entity.decodedModel = nil
        }
        connectByName(entities)
        for (name, members) in configurationStorage {
            configurationStorage[name] = members.filter { assigned.contains(ObjectIdentifier($0)) }
        }
    }

    /// Connects entities to the parents, destinations and inverses that they know by name.
    private func connectByName(_ entities: [NSEntityDescription]) {
        for entity in entities where entity.superentityStorage == nil {
            guard let name = entity.pendingSuperentityName, let parent = self.entity(named: name),
                !parent.isKindOf(entity: entity)
            else { continue }
            parent.subentityStorage.append(entity)
            entity.superentityStorage = parent
            entity.pendingSuperentityName = nil
        }
        for entity in entities {
            for case let relationship as NSRelationshipDescription in entity.ownPropertyStorage {
                relationship.bindResolvedReferences(in: self)
            }
        }
    }

    // MARK: Configurations

    /// The names of the configurations, sorted. The default configuration, which contains all entities, has no name.
    open var configurations: [String] { configurationStorage.keys.sortedBytewise() }

    /// The entities of a configuration.
    ///
    /// - Parameter configuration: the name of a configuration; nil for all entities.
    /// - Returns: the entities; nil if there is no configuration of that name.
    open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration, configuration != Self.defaultConfigurationName else { return entityStorage }
        return configurationStorage[configuration]
    }

    /// Sets the entities of a configuration. Their parents and subentities are not added.
    ///
    /// Stops the program if an entity doesn't belong to the model.
    ///
    /// ```swift
    /// let cached = model.entities.filter { $0.name == "Thumbnail" }
    /// model.setEntities(cached, forConfigurationName: "Cache")
    /// ```
    ///
    /// - Parameters:
    ///   - entities: entities of the model.
    ///   - configuration: the name of the configuration.
    open func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
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

    // MARK: Fetch request templates

    /// The named fetch requests of the model. An immutable model has immutable requests: change a copy.
    open var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] { templateStorage }

    /// A named fetch request of the model, with its variables.
    ///
    /// ```swift
    /// // The requests of a model in use can't be changed.
    /// let template = model.fetchRequestTemplate(forName: "LongSongs")
    /// if let request = template?.copy() as? NSFetchRequest<any NSFetchRequestResult> {
    ///     request.fetchLimit = 20
    ///     print(try context.fetch(request).count)
    /// }
    /// ```
    ///
    /// - Parameter name: the name of the template.
    /// - Returns: the request itself, which belongs to the model; nil if no request has that name. Change a copy of it.
    open func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        templateStorage[name]
    }

    /// Stores a fetch request under a name.
    ///
    /// ```swift
    /// let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Song")
    /// request.predicate = NSPredicate(format: "duration > $seconds")
    /// model.setFetchRequestTemplate(request, forName: "LongSongs")
    /// ```
    ///
    /// - Parameters:
    ///   - fetchRequestTemplate: a request, whose predicate can contain variables; nil removes the template.
    ///   - name: the name of the template.
    open func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
    ) {
        willModify("fetchRequestTemplatesByName")
        templateStorage[name] = fetchRequestTemplate
    }

    /// A copy of a named fetch request in which values replace the variables.
    ///
    /// Stops the program if a variable of the template has no value. `NSNull` stands for nil.
    ///
    /// ```swift
    /// let request = model.fetchRequestFromTemplate(withName: "SongsLike", substitutionVariables: ["TITLE": "*blue*"])
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the template.
    ///   - variables: the values by the names of the variables, without `$`.
    /// - Returns: a mutable request; nil if there is no template of that name.
    open func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        guard let template = templateStorage[name] else { return nil }
        let request = NSFetchRequest<any NSFetchRequestResult>(copying: template)
        guard let predicate = template.predicate else { return request }
        if let missing = PredicateVariables.names(in: predicate).subtracting(variables.keys).sorted().first {
            programmingError(
                """
                The fetch request template '\(name)' has the variable '$\(missing)', for which no value was given. \
                Give a value for every variable; NSNull stands for nil.
                """)
        }
        request.predicate = predicate.withSubstitutionVariables(variables)
        return request
    }

    // MARK: Versions

    /// The version hashes of all entities by the name of the entity.
    ///
    /// ```swift
    /// for (name, hash) in model.entityVersionHashesByName { print(name, hash.base64EncodedString()) }
    /// ```
    open var entityVersionHashesByName: [String: Data] {
        frozenState?.entityVersionHashesByName ?? computeEntityVersionHashes()
    }

    /// One checksum for the hashes of all entities, which newer versions of Xcode write into compiled bundles.
    open var versionChecksum: String {
        frozenState?.versionChecksum ?? VersionHashSummary.checksum(of: computeEntityVersionHashes())
    }

    /// Whether a store with the given metadata can be opened with a configuration of the model, without migration.
    ///
    /// ```swift
    /// func opens(_ url: URL) throws -> Bool {
    ///     let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
    ///         ofType: NSSQLiteStoreType, at: url, options: nil)
    ///     return model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: the name of a configuration; nil for all entities.
    ///   - metadata: the metadata of a store, which contain the version hashes of its entities.
    /// - Returns: true if the store and the configuration have the same entities with the same hashes; false for an
    ///   unknown configuration.
    open func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        guard let entities = entities(forConfigurationName: configuration),
            let stored = Self.versionHashes(inStoreMetadata: metadata)
        else { return false }
        let own = Dictionary(entities.map { ($0.nameStorage ?? "", $0.versionHash) }, uniquingKeysWith: { $1 })
        return own == stored
    }

    // MARK: Merging and checksums

    /// The checksums of all versions of a versioned model.
    ///
    /// - Parameter modelURL: a compiled bundle (`.momd`). **Extension**: also a source bundle (`.xcdatamodeld`).
    /// - Returns: the checksum of each version by its name. Checksums that the bundle doesn't declare are computed.
    /// - Throws: `CocoaError` with the file: 260 if it doesn't exist, 259 if it is not a versioned model or a version
    ///   can't be read.
    open class func checksumsForVersionedModel(at modelURL: URL) throws -> [String: String] {
        try checksums(at: modelURL)
    }

    /// Merges all models in the resources of bundles.
    ///
    /// ```swift
    /// guard let model = NSManagedObjectModel.mergedModel(from: nil) else {
    ///     fatalError("The program has no model.")
    /// }
    /// print(model.entities.count)
    /// ```
    ///
    /// Each model file (`.momd`, `.mom`; **Extension**: also source models without a compiled form) contributes its
    /// current version. The method throws nothing: if there is no model, a model can't be read, or two entities of one
    /// name differ, a message on standard error says why.
    ///
    /// - Parameter bundles: the bundles; nil for the main bundle, and on Linux also for the resource bundles beside the
    ///   program.
    /// - Returns: a mutable model; nil for a failure.
    open class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? { mergedOrNil(from: bundles) }

    /// Creates the model of a store from all versions of all models in bundles.
    ///
    /// - Parameters:
    ///   - bundles: the bundles; nil for the main bundle, and on Linux also for the resource bundles beside the
    ///     program.
    ///   - metadata: the metadata of the store.
    /// - Returns: nil if no version has an entity with a version hash of the store, or if a model can't be read. In the
    ///   latter case a message on standard error says why.
    open class func mergedModel(from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any])
        -> NSManagedObjectModel?
    {
        mergedOrNil(from: bundles, forStoreMetadata: metadata)
    }

    /// A mutable copy, with copies of all entities and templates.
    ///
    /// - Parameter zone: ignored.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSManagedObjectModel()
        copy.entities = entityStorage.compactMap { $0.copy() as? NSEntityDescription }
        for (name, members) in configurationStorage {
            copy.configurationStorage[name] = members.compactMap { $0.nameStorage.flatMap(copy.entity(named:)) }
        }
        for (name, template) in templateStorage {
            let request = template.copyWithEntityName()
            request.resolveEntity(in: copy)
            copy.templateStorage[name] = request
        }
        copy.versionIdentifiers = versionIdentifiers
        copy.localizationDictionary = localizationDictionary
        copy.sourceAttributes = sourceAttributes
        copy.origin = origin
        copy.ignoresClassNames = ignoresClassNames
        return copy
    }

    /// Whether both models have equal entities, configurations and templates.
    ///
    /// - Parameter object: the object to compare with.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        if self === other { return true }
        let others = other.entitiesByName
        return entityStorage.count == other.entityStorage.count
            && entityStorage.allSatisfy { $0.isEqual(others[$0.nameStorage ?? ""]) }
            && versionIdentifiers == other.versionIdentifiers
            && configurationStorage.mapValues { Set($0.map(\.nameStorage)) }
                == other.configurationStorage.mapValues { Set($0.map(\.nameStorage)) }
            && templateStorage.count == other.templateStorage.count
            && templateStorage.allSatisfy { fetchRequestsAreEqual($0.value, other.templateStorage[$0.key]) }
    }

    /// Equal objects have equal hashes.
    open override var hash: Int { entityStorage.count }
}

extension NSManagedObjectModel: Sequence {
    /// An iterator over the entities.
    public final func makeIterator() -> AnyIterator<Any> {
        var iterator = entityStorage.makeIterator()
        return AnyIterator { iterator.next() }
    }
}
