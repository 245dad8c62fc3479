/// A call: a function of the library, or a message to the value of an expression.
package struct FunctionNode: ExpressionNode {
    /// The receiver; nil for a function of the library.
    package let target: NSExpression?
    /// The function's name as a selector, for example `sum:`.
    package let selector: String
    package let arguments: [NSExpression]
    /// The library's function of that name, if there is one.
    private let function: LibraryFunction?
    /// The keys of the path that `valueForKeyPath:` reads from the receiver, split once.
    let keys: [String]?

    /// A call of a function of the library. An unknown name or a wrong count of arguments stops the program.
    package init(library selector: String, arguments: [NSExpression]) {
        guard let function = FunctionLibrary.function(named: selector) else {
            programmingError(
                """
                NSExpression(forFunction:arguments:): there is no function "\(selector)". The functions are \
                \(FunctionLibrary.names.joined(separator: ", ")).
                """)
        }
        guard function.takes(arguments.count) else {
            programmingError(
                """
                NSExpression(forFunction:arguments:): "\(selector)" takes \(function.argumentCount) arguments, not \
                \(arguments.count).
                """)
        }
        target = nil
        self.selector = selector
        self.arguments = arguments
        self.function = function
        keys = nil
    }

    /// A message to the value of an expression.
    package init(target: NSExpression, selector: String, arguments: [NSExpression]) {
        self.target = target
        self.selector = selector
        self.arguments = arguments
        function = nil
        let path = selector == "valueForKeyPath:" && arguments.count == 1 ? (arguments[0].node as? ConstantNode)?.value as? String : nil
        keys = path.map(KeyPathWalk.split)
    }

    package var type: NSExpression.ExpressionType { .function }

    /// The receiver as Apple shows it: for functions of the library, the library's class.
    package var operand: NSExpression { target ?? NSExpression(forConstantValue: "NSPredicateUtilities") }

    package var text: String { PredicateText.call(self) }
    package var children: [NSExpression] { (target.map { [$0] } ?? []) + arguments }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        if let keys, let target { return KeyPathWalk.value(of: target.value(for: object, bindings: bindings), path: keys[...]) }
        let values = arguments.map { $0.value(for: object, bindings: bindings) }
        if let function { return function.body(values) }
        return Message.send(selector, to: target?.value(for: object, bindings: bindings), arguments: values)
    }

    package func substituting(_ variables: [String: Any]) -> any ExpressionNode {
        let replaced = arguments.map { $0.substituting(variables) }
        guard let target else { return FunctionNode(library: selector, arguments: replaced) }
        return FunctionNode(target: target.substituting(variables), selector: selector, arguments: replaced)
    }

    package func equals(_ other: any ExpressionNode) -> Bool {
        guard let other = other as? FunctionNode, other.selector == selector, other.arguments.count == arguments.count
        else { return false }
        switch (target, other.target) {
        case (nil, nil): break
        case (let one?, let two?): if !one.structurallyEquals(two) { return false }
        default: return false
        }
        return zip(arguments, other.arguments).allSatisfy { $0.structurallyEquals($1) }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(selector)
        hasher.combine(arguments.count)
    }
}
