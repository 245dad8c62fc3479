/// A property of an entity: the common part of attributes, relationships, fetched properties and expressions.
///
/// A description may be changed until the model is given to a coordinator; afterwards a change stops the program.
/// Until then it belongs to one thread; a model in use may be read from all threads.
open class NSPropertyDescription: NSObject, NSCopying, NSSecureCoding {
    var nameStorage = ""
    var isOptionalStorage = true
    var isTransientStorage = false
    var userInfoStorage: [AnyHashable: Any]?
    var versionHashModifierStorage: String?
    /// The renaming identifier as it was set; nil stands for the name.
    package internal(set) final var explicitRenamingIdentifier: String?
    var isIndexedBySpotlightStorage = false
    var isStoredInExternalRecordStorage = false
    var isIndexedStorage = false
    var validationPredicateStorage: [NSPredicate] = []
    var validationWarningStorage: [Any] = []
    private var entityReference: BackReference<NSEntityDescription>?
    var entityStorage: NSEntityDescription? {
        get { entityReference?.target }
        set { entityReference = newValue?.backReference }
    }
    /// The model that was decoded with this description, if nothing else retains that model. Cleared when an owner
    /// takes the description over, since the owner would be retained through it.
    var decodedModel: NSManagedObjectModel?
    var isFrozen = false
    var frozenVersionHash: Data?

    /// What a source model says about the property to its editor and to class generation only (`usesScalarValueType`,
    /// `syncable`); written back, without effect.
    package final var sourceAttributes: [String: String] = [:]
    /// The line of the source file that describes the property, 0 where there is none; for messages.
    package final var sourceLine = 0

    /// Makes a description with no name, optional, stored.
    public override init() { super.init() }

    /// Reads a property that `encode(with:)` wrote, with the entity and the model that it belonged to.
    ///
    /// It is a mutable copy, which keeps that model. Assign a copy of it to put it into an entity.
    ///
    /// - Parameter coder: an `NSKeyedUnarchiver`; it gets the error if there is no sound property of this class.
    public required convenience init?(coder: NSCoder) {
        self.init(decoded: { ModelCoding.part(of: NSPropertyDescription.self, from: coder) })
    }

    /// The entity that declares the property. Stops if the property was not given to an entity yet.
    ///
    /// Entities share the property objects that they inherit, so this is the ancestor that declares it.
    public final var entity: NSEntityDescription {
        guard let entityStorage else {
            programmingError(
                "The property '\(nameStorage)' belongs to no entity. Assign it to the properties of an entity "
                    + "(and keep the entity's model alive) before asking for its entity.")
        }
        return entityStorage
    }

    /// The entity that declares the property, if it has one yet.
    package final var owningEntity: NSEntityDescription? { entityStorage }

    /// The name; unique in its entity.
    open var name: String {
        get { nameStorage }
        set {
            willModify("name")
            nameStorage = newValue
        }
    }

    /// Whether the value may be nil (or the relationship empty) when the object is saved. True by default.
    open var isOptional: Bool {
        get { isOptionalStorage }
        set {
            willModify("isOptional")
            isOptionalStorage = newValue
        }
    }

    /// Whether the value is kept in memory only. False by default.
    open var isTransient: Bool {
        get { isTransientStorage }
        set {
            willModify("isTransient")
            isTransientStorage = newValue
        }
    }

    /// Whether the value follows from others and can't be set: derived attributes, expressions and fetched properties.
    package var isReadOnly: Bool { false }

    /// What the program wants to say about the property; not interpreted.
    open var userInfo: [AnyHashable: Any]? {
        get { userInfoStorage }
        set {
            willModify("userInfo")
            userInfoStorage = newValue
        }
    }

    /// A text that enters the version hash, to mark a property as changed although its definition stays.
    open var versionHashModifier: String? {
        get { versionHashModifierStorage }
        set {
            willModify("versionHashModifier")
            versionHashModifierStorage = newValue
        }
    }

    /// The name of the property in an earlier model, for inferred migration; the name itself where none is set.
    open var renamingIdentifier: String? {
        get { explicitRenamingIdentifier ?? nameStorage }
        set {
            willModify("renamingIdentifier")
            explicitRenamingIdentifier = newValue
        }
    }

    /// Whether Spotlight indexes the value on Apple's platforms: kept in the model files, without effect here.
    open var isIndexedBySpotlight: Bool {
        get { isIndexedBySpotlightStorage }
        set {
            willModify("isIndexedBySpotlight")
            isIndexedBySpotlightStorage = newValue
        }
    }

    /// Obsolete mark for external records: kept in the model files, without effect.
    @available(*, deprecated, message: "external records are obsolete")
    open var isStoredInExternalRecord: Bool {
        get { isStoredInExternalRecordStorage }
        set { setStoredInExternalRecord(newValue) }
    }

    /// Whether the property has an index of its own.
    @available(*, deprecated, message: "use NSEntityDescription.indexes instead")
    open var isIndexed: Bool {
        get { isIndexedStorage }
        set { setHasLegacyIndex(newValue) }
    }

    /// The legacy index flag, for the readers and writers of model files and the schema.
    package final var hasLegacyIndex: Bool { isIndexedStorage }

    /// The external record flag, for the readers and writers of model files.
    package final var storesInExternalRecord: Bool { isStoredInExternalRecordStorage }

    package final func setHasLegacyIndex(_ flag: Bool) {
        willModify("isIndexed")
        isIndexedStorage = flag
    }

    package final func setStoredInExternalRecord(_ flag: Bool) {
        willModify("isStoredInExternalRecord")
        isStoredInExternalRecordStorage = flag
    }

    /// The predicates that a value must fulfil; nil values are not tested.
    open var validationPredicates: [NSPredicate] { validationPredicateStorage }

    /// One warning for each predicate: an error code as a number, or a text.
    open var validationWarnings: [Any] { validationWarningStorage }

    /// Sets the predicates that a value must fulfil and the texts of the errors where one doesn't hold.
    ///
    /// - Parameters:
    ///   - validationPredicates: predicates whose `SELF` is the value; nil for none.
    ///   - validationWarnings: one text for each predicate.
    open func setValidationPredicates(
        _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
    ) {
        setValidation(predicates: validationPredicates ?? [], warnings: validationWarnings ?? [])
    }

    /// The same with warnings as they stand in model files: error codes or texts.
    package final func setValidation(predicates: [NSPredicate], warnings: [Any]) {
        willModify("validationPredicates")
        guard predicates.count == warnings.count else {
            programmingError(
                """
                \(subjectForMessages): \(predicates.count) validation predicates came with \(warnings.count) \
                warnings. 
                """
                    + "Give one warning for each predicate.")
        }
        validationPredicateStorage = predicates
        validationWarningStorage = warnings
    }

    /// 32 bytes that change when the definition changes in a way that stores depend on.
    open var versionHash: Data { frozenVersionHash ?? computeVersionHash() }

    /// Where a message says that this property is meant.
    var subjectForMessages: String {
        "Property '\(nameStorage)' of entity '\(entityStorage?.name ?? "(none)")'"
    }

    final func willModify(_ key: String) {
        if isFrozen { immutableModelError(subjectForMessages, key: key) }
    }

    // MARK: Copying and comparing

    /// A mutable copy that belongs to no entity.
    public final func copy(with zone: NSZone? = nil) -> Any {
        let copy = makeEmptyCopy()
        copyState(into: copy)
        return copy
    }

    func makeEmptyCopy() -> NSPropertyDescription { NSPropertyDescription() }

    func copyState(into copy: NSPropertyDescription) {
        copy.nameStorage = nameStorage
        copy.isOptionalStorage = isOptionalStorage
        copy.isTransientStorage = isTransientStorage
        copy.userInfoStorage = userInfoStorage
        copy.versionHashModifierStorage = versionHashModifierStorage
        copy.explicitRenamingIdentifier = explicitRenamingIdentifier
        copy.isIndexedBySpotlightStorage = isIndexedBySpotlightStorage
        copy.isStoredInExternalRecordStorage = isStoredInExternalRecordStorage
        copy.isIndexedStorage = isIndexedStorage
        copy.validationPredicateStorage = validationPredicateStorage
        copy.validationWarningStorage = validationWarningStorage
        copy.sourceAttributes = sourceAttributes
    }

    /// Whether both describe the same property: same kind and equal values, other entities being compared by name.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyDescription else { return false }
        return self === other || (Swift.type(of: self) == Swift.type(of: other) && hasEqualState(to: other))
    }

    open override var hash: Int { nameStorage.hashValue }

    func hasEqualState(to other: NSPropertyDescription) -> Bool {
        nameStorage == other.nameStorage && isOptionalStorage == other.isOptionalStorage
            && isTransientStorage == other.isTransientStorage
            && versionHashModifierStorage == other.versionHashModifierStorage
            && renamingIdentifier == other.renamingIdentifier
            && isIndexedBySpotlightStorage == other.isIndexedBySpotlightStorage
            && isStoredInExternalRecordStorage == other.isStoredInExternalRecordStorage
            && isIndexedStorage == other.isIndexedStorage
            && predicatesAreEqual(validationPredicateStorage, other.validationPredicateStorage)
            && valueListsAreEqual(validationWarningStorage, other.validationWarningStorage)
            && userInfosAreEqual(userInfoStorage, other.userInfoStorage)
    }

    // MARK: Freezing

    /// Makes the property immutable: everything that could be computed later is computed now.
    func freeze() {
        guard !isFrozen else { return }
        resolveReferences()
        frozenVersionHash = computeVersionHash()
        isFrozen = true
    }

    func resolveReferences() {}
}
