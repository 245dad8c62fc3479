/// A relationship of an entity to objects of another, or of the same, entity.
///
/// While the model is mutable, destination and inverse are found **by name** in the model of the relationship's entity
/// where the objects that were set belong to another model: copies of entities collected into a new model wire up by
/// themselves.
public final class NSRelationshipDescription: NSPropertyDescription {
    private var destinationBackReference: BackReference<NSEntityDescription>?
    private var destinationReference: NSEntityDescription? {
        get { destinationBackReference?.target }
        set { destinationBackReference = newValue?.backReference }
    }
    private weak var inverseReference: NSRelationshipDescription?
    private var destinationNameStorage: String?
    private var inverseNameStorage: String?
    private var minCountStorage = 0
    private var maxCountStorage = 0
    private var deleteRuleStorage: NSDeleteRule = .nullifyDeleteRule
    private var isOrderedStorage = false

    /// Makes a to-many relationship without destination; delete rule nullify.
    public override init() { super.init() }

    /// The entity at the other end.
    public var destinationEntity: NSEntityDescription? {
        get { isFrozen ? destinationReference : resolvedDestination }
        set {
            willModify("destinationEntity")
            destinationReference = newValue
            destinationNameStorage = newValue?.name
        }
    }

    /// The relationship that leads back.
    public var inverseRelationship: NSRelationshipDescription? {
        get { isFrozen ? inverseReference : resolvedInverse }
        set {
            willModify("inverseRelationship")
            inverseReference = newValue
            inverseNameStorage = newValue?.name
        }
    }

    /// The name of the destination entity, known also while no such entity is in the model.
    package var destinationEntityName: String? {
        get { destinationReference?.name ?? destinationNameStorage }
        set {
            willModify("destinationEntity")
            destinationNameStorage = newValue
            destinationReference = nil
        }
    }

    /// The name of the inverse relationship, known also while it can't be found.
    package var inverseRelationshipName: String? {
        get { inverseReference?.name ?? inverseNameStorage }
        set {
            willModify("inverseRelationship")
            inverseNameStorage = newValue
            inverseReference = nil
        }
    }

    /// The greatest number of destinations; 0 means no limit, 1 makes a to-one relationship. 0 by default.
    public var maxCount: Int {
        get { maxCountStorage }
        set {
            willModify("maxCount")
            maxCountStorage = newValue
        }
    }

    /// The least number of destinations where there is any. 0 by default.
    public var minCount: Int {
        get { minCountStorage }
        set {
            willModify("minCount")
            minCountStorage = newValue
        }
    }

    /// What deleting the source does to the destination. Nullify by default.
    public var deleteRule: NSDeleteRule {
        get { deleteRuleStorage }
        set {
            willModify("deleteRule")
            deleteRuleStorage = newValue
        }
    }

    /// Whether the relationship leads to several objects: `maxCount` is not 1.
    public var isToMany: Bool { maxCountStorage != 1 }

    /// Whether a to-many relationship keeps an order.
    public var isOrdered: Bool {
        get { isOrderedStorage }
        set {
            willModify("isOrdered")
            isOrderedStorage = newValue
        }
    }

    /// 32 bytes that change when the definition changes in a way that stores depend on: name, destination, inverse,
    /// counts, order.
    public override var versionHash: Data { super.versionHash }

    override func makeEmptyCopy() -> NSPropertyDescription { NSRelationshipDescription() }

    override func copyState(into copy: NSPropertyDescription) {
        super.copyState(into: copy)
        guard let copy = copy as? NSRelationshipDescription else { return }
        // Only the names are copied: the copy belongs to no model yet and must not hold on to the old one's entities.
        copy.destinationNameStorage = destinationEntityName
        copy.inverseNameStorage = inverseRelationshipName
        copy.minCountStorage = minCountStorage
        copy.maxCountStorage = maxCountStorage
        copy.deleteRuleStorage = deleteRuleStorage
        copy.isOrderedStorage = isOrderedStorage
    }

    override func hasEqualState(to other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSRelationshipDescription else { return false }
        return super.hasEqualState(to: other) && destinationEntityName == other.destinationEntityName
            && inverseRelationshipName == other.inverseRelationshipName
            && minCountStorage == other.minCountStorage && maxCountStorage == other.maxCountStorage
            && deleteRuleStorage == other.deleteRuleStorage && isOrderedStorage == other.isOrderedStorage
    }

    override func resolveReferences() {
        let destination = resolvedDestination
        let inverse = resolvedInverse
        destinationReference = destination
        inverseReference = inverse
        destinationNameStorage = destination?.name ?? destinationNameStorage
        inverseNameStorage = inverse?.name ?? inverseNameStorage
    }

    /// Holds on to the entity and relationship of a model that the names lead to, so that they may be renamed
    /// afterwards.
    func rewire(in model: NSManagedObjectModel) {
        if let destination = resolvedDestination, destination.owningModel === model {
            destinationReference = destination
        }
        if let inverse = resolvedInverse, inverse.owningEntity?.owningModel === model { inverseReference = inverse }
    }

    private var resolvedDestination: NSEntityDescription? {
        guard let model = entityStorage?.owningModel else { return destinationReference }
        if let reference = destinationReference, reference.owningModel === model { return reference }
        guard let name = destinationEntityName else { return nil }
        return model.entity(named: name) ?? destinationReference
    }

    private var resolvedInverse: NSRelationshipDescription? {
        if let reference = inverseReference, reference.entityStorage != nil || entityStorage?.owningModel == nil,
            reference.entityStorage?.owningModel === entityStorage?.owningModel
        {
            return reference
        }
        guard let name = inverseRelationshipName, let destination = resolvedDestination else { return inverseReference }
        return destination.property(named: name) as? NSRelationshipDescription ?? inverseReference
    }
}
