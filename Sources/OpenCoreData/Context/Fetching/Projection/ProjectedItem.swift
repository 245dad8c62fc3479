// SPDX-License-Identifier: Apache-2.0

/// A member of `propertiesToFetch` or `propertiesToGroupBy`.
struct ProjectedItem {
    let key: String
    var expression: NSExpression
    /// The result type that an expression description names.
    var type: NSAttributeType?
    /// Whether the name belongs to an expression, not to a property.
    var isNamedExpression = false
    /// Whether the expression is written as an aggregate.
    var isWrittenAsAggregate = false

    init(key: String, expression: NSExpression) {
        self.key = key
        self.expression = expression
    }

    /// Reads a member of the request's array.
    ///
    /// - Throws: `NSCoreDataError` (134060) for a member that is neither a name nor a description with a name.
    init(_ item: Any) throws {
        switch item {
        case let name as String:
            guard !name.isEmpty else { throw Self.refusal("an empty name") }
            self.init(key: name, expression: NSExpression(forKeyPath: name))
        case let description as NSExpressionDescription:
            guard !description.name.isEmpty else { throw Self.refusal("an NSExpressionDescription without a name") }
            guard let expression = description.expression else {
                throw Self.refusal("the NSExpressionDescription '\(description.name)' without an expression")
            }
            self.init(key: description.name, expression: PredicateObjects.replacingObjects(expression))
            type = description.expressionResultType
            isNamedExpression = true
        case let property as NSPropertyDescription:
            self.init(key: property.name, expression: NSExpression(forKeyPath: property.name))
        case let expression as NSExpression:
            self.init(key: expression.description, expression: PredicateObjects.replacingObjects(expression))
        default:
            throw Self.refusal(Wording.withArticle(Swift.type(of: item)))
        }
    }

    /// The attributes that have columns, ordered by name.
    static func attributes(of layout: EntityLayout) -> [ProjectedItem] {
        layout.properties.filter { $0.attribute != nil && !$0.isTransient }.map(\.name).sorted()
            .map { ProjectedItem(key: $0, expression: NSExpression(forKeyPath: $0)) }
    }

    func normalized(_ expressions: ProjectedExpressions) throws -> ProjectedItem {
        try expressions.checkDepth(expression, in: key)
        var item = self
        item.expression = try expressions.normalized(expression)
        item.isWrittenAsAggregate = expressions.isWrittenAsAggregate(expression)
        return item
    }

    private static func refusal(_ member: String) -> NSError {
        let text =
            """
            propertiesToFetch and propertiesToGroupBy contain names of properties and NSPropertyDescriptions with a \
            name, but there is \(member).
            """
        return CoreDataErrors.error(NSCoreDataError, message: text, reason: text)
    }
}
