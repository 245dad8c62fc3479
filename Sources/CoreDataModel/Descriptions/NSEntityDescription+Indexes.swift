extension NSEntityDescription {
    /// The fetch indexes that this entity declares.
    public final var indexes: [NSFetchIndexDescription] {
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
    public final var uniquenessConstraints: [[Any]] {
        get { uniquenessConstraintStorage }
        set {
            willModify("uniquenessConstraints")
            uniquenessConstraintStorage = newValue
        }
    }

    /// Lists of properties, as names or descriptions, that share an index. `indexes` replaces them.
    @available(*, deprecated, message: "use indexes instead")
    public final var compoundIndexes: [[Any]] {
        get { compoundIndexStorage }
        set { setLegacyCompoundIndexes(newValue) }
    }

    package final func setLegacyCompoundIndexes(_ lists: [[Any]]) {
        willModify("compoundIndexes")
        compoundIndexStorage = lists
    }

    /// The uniqueness constraints as names of properties.
    package final var uniquenessConstraintNames: [[String]] { uniquenessConstraintStorage.map(Self.propertyNames) }

    /// The legacy compound indexes as names of properties.
    package final var compoundIndexNames: [[String]] { compoundIndexStorage.map(Self.propertyNames) }

    private static func propertyNames(_ list: [Any]) -> [String] {
        list.compactMap {
            ($0 as? NSPropertyDescription)?.name ?? ($0 as? String) ?? ($0 as? NSString).map { String(describing: $0) }
        }
    }

    /// The expression whose value Spotlight shows for an object on Apple's platforms. It is stored with the model and
    /// has no effect here. The default is an expression for the constant nil.
    public final var coreSpotlightDisplayNameExpression: NSExpression {
        get { displayNameExpressionStorage ?? NSExpression(forConstantValue: nil) }
        set {
            willModify("coreSpotlightDisplayNameExpression")
            displayNameExpressionStorage = newValue
        }
    }
}
