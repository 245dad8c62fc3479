// SPDX-License-Identifier: Apache-2.0

/// A call of a library function, or a message to the value of an expression.
package struct FunctionNode: ExpressionNode {
    /// The receiver; nil for a function of the library.
    package let target: NSExpression?
    /// The function's name as a selector, for example `sum:`.
    package let selector: String
    package let arguments: [NSExpression]
    /// The library function; nil for a message.
    private let function: LibraryFunction?
    /// The keys of the key path that `valueForKeyPath:` reads, split once.
    let keys: [String]?
    package let depth: TreeDepth

    /// A call of a library function. An unknown name or a wrong number of arguments stops the program.
    init(library selector: String, arguments: [NSExpression]) {
        guard let function = FunctionLibrary.function(named: selector) else {
            programmingError(
                """
                NSExpression(forFunction:arguments:): there is no function "\(selector)". Use one of \
                \(FunctionLibrary.names.joined(separator: ", ")).
                """)
        }
        guard function.accepts(argumentCount: arguments.count) else {
            programmingError(
                """
                NSExpression(forFunction:arguments:): "\(selector)" needs \
                \(Wording.count(function.argumentCount, "argument")), not \(arguments.count).
                """)
        }
        target = nil
        self.selector = selector
        self.arguments = arguments
        self.function = function
        keys = nil
        depth =
            arguments.isEmpty
            ? .leaf
            : .above(
                chain: arguments[0], isContinued: arguments[0].node is FunctionNode,
                others: arguments.dropFirst().map(TreePart.expression))
    }

    /// A message to the value of an expression.
    init(target: NSExpression, selector: String, arguments: [NSExpression]) {
        self.target = target
        self.selector = selector
        self.arguments = arguments
        function = nil
        let path =
            selector == "valueForKeyPath:" && arguments.count == 1
            ? (arguments[0].node as? ConstantNode)?.value as? String : nil
        keys = path.map(KeyPathEvaluation.split)
        depth = .above(
            chain: target, isContinued: target.node is FunctionNode, others: arguments.map(TreePart.expression))
    }

    package var type: NSExpression.ExpressionType { .function }

    /// The receiver, as in Apple's API: for library functions, the class that implements them.
    var operand: NSExpression { target ?? NSExpression(forConstantValue: "NSPredicateUtilities") }

    package var pieces: [TextPiece] { PredicateText.call(self) }
    package var parts: [TreePart] { ((target.map { [$0] } ?? []) + arguments).map(TreePart.expression) }

    /// The receiver, or else the first argument: the inner call of a chain of calls.
    private var first: NSExpression? { target ?? arguments.first }

    /// Operators of one precedence, key paths and indexes nest to the left, so a loop evaluates them without recursion.
    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        guard var current = first else { return apply(nil, object, bindings) }
        guard current.node is FunctionNode else {
            return apply(current.value(for: object, bindings: bindings), object, bindings)
        }
        var chain = [self]
        while current.isEvaluatedByNode, let next = current.node as? FunctionNode, let first = next.first {
            chain.append(next)
            current = first
        }
        var value = current.value(for: object, bindings: bindings)
        while let node = chain.popLast() { value = node.apply(value, object, bindings) }
        return value
    }

    /// The value of the function for the value of its first expression.
    private func apply(_ first: Any?, _ object: Any?, _ bindings: [String: Any]?) -> Any? {
        if let keys { return KeyPathEvaluation.value(of: first, path: keys[...]) }
        var values: [Any?] = target == nil && !arguments.isEmpty ? [first] : []
        for argument in arguments.dropFirst(values.count) {
            values.append(argument.value(for: object, bindings: bindings))
        }
        if let function { return function.body(values) }
        return Message.send(selector, to: first, arguments: values)
    }

    package func with(parts: [TreePart]) -> any ExpressionNode {
        let expressions = parts.indices.map { parts.expression($0) }
        guard target != nil else { return FunctionNode(library: selector, arguments: expressions) }
        return FunctionNode(target: expressions[0], selector: selector, arguments: Array(expressions.dropFirst()))
    }

    package func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool {
        guard let other = other as? FunctionNode else { return false }
        return other.selector == selector && other.arguments.count == arguments.count
            && (other.target == nil) == (target == nil)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(selector)
        hasher.combine(arguments.count)
    }
}
