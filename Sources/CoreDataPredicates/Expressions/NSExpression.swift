// SPDX-License-Identifier: Apache-2.0

/// A part of a predicate with a value: a constant, a key path, a variable, or a function of other expressions.
///
/// Expressions are the two sides of a comparison. In an `NSExpressionDescription` they compute a column of dictionary
/// results. ``init(format:_:)`` parses a format string; the other initializers build an expression in code:
///
/// ```swift
/// let price = NSExpression(forKeyPath: "price")
/// let total = NSExpression(
///     forFunction: "multiply:by:", arguments: [price, NSExpression(forKeyPath: "quantity")])
/// let value = total.expressionValue(with: ["price": 3, "quantity": 4], context: nil)  // 12
/// ```
///
/// The SQLite store translates an expression to SQL: this one to `t0.ZPRICE * t0.ZQUANTITY`. Aggregate functions over a
/// to-many key path become a subquery: `songs.@avg.length` a `SELECT AVG(…)`. Blocks, subclasses made with
/// ``init(expressionType:)`` and messages without an SQL form can't be translated; a fetch with them throws
/// `NSCoreDataError` (134060). SQL never calls an override of ``expressionValue(with:context:)``.
///
/// An unknown function, a wrong number of arguments, and a key that the object doesn't have, stop the program.
///
/// Instances are immutable. They may be used on any thread if the constants in them may.
nonisolated open class NSExpression: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
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
        /// The set of the elements of two collections.
        case unionSet = 5
        /// The set of the elements that two collections have in common.
        case intersectSet = 6
        /// The set of the elements of one collection that are no elements of another.
        case minusSet = 7
        /// The elements of a collection for which a predicate is true.
        case subquery = 13
        /// A list of expressions.
        case aggregate = 14
        /// Any key.
        case anyKey = 15
        /// A block.
        case block = 19
        /// One of two expressions, selected by a predicate.
        case conditional = 20
        /// **Extension**: the result of a fetch request, `NSFetchRequestExpressionType`. Apple's header has the number
        /// 50 without a case of this enumeration.
        case fetchRequest = 50
    }

    /// The data of the expression: one type for each kind, in `Nodes/`.
    // Unchecked: only `deinit` writes the property, so a read needs no check for exclusive access.
    @exclusivity(unchecked) package final private(set) var node: any ExpressionNode

    deinit {
        guard node.depth.height > 50 else { return }
        var release = TreeRelease()
        release.add(node.parts)
        node = EvaluatedObjectNode()
        release.release()
    }

    /// Whether an expression from an archive may be evaluated; nil for other expressions.
    final var permission: EvaluationPermission?

    package init(node: any ExpressionNode) {
        self.node = node
    }

    /// Creates an expression of a subclass, which overrides ``expressionValue(with:context:)``.
    ///
    /// - Parameter type: the kind that `expressionType` returns.
    public init(expressionType type: ExpressionType) {
        node = SubclassNode(type: type)
    }

    /// Decodes an expression that `encode(with:)` wrote. It must not be evaluated before ``allowEvaluation()``.
    ///
    /// - Parameter coder: a keyed unarchiver. Another coder stops the program.
    /// - Returns: nil for a damaged archive; the coder's `error` has the reason.
    public required init?(coder: NSCoder) {
        guard let decoded = PredicateCoding.decode(NSExpression.self, from: coder),
            (decoded.node is FetchRequestNode) == (Self.self is NSFetchRequestExpression.Type)
        else { return nil }
        node = decoded.node
        permission = decoded.permission
    }

    /// Encodes the expression. An expression with a block, or of a subclass, stops the program.
    ///
    /// - Parameter coder: a keyed archiver. Another coder stops the program.
    open func encode(with coder: NSCoder) { PredicateCoding.encode(self, with: coder) }

    /// True: expressions support secure coding.
    open class var supportsSecureCoding: Bool { true }

    /// Creates a constant.
    ///
    /// - Parameter obj: the value of the expression.
    public init(forConstantValue obj: Any?) {
        node = ConstantNode(obj)
    }

    /// Creates a variable.
    ///
    /// - Parameter string: the name, without `$`.
    public init(forVariable string: String) {
        node = VariableNode(name: string)
    }

    /// Creates an expression for the value at a key path of the evaluated object.
    ///
    /// - Parameter keyPath: the keys, separated by dots; may have collection operators such as `@count`.
    public init(forKeyPath keyPath: String) {
        node = KeyPathNode(keyPath)
    }

    /// Creates a call of one of the built-in functions.
    ///
    /// The aggregate functions `count:`, `sum:`, `average:`, `min:`, `max:`, `median:`, `mode:` and `stddev:` have one
    /// argument, a collection:
    ///
    /// ```swift
    /// let longest = NSExpressionDescription()
    /// longest.name = "longest"
    /// longest.expression = NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "length")])
    /// longest.expressionResultType = .doubleAttributeType
    ///
    /// let request = NSFetchRequest<NSDictionary>(entityName: "Song")
    /// request.resultType = .dictionaryResultType
    /// request.propertiesToFetch = ["artist.name", longest]
    /// request.propertiesToGroupBy = ["artist.name"]
    /// ```
    ///
    /// In a dictionary request their argument is an attribute of the fetched rows, and the SQLite store computes them:
    ///
    /// ```sql
    /// SELECT t1.ZNAME, MAX(t0.ZLENGTH) FROM ZSONG t0 LEFT OUTER JOIN ZARTIST t1 ON t0.ZARTIST = t1.Z_PK
    /// GROUP BY t1.ZNAME ORDER BY t1.ZNAME
    /// ```
    ///
    /// Other functions are for numbers (`add:to:`, `modulus:by:`, `sqrt:`, `abs:`, …), bits (`bitwiseAnd:with:`, …),
    /// strings (`uppercase:`, `lowercase:`, `canonical:`, `length:`), dates (`now`) and casts (`castObject:toType:`).
    /// A nil argument gives nil; only `count:` and `sum:` of nil are 0.
    ///
    /// An unknown name, a wrong number of arguments, and an argument that is no `NSExpression`, stop the program.
    ///
    /// - Parameters:
    ///   - name: the name as a selector, for example `"sum:"` or `"modulus:by:"`.
    ///   - parameters: the arguments, each an `NSExpression`.
    public init(forFunction name: String, arguments parameters: [Any]) {
        node = FunctionNode(library: name, arguments: NSExpression.expressions(in: parameters, of: "forFunction"))
    }

    /// Creates an expression that sends a message to the value of another expression.
    ///
    /// Supported messages are `valueForKey:`, `valueForKeyPath:`, `isEqual:`, `stringByAppendingString:`,
    /// `dateByAddingTimeInterval:`, `timeIntervalSinceDate:` and the names of properties. The evaluation of another
    /// message stops the program.
    ///
    /// - Parameters:
    ///   - target: the receiver.
    ///   - name: the message as a selector.
    ///   - parameters: the arguments, each an `NSExpression`.
    public init(forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?) {
        node = FunctionNode(
            target: target, selector: name,
            arguments: NSExpression.expressions(in: parameters ?? [], of: "forFunction"))
    }

    /// Creates an expression whose value is the array of the values of other expressions.
    ///
    /// - Parameter subexpressions: the expressions. Another object becomes a constant.
    public init(forAggregate subexpressions: [Any]) {
        node = AggregateNode(elements: subexpressions.map { $0 as? NSExpression ?? NSExpression(forConstantValue: $0) })
    }

    /// Creates an expression whose value is the union of two collections, as a set.
    ///
    /// - Parameters:
    ///   - left: the first collection.
    ///   - right: the second collection.
    public init(forUnionSet left: NSExpression, with right: NSExpression) {
        node = SetOperationNode(operation: .union, left: left, right: right)
    }

    /// Creates an expression whose value is the set of the elements that two collections have in common.
    ///
    /// - Parameters:
    ///   - left: the first collection.
    ///   - right: the second collection.
    public init(forIntersectSet left: NSExpression, with right: NSExpression) {
        node = SetOperationNode(operation: .intersect, left: left, right: right)
    }

    /// Creates an expression whose value is the set of the left side's elements that the right side doesn't contain.
    ///
    /// - Parameters:
    ///   - left: the first collection.
    ///   - right: the collection of the excluded elements.
    public init(forMinusSet left: NSExpression, with right: NSExpression) {
        node = SetOperationNode(operation: .minus, left: left, right: right)
    }

    /// Creates an expression whose value is the array of the elements of a collection for which a predicate is true.
    ///
    /// - Parameters:
    ///   - expression: the collection.
    ///   - variable: the name of the variable that stands for the element in the predicate, without `$`.
    ///   - predicate: the predicate.
    public init(forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate) {
        node = SubqueryNode(collection: expression, variable: variable, predicate: predicate)
    }

    /// Creates an expression whose value a block computes. It can be neither archived nor translated to SQL.
    ///
    /// - Parameters:
    ///   - block: computes the value from the evaluated object, the values of the arguments and the variables.
    ///   - arguments: the arguments; nil for none.
    public init(block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?) {
        node = BlockNode(block: block, arguments: arguments)
    }

    /// Creates an expression whose value is the value of one of two expressions.
    ///
    /// - Parameters:
    ///   - predicate: selects the expression.
    ///   - trueExpression: the expression if the predicate is true.
    ///   - falseExpression: the expression if the predicate is false.
    public init(
        forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression
    ) {
        node = ConditionalNode(predicate: predicate, whenTrue: trueExpression, whenFalse: falseExpression)
    }

    /// The expression for the evaluated object, `SELF`.
    open class func expressionForEvaluatedObject() -> NSExpression {
        NSExpression(node: EvaluatedObjectNode())
    }

    /// The expression for any key, `ANYKEY`, of Spotlight queries. Its evaluation stops the program.
    open class func expressionForAnyKey() -> NSExpression {
        NSExpression(node: AnyKeyNode())
    }

    /// Evaluates the expression for an object.
    ///
    /// Stops the program if a variable has no value, if the object has no value for a key, and for an expression from
    /// an archive before ``allowEvaluation()``.
    ///
    /// - Parameters:
    ///   - object: the evaluated object; a managed object on the queue of its context.
    ///   - context: the values of variables by their names, without `$`.
    /// - Returns: the value; numbers as `NSNumber`.
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        StackSpace.require(levels: node.depth.calls, "The expression")
        permission?.check("The expression \(self)")
        return node.value(for: object, bindings: Bindings.dictionary(from: context))
    }

    /// The expression itself, as it is immutable.
    ///
    /// - Parameter zone: ignored.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The expression as a format string.
    open override var description: String { node.text }

    /// True if the other object is an expression of the same structure with equal constants.
    ///
    /// - Parameter object: the other object.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSExpression else { return false }
        return structurallyEquals(other)
    }

    /// A hash that is equal for equal expressions.
    open override var hash: Int { TreePart.expression(self).structuralHash }

    /// The elements of an array that Apple declares as `[Any]`, which must be expressions.
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
