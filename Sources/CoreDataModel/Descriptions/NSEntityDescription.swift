// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// An entity of a model: it describes the properties of managed objects, as a class describes the properties of
/// objects.
///
/// ```swift
/// let title = NSAttributeDescription()
/// title.name = "title"
/// title.type = .string
/// title.isOptional = false
///
/// let song = NSEntityDescription()
/// song.name = "Song"
/// song.managedObjectClassName = "Song"
/// song.properties = [title]
/// song.uniquenessConstraints = [["title"]]
///
/// let model = NSManagedObjectModel()
/// model.entities = [song]
/// ```
///
/// An entity can be created empty, assigned to a model, and get its properties later. Relationships between entities
/// require this. `subentities` makes other entities inherit its properties. All entities of one hierarchy share a table
/// in a SQL store.
///
/// An entity is mutable until its model is given to a coordinator, and belongs to one thread. From then on every thread
/// can read it, and a setter stops the program with a message. The model retains its entities; an entity doesn't retain
/// its model.
nonisolated open class NSEntityDescription: NSObject, NSCopying, NSSecureCoding {
    var nameStorage: String?
    var classNameStorage: String?
    var userInfoStorage: [AnyHashable: Any]?
    /// The renaming identifier that was set; nil means that the name is used.
    package internal(set) final var explicitRenamingIdentifier: String?
    var ownPropertyStorage: [NSPropertyDescription] = [] {
        didSet { propertyNameIndex.invalidate() }
    }
    /// Finds declared properties by name in large entities.
    let propertyNameIndex = NameIndex<NSPropertyDescription>()
    var subentityStorage: [NSEntityDescription] = []
    /// The reference to this entity that its properties, indexes and subentities share.
    let backReference = BackReference<NSEntityDescription>()
    private var superentityReference: BackReference<NSEntityDescription>?
    var superentityStorage: NSEntityDescription? {
        get { superentityReference?.target }
        set { superentityReference = newValue?.backReference }
    }
    weak var modelStorage: NSManagedObjectModel?
    /// The model that was decoded together with this description, if nothing else retains it. Cleared when the
    /// description is assigned to an owner, because the model would then retain itself.
    var decodedModel: NSManagedObjectModel?
    /// The name of the parent in a copy, until the copy belongs to a model with an entity of that name.
    var pendingSuperentityName: String?
    var indexStorage: [NSFetchIndexDescription] = []
    var compoundIndexStorage: [[Any]] = []
    var displayNameExpressionStorage: NSExpression?
    /// Values derived from the definition. Set when the model is frozen, and constant afterwards.
    var frozenState: FrozenEntityState?

    /// The address of the entity's layout, which the model owns (see `NSManagedObjectModel.layouts`); 0 until all
    /// layouts of the model are complete. Stored with release semantics, loaded with acquire semantics.
    @usableFromInline package final let layoutAddress = Atomic<UInt>(0)

    /// Attributes of the source model that only the editor reads (`syncable`, `codeGenerationType`). They have no
    /// effect, and are written back.
    package final var sourceAttributes: [String: String] = [:]
    /// The line of the source file that describes the entity, for messages; 0 if there is none.
    package final var sourceLine = 0

    /// Creates an entity without name and properties, whose objects are of class `NSManagedObject`.
    public override init() {
        super.init()
        backReference.target = self
    }

    /// Decodes an entity that `encode(with:)` encoded, with its model.
    ///
    /// The result is a mutable copy of an entity of that model, and retains the model: related entities and inherited
    /// properties are available. Assign a copy of it to put it into another model.
    ///
    /// - Parameter coder: an `NSKeyedUnarchiver`, which gets an error if the archive contains no valid entity.
    public required convenience init?(coder: NSCoder) {
        self.init(decoded: { ModelCoding.part(of: NSEntityDescription.self, from: coder) })
    }

    deinit { backReference.target = nil }

    /// The name, which is unique in the model.
    open var name: String? {
        get { nameStorage }
        set {
            willModify("name")
            nameStorage = newValue
            modelStorage?.entityNameIndex.invalidate()
        }
    }

    /// The name of the class of the entity's objects. `NSManagedObject` by default. A name that begins with a dot means
    /// a class in the program's module.
    ///
    /// Xcode's "Current Product Module" is such a dot in a source model. The model compiler writes the module in its
    /// place (`momc --module`, which the build plugin gives). A source model that is read directly keeps the dot. The
    /// class is found by either form.
    ///
    /// ```swift
    /// let entity = NSEntityDescription()
    /// entity.managedObjectClassName = NSStringFromClass(Song.self)
    /// ```
    open var managedObjectClassName: String! {
        get { classNameStorage ?? "NSManagedObject" }
        set {
            willModify("managedObjectClassName")
            classNameStorage = newValue
        }
    }

    /// The class name that was set; nil means `NSManagedObject`.
    package final var explicitClassName: String? { classNameStorage }

    /// Whether objects can only be inserted for subentities. False by default.
    open var isAbstract: Bool = false {
        willSet { willModify("isAbstract") }
    }

    /// The model. Stops the program if the entity belongs to no model, or if the model was freed.
    open var managedObjectModel: NSManagedObjectModel {
        guard let modelStorage else {
            programmingError(
                """
                The entity '\(nameStorage ?? "")' belongs to no model. Assign it to the entities of a model, and \
                keep that model.
                """
            )
        }
        return modelStorage
    }

    /// The model; nil if the entity belongs to none.
    package final var owningModel: NSManagedObjectModel? { modelStorage }

    /// Values for the program's use. Core Data doesn't interpret them. Empty by default.
    ///
    /// ```swift
    /// func title(of entity: NSEntityDescription) -> String {
    ///     entity.userInfo?["title"] as? String ?? entity.name ?? ""
    /// }
    /// ```
    open var userInfo: [AnyHashable: Any]? {
        get { userInfoStorage ?? [:] }
        set { userInfoStorage = newValue }
    }

    /// The name of the entity in an earlier model, for an inferred mapping model. Equals the name if it isn't set.
    ///
    /// ```swift
    /// // In the new model; the entity was called "Track" before.
    /// model.entitiesByName["Song"]?.renamingIdentifier = "Track"
    /// ```
    open var renamingIdentifier: String? {
        get { explicitRenamingIdentifier ?? nameStorage }
        set {
            willModify("renamingIdentifier")
            explicitRenamingIdentifier = newValue
        }
    }

    /// A text that is part of the version hash. Set it to mark the entity as changed although its definition is the
    /// same.
    open var versionHashModifier: String? {
        willSet { willModify("versionHashModifier") }
    }

    /// A hash of 32 bytes that changes with every change that affects stores. It equals the hash of Apple's Core Data.
    open var versionHash: Data { frozenState?.versionHash ?? computeVersionHash() }

    /// The description of this entity in messages.
    var subjectForMessages: String { "Entity '\(nameStorage ?? "(no name)")'" }

    final func willModify(_ key: String) {
        if frozenState != nil { immutableModelError(subjectForMessages, key: key) }
    }

    /// A description for debugging.
    open override var description: String {
        """
        <\(Swift.type(of: self))> name \(nameStorage ?? "(none)"), managedObjectClassName \
        \(managedObjectClassName ?? ""), isAbstract \(isAbstract ? 1 : 0), superentity name \
        \(superentityStorage?.nameStorage ?? "(none)"), properties \(properties.map(\.name)), subentities \
        \(subentityStorage.compactMap(\.nameStorage))
        """
    }

    /// Whether both entities have equal options and equal declared properties. Related entities are compared by name.
    ///
    /// - Parameter object: the object to compare with.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityDescription else { return false }
        return self === other || describesSameEntity(as: other)
    }

    /// Equal objects have equal hashes.
    open override var hash: Int { nameStorage.hashValue }

    // MARK: Properties

    /// All properties: the inherited properties first, then the declared ones, each group in the order of declaration.
    ///
    /// The setter assigns the declared properties. It ignores inherited properties in the list, and copies a property
    /// that belongs to an unrelated entity.
    ///
    /// ```swift
    /// let title = NSAttributeDescription()
    /// title.name = "title"
    /// title.attributeType = .stringAttributeType
    /// let entity = NSEntityDescription()
    /// entity.name = "Song"
    /// entity.properties = [title]
    /// ```
    open var properties: [NSPropertyDescription] {
        get { frozenState?.properties ?? collectProperties() }
        set {
            willModify("properties")
            assignProperties(newValue)
        }
    }

    /// All properties, declared and inherited, by name.
    open var propertiesByName: [String: NSPropertyDescription] {
        frozenState?.propertiesByName ?? Self.byName(collectProperties())
    }

    /// All attributes, declared and inherited, by name.
    ///
    /// ```swift
    /// for (name, attribute) in model.entitiesByName["Song"]?.attributesByName ?? [:] {
    ///     print(name, attribute.attributeType)
    /// }
    /// ```
    open var attributesByName: [String: NSAttributeDescription] {
        frozenState?.attributesByName ?? Self.byName(collectProperties().compactMap { $0 as? NSAttributeDescription })
    }

    /// All relationships, declared and inherited, by name.
    open var relationshipsByName: [String: NSRelationshipDescription] {
        frozenState?.relationshipsByName
            ?? Self.byName(collectProperties().compactMap { $0 as? NSRelationshipDescription })
    }

    /// All relationships, declared and inherited, whose destination is the given entity.
    ///
    /// - Parameter entity: the destination. Relationships to its ancestors are not included.
    /// - Returns: the relationships in the order of `properties`.
    open func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        properties.compactMap { property in
            guard let relationship = property as? NSRelationshipDescription else { return nil }
            return relationship.destinationEntity === entity ? relationship : nil
        }
    }

    // MARK: Inheritance

    /// The parent, whose properties this entity inherits. Set it through `subentities` of the parent.
    open var superentity: NSEntityDescription? { superentityStorage }

    /// The direct children.
    ///
    /// ```swift
    /// let work = NSEntityDescription()
    /// work.name = "Work"
    /// work.isAbstract = true
    /// let song = NSEntityDescription()
    /// song.name = "Song"
    /// work.subentities = [song]
    /// ```
    open var subentities: [NSEntityDescription] {
        get { subentityStorage }
        set {
            willModify("subentities")
            for entity in newValue where isKindOf(entity: entity) {
                programmingError(
                    """
                    \(subjectForMessages) can't have '\(entity.nameStorage ?? "")' as a subentity: it is that entity \
                    or inherits from it. An entity can't inherit from itself.
                    """)
            }
            for entity in subentityStorage { entity.superentityStorage = nil }
            for entity in newValue {
                entity.willModify("superentity")
                if let parent = entity.superentityStorage, parent !== self {
                    parent.subentityStorage.removeAll { $0 === entity }
                }
                entity.superentityStorage = self
                entity.pendingSuperentityName = nil
            }
            subentityStorage = newValue
        }
    }

    /// The direct children by name.
    open var subentitiesByName: [String: NSEntityDescription] {
        Dictionary(subentityStorage.map { ($0.nameStorage ?? "", $0) }, uniquingKeysWith: { $1 })
    }

    /// Whether the entity is the given entity or inherits from it.
    ///
    /// - Parameter entity: the possible ancestor.
    /// - Returns: true also for the entity itself.
    open func isKindOf(entity: NSEntityDescription) -> Bool {
        if self === entity { return true }
        if let frozenState { return frozenState.ancestors.contains(ObjectIdentifier(entity)) }
        var ancestor = superentityStorage
        while let current = ancestor {
            if current === entity { return true }
            ancestor = current.superentityStorage
        }
        return false
    }

    // MARK: Indexes and constraints

    /// The fetch indexes that this entity declares.
    ///
    /// ```swift
    /// if let song = model.entitiesByName["Song"], let title = song.attributesByName["title"] {
    ///     let element = NSFetchIndexElementDescription(property: title, collationType: .binary)
    ///     song.indexes = [NSFetchIndexDescription(name: "byTitle", elements: [element])]
    /// }
    /// ```
    open var indexes: [NSFetchIndexDescription] {
        get { indexStorage }
        set {
            willModify("indexes")
            for index in indexStorage { index.entityStorage = nil }
            for index in newValue {
                index.entityStorage = self
                index.decodedModel = nil
            }
            indexStorage = newValue
        }
    }

    /// The uniqueness constraints that this entity declares. Each constraint is a list of attributes or to-one
    /// relationships, as names or descriptions.
    ///
    /// ```swift
    /// let entity = NSEntityDescription()
    /// entity.uniquenessConstraints = [["name"], ["country", "number"]]
    /// ```
    open var uniquenessConstraints: [[Any]] = [] {
        willSet { willModify("uniquenessConstraints") }
    }

    /// Lists of properties, as names or descriptions, that share an index. `indexes` replaces them.
    @available(*, deprecated, message: "use indexes instead")
    open var compoundIndexes: [[Any]] {
        get { compoundIndexStorage }
        set { setLegacyCompoundIndexes(newValue) }
    }

    /// The expression whose value Spotlight shows for an object on Apple's platforms. It is stored with the model and
    /// has no effect here. The default is an expression for the constant nil.
    open var coreSpotlightDisplayNameExpression: NSExpression {
        get { displayNameExpressionStorage ?? NSExpression(forConstantValue: nil) }
        set {
            willModify("coreSpotlightDisplayNameExpression")
            displayNameExpressionStorage = newValue
        }
    }

    // MARK: Copying

    /// A mutable copy that belongs to no model.
    ///
    /// The copy refers to its parent and to the destinations of its relationships by name, until it is assigned to a
    /// model.
    ///
    /// - Parameter zone: ignored.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSEntityDescription()
        copy.nameStorage = nameStorage
        copy.classNameStorage = classNameStorage
        copy.isAbstract = isAbstract
        copy.userInfoStorage = userInfoStorage
        copy.versionHashModifier = versionHashModifier
        copy.explicitRenamingIdentifier = explicitRenamingIdentifier
        copy.pendingSuperentityName = superentityStorage?.nameStorage ?? pendingSuperentityName
        copy.uniquenessConstraints = uniquenessConstraintNames
        copy.compoundIndexStorage = compoundIndexNames
        copy.displayNameExpressionStorage = displayNameExpressionStorage
        copy.sourceAttributes = sourceAttributes
        copy.assignProperties(ownPropertyStorage.compactMap { $0.copy() as? NSPropertyDescription })
        copy.indexStorage = indexStorage.compactMap { $0.copy() as? NSFetchIndexDescription }
        for index in copy.indexStorage { index.entityStorage = copy }
        return copy
    }
}

extension NSEntityDescription {
    /// Whether both entities have equal options and equal declared properties. Related entities are compared by name.
    final func describesSameEntity(as other: NSEntityDescription) -> Bool {
        guard nameStorage == other.nameStorage, managedObjectClassName == other.managedObjectClassName,
            isAbstract == other.isAbstract, superentityName == other.superentityName,
            versionHashModifier == other.versionHashModifier,
            renamingIdentifier == other.renamingIdentifier,
            uniquenessConstraintNames == other.uniquenessConstraintNames,
            compoundIndexNames == other.compoundIndexNames,
            userInfosAreEqual(userInfoStorage, other.userInfoStorage),
            expressionsAreEqual(displayNameExpressionStorage, other.displayNameExpressionStorage),
            ownPropertyStorage.count == other.ownPropertyStorage.count, indexStorage == other.indexStorage
        else { return false }
        let others = Self.byName(other.ownPropertyStorage)
        return ownPropertyStorage.allSatisfy { $0.isEqual(others[$0.nameStorage]) }
    }
}
