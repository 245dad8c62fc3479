/// The text of a derivation that enters the version hash: functions with their colons, as Apple's expressions print
/// themselves.
enum DerivationHashText {
    static func text(_ expression: NSExpression) -> String {
        guard expression.expressionType == .function, let call = expression.node as? FunctionNode, call.target == nil
        else {
            return expression.description
        }
        return call.selector + "(" + call.arguments.map(text).joined(separator: ", ") + ")"
    }
}
