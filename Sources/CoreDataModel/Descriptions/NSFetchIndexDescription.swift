/// An index that the store keeps for faster fetching.
public final class NSFetchIndexDescription: NSObject, NSCopying, NSSecureCoding {
    private var nameStorage: String
    private var elementStorage: [NSFetchIndexElementDescription] = []
    private var partialIndexPredicateStorage: NSPredicate?
    private var entityReference: BackReference<NSEntityDescription>?
    /// The model that was decoded with this description, if nothing else retains that model. Cleared when an owner
    /// takes the description over, since the owner would be retained through it.
    var decodedModel: NSManagedObjectModel?
    var entityStorage: NSEntityDescription? {
        get { entityReference?.target }
        set { entityReference = newValue?.backReference }
    }

    /// Makes an index; assign it to `indexes` of an entity.
    ///
    /// - Parameters:
    ///   - name: a name, unique in the entity.
    ///   - elements: what is indexed, in the order of significance.
    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        nameStorage = name
        super.init()
        adopt(elements ?? [])
    }

    /// Reads an index that `encode(with:)` wrote, with the entity and the model that it belonged to.
    ///
    /// It is a mutable copy, which keeps that model. Assign a copy of it to put it into an entity.
    ///
    /// - Parameter coder: an `NSKeyedUnarchiver`; it gets the error if there is no sound index.
    public required convenience init?(coder: NSCoder) {
        self.init(decoded: { ModelCoding.part(of: NSFetchIndexDescription.self, from: coder) })
    }

    /// The name; unique in its entity.
    public var name: String {
        get { nameStorage }
        set {
            willModify("name")
            nameStorage = newValue
        }
    }

    /// What is indexed, in the order of significance.
    public var elements: [NSFetchIndexElementDescription] {
        get { elementStorage }
        set {
            willModify("elements")
            adopt(newValue)
        }
    }

    /// The entity that declares the index, once it was given to one.
    public var entity: NSEntityDescription? { entityStorage }

    /// If set, only objects that fulfil it are in the index.
    public var partialIndexPredicate: NSPredicate? {
        get { partialIndexPredicateStorage }
        set {
            willModify("partialIndexPredicate")
            partialIndexPredicateStorage = newValue
        }
    }

    /// A mutable copy that belongs to no entity.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchIndexDescription(
            name: nameStorage, elements: elementStorage.compactMap { $0.copy() as? NSFetchIndexElementDescription })
        copy.partialIndexPredicateStorage = partialIndexPredicateStorage
        return copy
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexDescription else { return false }
        return self === other
            || (nameStorage == other.nameStorage && elementStorage == other.elementStorage
                && predicatesAreEqual(partialIndexPredicateStorage, other.partialIndexPredicateStorage))
    }

    public override var hash: Int { nameStorage.hashValue }

    func willModify(_ key: String) {
        if entityStorage?.frozenState != nil {
            immutableModelError("Index '\(nameStorage)' of entity '\(entityStorage?.name ?? "")'", key: key)
        }
    }

    private func adopt(_ elements: [NSFetchIndexElementDescription]) {
        for element in elementStorage { element.indexStorage = nil }
        for element in elements {
            element.indexStorage = self
            element.decodedModel = nil
        }
        elementStorage = elements
    }
}
