/// An entity of a model: what a class is to an object, an entity is to a managed object.
///
/// An entity may be made empty, put into a model, and given its properties later, as relationships between entities
/// need it. It may be changed until the model is given to a coordinator; afterwards a change stops the program and
/// every thread may read it.
open class NSEntityDescription: NSObject, NSCopying, NSSecureCoding {
    var nameStorage: String?
    var classNameStorage: String?
    var isAbstractStorage = false
    var userInfoStorage: [AnyHashable: Any]?
    var versionHashModifierStorage: String?
    /// The renaming identifier as it was set; nil stands for the name.
    package internal(set) final var explicitRenamingIdentifier: String?
    var ownPropertyStorage: [NSPropertyDescription] = []
    var subentityStorage: [NSEntityDescription] = []
    /// What the entity's properties, indexes and subentities hold of it.
    let backReference = BackReference<NSEntityDescription>()
    private var superentityReference: BackReference<NSEntityDescription>?
    var superentityStorage: NSEntityDescription? {
        get { superentityReference?.target }
        set { superentityReference = newValue?.backReference }
    }
    weak var modelStorage: NSManagedObjectModel?
    /// The model that was decoded with this description, if nothing else retains that model. Cleared when an owner
    /// takes the description over, since the owner would be retained through it.
    var decodedModel: NSManagedObjectModel?
    /// The parent's name in a copy, until the copy stands in a model with an entity of that name.
    var pendingSuperentityName: String?
    var indexStorage: [NSFetchIndexDescription] = []
    var uniquenessConstraintStorage: [[Any]] = []
    var compoundIndexStorage: [[Any]] = []
    var displayNameExpressionStorage: NSExpression?
    /// Everything that follows from the definition; set when the model is frozen, never changed afterwards.
    var frozenState: FrozenEntityState?

    /// A place for what the framework derives from a frozen entity (slots, storage types). Set once, after `freeze()`,
    /// under the lock of the coordinator that sets it, and only read afterwards.
    package nonisolated(unsafe) final var layout: AnyObject?

    /// What a source model says about the entity to its editor only (`syncable`, `codeGenerationType`); written back,
    /// without effect.
    package final var sourceAttributes: [String: String] = [:]
    /// The line of the source file that describes the entity, 0 where there is none; for messages.
    package final var sourceLine = 0

    /// Makes an entity without name and properties, represented by `NSManagedObject`.
    public override init() {
        super.init()
        backReference.target = self
    }

    /// Reads an entity that `encode(with:)` wrote, with the model that it belonged to.
    ///
    /// It is a mutable copy of an entity of that model, which it keeps: relatives and inherited properties are found.
    /// Assign a copy of it to put it into a model.
    ///
    /// - Parameter coder: an `NSKeyedUnarchiver`; it gets the error if there is no sound entity.
    public required convenience init?(coder: NSCoder) {
        self.init(decoded: { ModelCoding.part(of: NSEntityDescription.self, from: coder) })
    }

    deinit { backReference.target = nil }

    /// The name; unique in the model.
    open var name: String? {
        get { nameStorage }
        set {
            willModify("name")
            nameStorage = newValue
            modelStorage?.names.forget()
        }
    }

    /// The class of the entity's objects; `NSManagedObject` by default. A name that begins with a dot is a class of the
    /// program's own module.
    open var managedObjectClassName: String! {
        get { classNameStorage ?? "NSManagedObject" }
        set {
            willModify("managedObjectClassName")
            classNameStorage = newValue
        }
    }

    /// The class name as it was set; nil stands for `NSManagedObject`.
    package final var explicitClassName: String? { classNameStorage }

    /// Whether there are only objects of subentities. False by default.
    open var isAbstract: Bool {
        get { isAbstractStorage }
        set {
            willModify("isAbstract")
            isAbstractStorage = newValue
        }
    }

    /// The model. Stops if the entity is in no model (or the model is gone).
    public final var managedObjectModel: NSManagedObjectModel {
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

    /// The model, if the entity is in one.
    package final var owningModel: NSManagedObjectModel? { modelStorage }

    /// What the program wants to say about the entity; not interpreted.
    open var userInfo: [AnyHashable: Any]? {
        get { userInfoStorage }
        set {
            willModify("userInfo")
            userInfoStorage = newValue
        }
    }

    /// The name of the entity in an earlier model, for inferred migration; the name itself where none is set.
    open var renamingIdentifier: String? {
        get { explicitRenamingIdentifier ?? nameStorage }
        set {
            willModify("renamingIdentifier")
            explicitRenamingIdentifier = newValue
        }
    }

    /// A text that enters the version hash, to mark an entity as changed although its definition stays.
    open var versionHashModifier: String? {
        get { versionHashModifierStorage }
        set {
            willModify("versionHashModifier")
            versionHashModifierStorage = newValue
        }
    }

    /// 32 bytes that change when the definition changes in a way that stores depend on; equal to those of Apple's Core
    /// Data.
    open var versionHash: Data { frozenState?.versionHash ?? computeVersionHash() }

    /// Where a message says that this entity is meant.
    var subjectForMessages: String { "Entity '\(nameStorage ?? "(no name)")'" }

    final func willModify(_ key: String) {
        if frozenState != nil { immutableModelError(subjectForMessages, key: key) }
    }

    open override var description: String {
        """
        <\(Swift.type(of: self))> name \(nameStorage ?? "(none)"), managedObjectClassName \
        \(managedObjectClassName ?? ""), 
        """
            + """
            isAbstract \(isAbstractStorage ? 1 : 0), superentity name \
            \(superentityStorage?.nameStorage ?? "(none)"), 
            """
            + "properties \(properties.map(\.name)), subentities \(subentityStorage.compactMap(\.nameStorage))"
    }

    /// Whether both describe the same entity: equal values, equal declared properties, and relatives of the same names.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityDescription else { return false }
        return self === other || describesSameEntity(as: other)
    }

    open override var hash: Int { nameStorage.hashValue }

    // MARK: Copying

    /// A mutable copy in no model. Its relationships, its superentity and its indexes refer to others by name, until it
    /// is put into a model.
    public final func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSEntityDescription()
        copy.nameStorage = nameStorage
        copy.classNameStorage = classNameStorage
        copy.isAbstractStorage = isAbstractStorage
        copy.userInfoStorage = userInfoStorage
        copy.versionHashModifierStorage = versionHashModifierStorage
        copy.explicitRenamingIdentifier = explicitRenamingIdentifier
        copy.pendingSuperentityName = superentityStorage?.nameStorage ?? pendingSuperentityName
        copy.uniquenessConstraintStorage = uniquenessConstraintNames
        copy.compoundIndexStorage = compoundIndexNames
        copy.displayNameExpressionStorage = displayNameExpressionStorage
        copy.sourceAttributes = sourceAttributes
        copy.adopt(ownPropertyStorage.compactMap { $0.copy() as? NSPropertyDescription })
        copy.indexStorage = indexStorage.compactMap { $0.copy() as? NSFetchIndexDescription }
        for index in copy.indexStorage { index.entityStorage = copy }
        return copy
    }
}
