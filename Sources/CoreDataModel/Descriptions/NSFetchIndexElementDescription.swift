// SPDX-License-Identifier: Apache-2.0

/// One column of an index: a property or an expression.
nonisolated open class NSFetchIndexElementDescription: NSObject, NSCopying, NSSecureCoding {
    /// The expression description, which belongs to this element, or the property that was given. A property is found
    /// by its name in the entity of the index.
    private let givenProperty: NSPropertyDescription?
    private let givenName: String?
    /// The model that was decoded together with this description, if nothing else retains it. Cleared when the
    /// description is assigned to an owner, because the model would then retain itself.
    var decodedModel: NSManagedObjectModel?
    weak var indexStorage: NSFetchIndexDescription?

    /// Creates an ascending element.
    ///
    /// - Parameters:
    ///   - property: an attribute or to-one relationship of the entity, or an `NSExpressionDescription`.
    ///   - collationType: the kind of the index.
    public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        givenProperty = property
        givenName = nil
        self.collationType = collationType
        super.init()
    }

    /// Creates an element for a property that is found by its name in the entity of the index.
    init(propertyName: String, collationType: NSFetchIndexElementType) {
        givenProperty = nil
        givenName = propertyName
        self.collationType = collationType
        super.init()
    }

    /// Decodes an element that `encode(with:)` encoded, with its index, entity and model.
    ///
    /// The result is a mutable copy that retains the model. Assign a copy of it to put it into another index.
    ///
    /// - Parameter coder: an `NSKeyedUnarchiver`, which gets an error if the archive contains no valid element.
    public required convenience init?(coder: NSCoder) {
        self.init(decoded: { ModelCoding.part(of: NSFetchIndexElementDescription.self, from: coder) })
    }

    /// The indexed property; nil while the entity has no property of this name.
    open var property: NSPropertyDescription? {
        if givenProperty is NSExpressionDescription { return givenProperty }
        guard let entity = indexStorage?.entityStorage, let propertyName else { return givenProperty }
        return entity.property(named: propertyName) ?? givenProperty
    }

    /// Freezes the expression, which belongs to this element only.
    func freeze() { (givenProperty as? NSExpressionDescription)?.freeze() }

    /// The name of the indexed property.
    open var propertyName: String? { givenProperty?.name ?? givenName }

    /// The kind of the index.
    open var collationType: NSFetchIndexElementType {
        willSet { indexStorage?.willModify("collationType") }
    }

    /// Whether the smallest value comes first. True by default.
    open var isAscending = true {
        willSet { indexStorage?.willModify("isAscending") }
    }

    /// The index that contains the element; nil before the element is assigned to one.
    open var indexDescription: NSFetchIndexDescription? { indexStorage }

    /// A copy that belongs to no index and refers to its property by name.
    ///
    /// - Parameter zone: ignored.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy: NSFetchIndexElementDescription
        if let expression = givenProperty as? NSExpressionDescription,
            let property = expression.copy() as? NSPropertyDescription
        {
            copy = NSFetchIndexElementDescription(property: property, collationType: collationType)
        } else {
            copy = NSFetchIndexElementDescription(propertyName: propertyName ?? "", collationType: collationType)
        }
        copy.isAscending = isAscending
        return copy
    }

    /// Whether both descriptions have equal options. Related descriptions are compared by name.
    ///
    /// - Parameter object: the object to compare with.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexElementDescription else { return false }
        if self === other { return true }
        let expression = givenProperty as? NSExpressionDescription
        let otherExpression = other.givenProperty as? NSExpressionDescription
        return propertyName == other.propertyName && collationType == other.collationType
            && isAscending == other.isAscending && expression == otherExpression
    }

    /// Equal objects have equal hashes.
    public override var hash: Int { propertyName.hashValue }
}

/// The kind of an index.
public enum NSFetchIndexElementType: UInt, Sendable {
    /// A B-tree index.
    case binary = 0
    /// An R-tree index over ranges of numbers, for locations.
    case rTree = 1
}
