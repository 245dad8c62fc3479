// SPDX-License-Identifier: Apache-2.0

/// A computed column: an expression with a name and a result type, for `propertiesToFetch` of a fetch request and for
/// indexes.
nonisolated open class NSExpressionDescription: NSPropertyDescription {
    /// Creates a description without an expression, of undefined result type.
    public override init() { super.init() }

    /// The expression that computes the value.
    ///
    /// ```swift
    /// let longest = NSExpressionDescription()
    /// longest.name = "longest"
    /// longest.expression = NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "duration")])
    /// longest.expressionResultType = .doubleAttributeType
    /// let request = NSFetchRequest<NSDictionary>(entityName: "Song")
    /// request.resultType = .dictionaryResultType
    /// request.propertiesToFetch = [longest]
    /// print(try context.fetch(request).first?["longest"] ?? 0)
    /// ```
    open var expression: NSExpression? {
        willSet { willModify("expression") }
    }

    /// The type of the value.
    open var expressionResultType: NSAttributeType = .undefinedAttributeType {
        willSet { willModify("expressionResultType") }
    }

    /// The type of the value under its Swift name.
    public var resultType: NSAttributeDescription.AttributeType {
        get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
        set { expressionResultType = newValue.rawValue }
    }

    override var isReadOnly: Bool { true }

    override func makeEmptyCopy() -> NSPropertyDescription { NSExpressionDescription() }

    override func copyState(into copy: NSPropertyDescription) {
        super.copyState(into: copy)
        guard let copy = copy as? NSExpressionDescription else { return }
        copy.expression = expression
        copy.expressionResultType = expressionResultType
    }

    override func hasEqualState(to other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSExpressionDescription else { return false }
        return super.hasEqualState(to: other) && expressionResultType == other.expressionResultType
            && expressionsAreEqual(expression, other.expression)
    }
}
