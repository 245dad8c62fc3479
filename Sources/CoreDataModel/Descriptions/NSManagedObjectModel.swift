/// The schema of a program: its entities, configurations and named fetch requests.
///
/// A model may be changed until it is given to a coordinator. From then on it is immutable: a change stops the program,
/// and every thread may read it. `copy()` gives a mutable model again.
open class NSManagedObjectModel: NSObject, NSCopying, NSSecureCoding {
    var entityStorage: [NSEntityDescription] = [] {
        didSet { names.forget() }
    }
    /// Finds entities of large models; small ones are searched.
    let names = EntityNameIndex()
    var configurationStorage: [String: [NSEntityDescription]] = [:]
    var templateStorage: [String: NSFetchRequest<any NSFetchRequestResult>] = [:]
    var versionIdentifierStorage: Set<AnyHashable> = []
    var localizationStorage: [String: String]?
    /// Set by `freeze()`, under `freezeLock`, and never changed afterwards.
    var frozenState: FrozenModelState?
    let freezeLock = NSLock()

    /// What a source model says to its editor only (tool versions and the like); written back, without effect.
    package final var sourceAttributes: [String: String] = [:]

    /// The file that the model was read from, for messages; nil for a model made in code or merged.
    package final var origin: URL?

    /// Whether all objects shall be plain `NSManagedObject`s, whatever classes the model names: for programs that look
    /// at any store, as our tools do. To be set before a coordinator takes the model.
    package final var usesNoClasses = false

    /// Makes a model without entities.
    public override init() { super.init() }

    /// Reads a model that `encode(with:)` wrote. The model is mutable.
    ///
    /// - Parameter coder: an `NSKeyedUnarchiver`; it gets the error if there is no sound model.
    public required convenience init?(coder: NSCoder) {
        guard let decoded = ModelCoding.model(from: coder) else { return nil }
        self.init()
        takeOver(decoded)
    }

    /// The entities, subentities included.
    ///
    /// Setting it gives the entities to this model: relationships and superentities that are known by name only (in
    /// copies) are wired to the entities of the list. An entity that belongs to another model is refused.
    public final var entities: [NSEntityDescription] {
        get { entityStorage }
        set {
            willModify("entities")
            adopt(newValue)
        }
    }

    /// The entities by name.
    public final var entitiesByName: [String: NSEntityDescription] {
        frozenState?.entitiesByName
            ?? Dictionary(entityStorage.map { ($0.nameStorage ?? "", $0) }, uniquingKeysWith: { $1 })
    }

    /// An entity by name, without building a dictionary.
    package final func entity(named name: String) -> NSEntityDescription? {
        if let frozenState { return frozenState.entitiesByName[name] }
        return names.entity(named: name, in: entityStorage)
    }

    /// What the program calls this version of the model; usually one string. Not interpreted, and without effect on
    /// compatibility.
    public final var versionIdentifiers: Set<AnyHashable> {
        get { versionIdentifierStorage }
        set {
            willModify("versionIdentifiers")
            versionIdentifierStorage = newValue
        }
    }

    /// Texts that replace the names of entities and properties and the texts of validation errors in messages.
    ///
    /// The keys are `Entity/NAME`, `Property/NAME/Entity/ENTITY`, `Property/NAME` and `ErrorString/TEXT`. A model that
    /// was read from a file has those of the strings file beside it; what is set here, before a coordinator takes the
    /// model, replaces them.
    public final var localizationDictionary: [String: String]? {
        get { localizationStorage }
        set {
            willModify("localizationDictionary")
            localizationStorage = newValue
        }
    }

    final func willModify(_ key: String) {
        if frozenState != nil { immutableModelError("The model of \(entityStorage.count) entities", key: key) }
    }

    private func adopt(_ entities: [NSEntityDescription]) {
        for entity in entities {
            if let model = entity.modelStorage, model !== self {
                programmingError(
                    "\(entity.subjectForMessages) belongs to another model already. Assign a copy of it: entity.copy()."
                )
            }
        }
        let kept = Set(entities.map(ObjectIdentifier.init))
        for entity in entityStorage where !kept.contains(ObjectIdentifier(entity)) { entity.modelStorage = nil }
        entityStorage = entities
        for entity in entities {
            entity.modelStorage = self
            entity.decodedModel = nil
        }
        wire(entities)
        for (name, members) in configurationStorage {
            configurationStorage[name] = members.filter { kept.contains(ObjectIdentifier($0)) }
        }
    }

    /// Gives entities the relatives that they know by name.
    private func wire(_ entities: [NSEntityDescription]) {
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
                relationship.rewire(in: self)
            }
        }
    }

    /// A mutable copy, with copies of all entities and templates.
    public final func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSManagedObjectModel()
        copy.entities = entityStorage.compactMap { $0.copy() as? NSEntityDescription }
        for (name, members) in configurationStorage {
            copy.configurationStorage[name] = members.compactMap { $0.nameStorage.flatMap(copy.entity(named:)) }
        }
        for (name, template) in templateStorage {
            let request = template.copyReferringByName()
            request.resolveEntity(in: copy)
            copy.templateStorage[name] = request
        }
        copy.versionIdentifierStorage = versionIdentifierStorage
        copy.localizationStorage = localizationStorage
        copy.sourceAttributes = sourceAttributes
        copy.origin = origin
        copy.usesNoClasses = usesNoClasses
        return copy
    }

    /// Whether both models hold equal entities, configurations and templates.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        if self === other { return true }
        let others = other.entitiesByName
        return entityStorage.count == other.entityStorage.count
            && entityStorage.allSatisfy { $0.isEqual(others[$0.nameStorage ?? ""]) }
            && versionIdentifierStorage == other.versionIdentifierStorage
            && configurationStorage.mapValues { Set($0.map(\.nameStorage)) }
                == other.configurationStorage.mapValues { Set($0.map(\.nameStorage)) }
            && templateStorage.count == other.templateStorage.count
            && templateStorage.allSatisfy { fetchRequestsAreEqual($0.value, other.templateStorage[$0.key]) }
    }

    open override var hash: Int { entityStorage.count }
}

extension NSManagedObjectModel: Sequence {
    /// Iterates over the entities.
    public final func makeIterator() -> AnyIterator<Any> {
        var iterator = entityStorage.makeIterator()
        return AnyIterator { iterator.next() }
    }
}
