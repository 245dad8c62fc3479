/// One column of an index: a property, or an expression.
public final class NSFetchIndexElementDescription: NSObject, NSCopying, NSSecureCoding {
    /// An expression description (owned), or the property that was given; found again by name in the entity of the
    /// index.
    private let givenProperty: NSPropertyDescription?
    private let givenName: String?
    private var collationTypeStorage: NSFetchIndexElementType
    private var isAscendingStorage = true
    /// The model that was decoded with this description, if nothing else retains that model. Cleared when an owner
    /// takes the description over, since the owner would be retained through it.
    var decodedModel: NSManagedObjectModel?
    weak var indexStorage: NSFetchIndexDescription?

    /// Makes an ascending element.
    ///
    /// - Parameters:
    ///   - property: an attribute or to-one relationship of the entity, or an `NSExpressionDescription`.
    ///   - collationType: the kind of index.
    public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        givenProperty = property
        givenName = nil
        collationTypeStorage = collationType
        super.init()
    }

    /// Makes an element for a property that the entity of the index has, or will have, under this name.
    package init(propertyName: String, collationType: NSFetchIndexElementType) {
        givenProperty = nil
        givenName = propertyName
        collationTypeStorage = collationType
        super.init()
    }

    /// Reads an element that `encode(with:)` wrote, with the index, the entity and the model that it belonged to.
    ///
    /// It is a mutable copy, which keeps that model. Assign a copy of it to put it into an index.
    ///
    /// - Parameter coder: an `NSKeyedUnarchiver`; it gets the error if there is no sound element.
    public required convenience init?(coder: NSCoder) {
        self.init(decoded: { ModelCoding.part(of: NSFetchIndexElementDescription.self, from: coder) })
    }

    /// The indexed property; nil while the entity has none of its name.
    public var property: NSPropertyDescription? {
        if givenProperty is NSExpressionDescription { return givenProperty }
        guard let entity = indexStorage?.entityStorage, let propertyName else { return givenProperty }
        return entity.property(named: propertyName) ?? givenProperty
    }

    /// An expression belongs to the element alone.
    func freeze() { (givenProperty as? NSExpressionDescription)?.freeze() }

    /// The name of the indexed property.
    public var propertyName: String? { givenProperty?.name ?? givenName }

    /// The kind of index.
    public var collationType: NSFetchIndexElementType {
        get { collationTypeStorage }
        set {
            indexStorage?.willModify("collationType")
            collationTypeStorage = newValue
        }
    }

    /// Whether the smallest value comes first. True by default.
    public var isAscending: Bool {
        get { isAscendingStorage }
        set {
            indexStorage?.willModify("isAscending")
            isAscendingStorage = newValue
        }
    }

    /// The index that the element belongs to.
    public var indexDescription: NSFetchIndexDescription? { indexStorage }

    /// A copy that belongs to no index and refers to its property by name.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy: NSFetchIndexElementDescription
        if let expression = givenProperty as? NSExpressionDescription,
            let property = expression.copy() as? NSPropertyDescription
        {
            copy = NSFetchIndexElementDescription(property: property, collationType: collationTypeStorage)
        } else {
            copy = NSFetchIndexElementDescription(propertyName: propertyName ?? "", collationType: collationTypeStorage)
        }
        copy.isAscendingStorage = isAscendingStorage
        return copy
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexElementDescription else { return false }
        if self === other { return true }
        let expression = givenProperty as? NSExpressionDescription
        let otherExpression = other.givenProperty as? NSExpressionDescription
        return propertyName == other.propertyName && collationTypeStorage == other.collationTypeStorage
            && isAscendingStorage == other.isAscendingStorage && expression == otherExpression
    }

    public override var hash: Int { propertyName.hashValue }
}
