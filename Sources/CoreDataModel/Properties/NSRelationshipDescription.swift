// SPDX-License-Identifier: Apache-2.0

/// A relationship of an entity to objects of an entity, which may be the same entity.
///
/// A relationship is to-many by default. `maxCount = 1` makes it to-one. Set `inverseRelationship` of both
/// relationships: Core Data keeps inverse relationships consistent, and a relationship without an inverse can refer to
/// deleted objects.
///
/// ```swift
/// let artist = NSEntityDescription()
/// artist.name = "Artist"
/// let song = NSEntityDescription()
/// song.name = "Song"
///
/// let songs = NSRelationshipDescription()
/// songs.name = "songs"
/// songs.destinationEntity = song
/// songs.deleteRule = .cascadeDeleteRule
/// let performer = NSRelationshipDescription()
/// performer.name = "performer"
/// performer.destinationEntity = artist
/// performer.maxCount = 1
/// songs.inverseRelationship = performer
/// performer.inverseRelationship = songs
///
/// artist.properties = [songs]
/// song.properties = [performer]
/// let model = NSManagedObjectModel()
/// model.entities = [artist, song]
/// ```
///
/// A store represents a to-one relationship by a column in the table of its entity. A to-many relationship has no
/// column if its inverse is to-one; two inverse to-many relationships share a join table.
///
/// While the model is mutable, a destination or inverse that belongs to another model is resolved **by name** in the
/// model of the relationship's entity. So copies of entities can be assigned to a new model without further changes.
///
/// A setter stops the program when the model is in use by a coordinator. A mutable relationship belongs to one thread.
///
/// ## Topics
///
/// ### Describing the destination
///
/// - ``destinationEntity``
/// - ``inverseRelationship``
/// - ``deleteRule``
///
/// ### Describing the cardinality
///
/// - ``isToMany``
/// - ``isOrdered``
/// - ``minCount``
/// - ``maxCount``
nonisolated open class NSRelationshipDescription: NSPropertyDescription {
    private var destinationBackReference: BackReference<NSEntityDescription>?
    private var destinationReference: NSEntityDescription? {
        get { destinationBackReference?.target }
        set { destinationBackReference = newValue?.backReference }
    }
    private weak var inverseReference: NSRelationshipDescription?
    private var destinationNameStorage: String?
    private var inverseNameStorage: String?

    /// Creates a to-many relationship without a destination, with the delete rule nullify.
    public override init() { super.init() }

    /// The entity at the other end.
    ///
    /// ```swift
    /// let artist = NSRelationshipDescription()
    /// artist.name = "artist"
    /// artist.destinationEntity = model.entitiesByName["Artist"]
    /// artist.maxCount = 1
    /// ```
    open var destinationEntity: NSEntityDescription? {
        get { isFrozen ? destinationReference : resolvedDestination }
        set {
            willModify("destinationEntity")
            destinationReference = newValue
            destinationNameStorage = newValue?.name
        }
    }

    /// The relationship in the opposite direction.
    ///
    /// ```swift
    /// if let songs = model.entitiesByName["Artist"]?.relationshipsByName["songs"],
    ///     let artist = model.entitiesByName["Song"]?.relationshipsByName["artist"]
    /// {
    ///     songs.inverseRelationship = artist
    ///     artist.inverseRelationship = songs
    /// }
    /// ```
    open var inverseRelationship: NSRelationshipDescription? {
        get { isFrozen ? inverseReference : resolvedInverse }
        set {
            willModify("inverseRelationship")
            inverseReference = newValue
            inverseNameStorage = newValue?.name
        }
    }

    /// The name of the destination entity, which is also known while the model contains no such entity.
    package var destinationEntityName: String? {
        get { destinationReference?.name ?? destinationNameStorage }
        set {
            willModify("destinationEntity")
            destinationNameStorage = newValue
            destinationReference = nil
        }
    }

    /// The name of the inverse relationship, which is also known while the model contains no such relationship.
    package var inverseRelationshipName: String? {
        get { inverseReference?.name ?? inverseNameStorage }
        set {
            willModify("inverseRelationship")
            inverseNameStorage = newValue
            inverseReference = nil
        }
    }

    /// The greatest number of destination objects. 0, the default, means no limit; 1 makes the relationship to-one.
    ///
    /// ```swift
    /// // At most five members; a save with more fails with 1580.
    /// model.entitiesByName["Band"]?.relationshipsByName["members"]?.maxCount = 5
    /// ```
    open var maxCount: Int = 0 {
        willSet { willModify("maxCount") }
    }

    /// The least number of destination objects of a relationship that isn't empty. 0 by default.
    open var minCount: Int = 0 {
        willSet { willModify("minCount") }
    }

    /// The effect on the destination objects when the source object is deleted. Nullify by default.
    open var deleteRule: NSDeleteRule = .nullifyDeleteRule {
        willSet { willModify("deleteRule") }
    }

    /// Whether the relationship can refer to several objects: `maxCount` is not 1.
    open var isToMany: Bool { maxCount != 1 }

    /// Whether a to-many relationship is ordered. False by default.
    open var isOrdered: Bool = false {
        willSet { willModify("isOrdered") }
    }

    /// A hash of 32 bytes that changes with every change that affects stores: name, destination, inverse, counts,
    /// order.
    open override var versionHash: Data { super.versionHash }

    override func makeEmptyCopy() -> NSPropertyDescription { NSRelationshipDescription() }

    override func copyState(into copy: NSPropertyDescription) {
        super.copyState(into: copy)
        guard let copy = copy as? NSRelationshipDescription else { return }
        // Only the names are copied. The copy belongs to no model yet, and must not refer to entities of the old model.
        copy.destinationNameStorage = destinationEntityName
        copy.inverseNameStorage = inverseRelationshipName
        copy.minCount = minCount
        copy.maxCount = maxCount
        copy.deleteRule = deleteRule
        copy.isOrdered = isOrdered
    }

    override func hasEqualState(to other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSRelationshipDescription else { return false }
        return super.hasEqualState(to: other) && destinationEntityName == other.destinationEntityName
            && inverseRelationshipName == other.inverseRelationshipName
            && minCount == other.minCount && maxCount == other.maxCount
            && deleteRule == other.deleteRule && isOrdered == other.isOrdered
    }

    override func resolveReferences() {
        let destination = resolvedDestination
        let inverse = resolvedInverse
        destinationReference = destination
        inverseReference = inverse
        destinationNameStorage = destination?.name ?? destinationNameStorage
        inverseNameStorage = inverse?.name ?? inverseNameStorage
    }

    /// Stores the destination and the inverse in the given model that the names resolve to, so that they can be renamed
    /// afterwards.
    func bindResolvedReferences(in model: NSManagedObjectModel) {
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

/// The effect of the deletion of an object on the objects at the other end of a relationship.
public enum NSDeleteRule: UInt, Sendable {
    /// No effect: the program keeps the object graph consistent.
    case noActionDeleteRule = 0
    /// The object is removed from the inverse relationship of the destination objects.
    case nullifyDeleteRule = 1
    /// The destination objects are deleted too.
    case cascadeDeleteRule = 2
    /// Validation fails on save while the relationship isn't empty.
    case denyDeleteRule = 3
}
