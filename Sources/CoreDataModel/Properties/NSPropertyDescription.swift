// SPDX-License-Identifier: Apache-2.0

/// A property of an entity: the base class of attributes, relationships, fetched properties and expression
/// descriptions.
///
/// A property is mutable until its model is given to a coordinator, and belongs to one thread. From then on every
/// thread can read it, and a setter stops the program.
nonisolated open class NSPropertyDescription: NSObject, NSCopying, NSSecureCoding {
    var nameStorage = ""
    var userInfoStorage: [AnyHashable: Any]?
    /// The renaming identifier that was set; nil means that the name is used.
    package internal(set) final var explicitRenamingIdentifier: String?
    var isStoredInExternalRecordStorage = false
    var isIndexedStorage = false
    private var entityReference: BackReference<NSEntityDescription>?
    var entityStorage: NSEntityDescription? {
        get { entityReference?.target }
        set { entityReference = newValue?.backReference }
    }
    /// The model that was decoded together with this description, if nothing else retains it. Cleared when the
    /// description is assigned to an owner, because the model would then retain itself.
    var decodedModel: NSManagedObjectModel?
    var isFrozen = false
    var frozenVersionHash: Data?

    /// Attributes of the source model that only the editor and class generation read (`usesScalarValueType`,
    /// `syncable`). They have no effect, and are written back.
    package final var sourceAttributes: [String: String] = [:]
    /// The line of the source file that describes the property, for messages; 0 if there is none.
    package final var sourceLine = 0

    /// Creates an optional, stored property without a name.
    public override init() { super.init() }

    /// Decodes a property that `encode(with:)` encoded, with its entity and model.
    ///
    /// The result is a mutable copy that retains the model. Assign a copy of it to put it into another entity.
    ///
    /// - Parameter coder: an `NSKeyedUnarchiver`, which gets an error if the archive contains no valid property of this
    ///   class.
    public required convenience init?(coder: NSCoder) {
        self.init(decoded: { ModelCoding.part(of: NSPropertyDescription.self, from: coder) })
    }

    /// The entity that declares the property. Stops the program if the property belongs to no entity.
    ///
    /// Entities share the properties that they inherit, so the result is the ancestor that declares the property.
    open var entity: NSEntityDescription {
        guard let entityStorage else {
            programmingError(
                """
                The property '\(nameStorage)' belongs to no entity. Assign it to the properties of an entity (and \
                keep the entity's model alive) before asking for its entity.
                """)
        }
        return entityStorage
    }

    /// The entity that declares the property; nil if it belongs to none.
    package final var owningEntity: NSEntityDescription? { entityStorage }

    /// The name, which is unique in its entity.
    open var name: String {
        get { nameStorage }
        set {
            willModify("name")
            nameStorage = newValue
            entityStorage?.propertyNameIndex.invalidate()
        }
    }

    /// Whether a saved object can have no value (an empty relationship). True by default.
    open var isOptional: Bool = true {
        willSet { willModify("isOptional") }
    }

    /// Whether the value exists in memory only. False by default.
    open var isTransient: Bool = false {
        willSet { willModify("isTransient") }
    }

    /// Whether the value is computed and can't be set: derived attributes, expressions and fetched properties.
    var isReadOnly: Bool { false }

    /// Values for the program's use. Core Data doesn't interpret them. Empty by default. May be changed while a
    /// coordinator uses the model.
    ///
    /// ```swift
    /// func unit(of property: NSPropertyDescription) -> String? {
    ///     property.userInfo?["unit"] as? String
    /// }
    /// ```
    open var userInfo: [AnyHashable: Any]? {
        get { userInfoStorage ?? [:] }
        set { userInfoStorage = newValue }
    }

    /// A text that is part of the version hash. Set it to mark the property as changed although its definition is the
    /// same.
    open var versionHashModifier: String? {
        willSet { willModify("versionHashModifier") }
    }

    /// The name of the property in an earlier model, for an inferred mapping model. Equals the name if it isn't set.
    ///
    /// ```swift
    /// // In the new model; the attribute was called "name" before.
    /// model.entitiesByName["Song"]?.attributesByName["title"]?.renamingIdentifier = "name"
    /// ```
    open var renamingIdentifier: String? {
        get { explicitRenamingIdentifier ?? nameStorage }
        set {
            willModify("renamingIdentifier")
            explicitRenamingIdentifier = newValue
        }
    }

    /// Whether Spotlight indexes the value on Apple's platforms. Stored in model files; has no effect here.
    open var isIndexedBySpotlight: Bool = false {
        willSet { willModify("isIndexedBySpotlight") }
    }

    /// Whether the property is stored in an external record. Obsolete: stored in model files, without effect.
    @available(*, deprecated, message: "external records are obsolete")
    open var isStoredInExternalRecord: Bool {
        get { isStoredInExternalRecordStorage }
        set { setStoredInExternalRecord(newValue) }
    }

    /// Whether the legacy flag asks for an index on this property alone.
    @available(*, deprecated, message: "use NSEntityDescription.indexes instead")
    open var isIndexed: Bool {
        get { isIndexedStorage }
        set { setHasLegacyIndex(newValue) }
    }

    /// The legacy index flag, for the readers and writers of model files and for the schema.
    package final var hasLegacyIndex: Bool { isIndexedStorage }

    /// The external record flag, for the readers and writers of model files.
    package final var storesInExternalRecord: Bool { isStoredInExternalRecordStorage }

    final func setHasLegacyIndex(_ flag: Bool) {
        willModify("isIndexed")
        isIndexedStorage = flag
    }

    final func setStoredInExternalRecord(_ flag: Bool) {
        willModify("isStoredInExternalRecord")
        isStoredInExternalRecordStorage = flag
    }

    /// The predicates that a value must satisfy. Nil is not tested.
    open internal(set) var validationPredicates: [NSPredicate] = []

    /// One warning for each predicate: an error code as a number, or a text.
    open internal(set) var validationWarnings: [Any] = []

    /// Sets the predicates that a value must satisfy.
    ///
    /// Stops the program if the lists have different lengths.
    ///
    /// ```swift
    /// let title = NSAttributeDescription()
    /// title.name = "title"
    /// title.attributeType = .stringAttributeType
    /// title.setValidationPredicates(
    ///     [NSPredicate(format: "SELF.length <= 200")],
    ///     withValidationWarnings: ["A title has at most 200 characters."])
    /// ```
    ///
    /// - Parameters:
    ///   - validationPredicates: predicates in which `SELF` is the value; nil for none.
    ///   - validationWarnings: one error text for each predicate.
    open func setValidationPredicates(
        _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
    ) {
        setValidation(predicates: validationPredicates ?? [], warnings: validationWarnings ?? [])
    }

    /// Sets the predicates with warnings as model files contain them: error codes or texts.
    package final func setValidation(predicates: [NSPredicate], warnings: [Any]) {
        willModify("validationPredicates")
        guard predicates.count == warnings.count else {
            programmingError(
                """
                \(subjectForMessages): \(Wording.count(predicates.count, "validation predicate")) came with \
                \(Wording.count(warnings.count, "warning")). Give one warning for each predicate.
                """)
        }
        validationPredicates = predicates
        validationWarnings = warnings
    }

    /// A hash of 32 bytes that changes with every change that affects stores.
    open var versionHash: Data { frozenVersionHash ?? computeVersionHash() }

    /// The description of this property in messages.
    var subjectForMessages: String {
        "Property '\(nameStorage)' of entity '\(entityStorage?.name ?? "(none)")'"
    }

    final func willModify(_ key: String) {
        if isFrozen { immutableModelError(subjectForMessages, key: key) }
    }

    // MARK: Copying and comparing

    /// A mutable copy that belongs to no entity.
    ///
    /// - Parameter zone: ignored.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = makeEmptyCopy()
        copyState(into: copy)
        return copy
    }

    func makeEmptyCopy() -> NSPropertyDescription { NSPropertyDescription() }

    func copyState(into copy: NSPropertyDescription) {
        copy.nameStorage = nameStorage
        copy.isOptional = isOptional
        copy.isTransient = isTransient
        copy.userInfoStorage = userInfoStorage
        copy.versionHashModifier = versionHashModifier
        copy.explicitRenamingIdentifier = explicitRenamingIdentifier
        copy.isIndexedBySpotlight = isIndexedBySpotlight
        copy.isStoredInExternalRecordStorage = isStoredInExternalRecordStorage
        copy.isIndexedStorage = isIndexedStorage
        copy.validationPredicates = validationPredicates
        copy.validationWarnings = validationWarnings
        copy.sourceAttributes = sourceAttributes
    }

    /// Whether both properties are of the same class and have equal options. Entities are compared by name.
    ///
    /// - Parameter object: the object to compare with.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyDescription else { return false }
        return self === other || (Swift.type(of: self) == Swift.type(of: other) && hasEqualState(to: other))
    }

    /// Equal objects have equal hashes.
    open override var hash: Int { nameStorage.hashValue }

    func hasEqualState(to other: NSPropertyDescription) -> Bool {
        nameStorage == other.nameStorage && isOptional == other.isOptional
            && isTransient == other.isTransient
            && versionHashModifier == other.versionHashModifier
            && renamingIdentifier == other.renamingIdentifier
            && isIndexedBySpotlight == other.isIndexedBySpotlight
            && isStoredInExternalRecordStorage == other.isStoredInExternalRecordStorage
            && isIndexedStorage == other.isIndexedStorage
            && predicatesAreEqual(validationPredicates, other.validationPredicates)
            && valueListsAreEqual(validationWarnings, other.validationWarnings)
            && userInfosAreEqual(userInfoStorage, other.userInfoStorage)
    }

    // MARK: Freezing

    /// Makes the property immutable, and computes its derived values.
    func freeze() {
        guard !isFrozen else { return }
        resolveReferences()
        frozenVersionHash = computeVersionHash()
        isFrozen = true
    }

    func resolveReferences() {}
}
