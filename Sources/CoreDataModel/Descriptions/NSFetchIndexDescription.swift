/// An index that the store keeps for faster fetching.
public final class NSFetchIndexDescription: NSObject, NSCopying {
    private var nameStorage: String
    private var elementStorage: [NSFetchIndexElementDescription] = []
    private var partialIndexPredicateStorage: NSPredicate?
    private var entityReference: BackReference<NSEntityDescription>?
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
        for element in elements { element.indexStorage = self }
        elementStorage = elements
    }
}
