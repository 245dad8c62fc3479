/// A part of a predicate that has a value: a constant, a key path, a variable, a function of other expressions.
///
/// Instances are immutable and may be used from any thread, as long as the constants in them may.
open class NSExpression: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The kinds of expressions, with Apple's numbers.
    public enum ExpressionType: UInt, Sendable {
        /// A constant.
        case constantValue = 0
        /// The object that is evaluated, `SELF`.
        case evaluatedObject = 1
        /// A variable, `$name`.
        case variable = 2
        /// A key path of the evaluated object.
        case keyPath = 3
        /// A function with arguments.
        case function = 4
        /// The union of two collections.
        case unionSet = 5
        /// The elements that two collections share.
        case intersectSet = 6
        /// The elements of one collection that another lacks.
        case minusSet = 7
        /// The elements of a collection for which a predicate holds.
        case subquery = 13
        /// A list of expressions.
        case aggregate = 14
        /// Any key.
        case anyKey = 15
        /// A block.
        case block = 19
        /// One of two expressions, as a predicate says.
        case conditional = 20
        /// **Extension**: the result of a fetch request, `NSFetchRequestExpressionType`. Apple's header has the number,
        /// but no name of this enumeration for it.
        case fetchRequest = 50
    }

    /// What the expression is made of; one type per kind, in `Nodes/`.
    // Written by `deinit` only, so that reading needs no check for exclusive access.
    @exclusivity(unchecked) package final private(set) var node: any ExpressionNode

    deinit {
        guard node.depth.height > 50 else { return }
        var release = TreeRelease()
        release.add(node.parts)
        node = EvaluatedObjectNode()
        release.release()
    }

    /// Set for an expression out of an archive, when it is made.
    final var permission: EvaluationPermission?

    package init(node: any ExpressionNode) {
        self.node = node
    }

    /// Creates an expression for a subclass, which overrides `expressionValue(with:context:)`.
    public init(expressionType type: ExpressionType) {
        node = SubclassNode(type: type)
    }

    /// Reads an expression that `encode(with:)` wrote. It may not be evaluated before `allowEvaluation()`.
    public required init?(coder: NSCoder) {
        guard let decoded = PredicateCoding.decode(NSExpression.self, from: coder),
            (decoded.node is FetchRequestNode) == (Self.self is NSFetchRequestExpression.Type)
        else { return nil }
        node = decoded.node
        permission = decoded.permission
    }

    /// Writes the expression; a block stops the program.
    open func encode(with coder: NSCoder) { PredicateCoding.encode(self, with: coder) }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Creates an expression whose value is the given one.
    public init(forConstantValue obj: Any?) {
        node = ConstantNode(obj)
    }

    /// Creates an expression for the variable of the given name, without `$`.
    public init(forVariable string: String) {
        node = VariableNode(name: string)
    }

    /// Creates an expression whose value is found by walking the given key path from the evaluated object.
    public init(forKeyPath keyPath: String) {
        node = KeyPathNode(keyPath)
    }

    /// Creates an expression that calls one of the library's functions.
    ///
    /// - Parameters:
    ///   - name: the function's name as a selector, for example `"sum:"` or `"modulus:by:"`. An unknown name stops the
    ///     program with a message.
    ///   - parameters: the arguments, each an `NSExpression`.
    public init(forFunction name: String, arguments parameters: [Any]) {
        node = FunctionNode(library: name, arguments: NSExpression.expressions(in: parameters, of: "forFunction"))
    }

    /// Creates an expression that sends a message to the value of another expression.
    ///
    /// `valueForKey:` and `valueForKeyPath:` work on every target, the functions of the library on theirs.
    ///
    /// - Parameters:
    ///   - target: the receiver.
    ///   - name: the message's name as a selector.
    ///   - parameters: the arguments, each an `NSExpression`.
    public init(forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?) {
        node = FunctionNode(
            target: target, selector: name,
            arguments: NSExpression.expressions(in: parameters ?? [], of: "forFunction"))
    }

    /// Creates an expression whose value is the array of the values of the given expressions.
    public init(forAggregate subexpressions: [Any]) {
        node = AggregateNode(elements: subexpressions.map { $0 as? NSExpression ?? NSExpression(forConstantValue: $0) })
    }

    /// Creates an expression whose value is the union of a set and a collection.
    public init(forUnionSet left: NSExpression, with right: NSExpression) {
        node = SetOperationNode(operation: .union, left: left, right: right)
    }

    /// Creates an expression whose value is the set of the elements that both sides hold.
    public init(forIntersectSet left: NSExpression, with right: NSExpression) {
        node = SetOperationNode(operation: .intersect, left: left, right: right)
    }

    /// Creates an expression whose value is the set of the left side's elements that the right side lacks.
    public init(forMinusSet left: NSExpression, with right: NSExpression) {
        node = SetOperationNode(operation: .minus, left: left, right: right)
    }

    /// Creates an expression whose value is the array of those elements of a collection for which a predicate holds.
    ///
    /// - Parameters:
    ///   - expression: the collection.
    ///   - variable: the name by which the predicate knows the element, without `$`.
    ///   - predicate: the predicate.
    public init(forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate) {
        node = SubqueryNode(collection: expression, variable: variable, predicate: predicate)
    }

    /// Creates an expression whose value a block computes.
    ///
    /// - Parameters:
    ///   - block: called with the evaluated object, the arguments' values and the variables.
    ///   - arguments: the arguments.
    public init(block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?) {
        node = BlockNode(block: block, arguments: arguments)
    }

    /// Creates an expression whose value is that of one of two expressions.
    ///
    /// - Parameters:
    ///   - predicate: decides which.
    ///   - trueExpression: the one for true.
    ///   - falseExpression: the one for false.
    public init(
        forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression
    ) {
        node = ConditionalNode(predicate: predicate, whenTrue: trueExpression, whenFalse: falseExpression)
    }

    /// The expression for the evaluated object, `SELF`.
    open class func expressionForEvaluatedObject() -> NSExpression {
        NSExpression(node: EvaluatedObjectNode())
    }

    /// The expression for any key, `ANYKEY`, as search in Spotlight uses it. It has no value here.
    open class func expressionForAnyKey() -> NSExpression {
        NSExpression(node: AnyKeyNode())
    }

    /// The expression's value for an object.
    ///
    /// - Parameters:
    ///   - object: the object that is evaluated.
    ///   - context: the variables' values by name.
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        StackSpace.require(levels: node.depth.calls, "The expression")
        permission?.check("The expression \(self)")
        return node.value(for: object, bindings: Bindings.dictionary(from: context))
    }

    /// An expression never changes, so the copy is the expression itself.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The expression in the format language.
    open override var description: String { node.text }

    /// True if the other object is an expression of the same structure with equal constants.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSExpression else { return false }
        return structurallyEquals(other)
    }

    open override var hash: Int { TreePart.expression(self).structuralHash }

    /// Takes the expressions out of an array that Apple declares as `[Any]`.
    private static func expressions(in parameters: [Any], of initializer: String) -> [NSExpression] {
        parameters.map {
            guard let expression = $0 as? NSExpression else {
                programmingError(
                    """
                    NSExpression(\(initializer):): the argument \($0) is no NSExpression; \
                    wrap it with NSExpression(forConstantValue:).
                    """)
            }
            return expression
        }
    }
}
