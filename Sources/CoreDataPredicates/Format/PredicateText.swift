/// Writes values and expressions in the format language, as Apple does.
enum PredicateText {
    /// A constant. Dates, UUIDs and URLs are written so that the parser reads them back.
    static func constant(_ value: Any?) -> String {
        guard let value else { return "nil" }
        switch value {
        case let string as String: return quoted(string)
        case let index as CollectionIndex: return index.rawValue
        case let date as Date: return "CAST(\(real(date.timeIntervalSinceReferenceDate)), \"NSDate\")"
        case let uuid as UUID: return "CAST(\"\(uuid.uuidString)\", \"NSUUID\")"
        case let url as URL: return "CAST(\(quoted(url.absoluteString)), \"NSURL\")"
        default: break
        }
        if let number = Numbers.number(value) { return self.number(number) }
        if !(value is NSDictionary), let elements = Values.elements(of: value) {
            return "{" + elements.map { constant(Values.unwrap($0)) }.joined(separator: ", ") + "}"
        }
        return String(describing: value)
    }

    /// A value as a plain string, without quotes.
    static func plain(_ value: Any) -> String {
        switch value {
        case let string as String: string
        case let uuid as UUID: uuid.uuidString
        case let url as URL: url.absoluteString
        default: Numbers.number(value).map(number) ?? String(describing: value)
        }
    }

    private static func number(_ number: NSNumber) -> String {
        switch Numbers.Exact(number) {
        case .integer(let value): String(value)
        case .real(let value): real(value)
        case .decimal(let value): value.description
        }
    }

    private static func real(_ value: Double) -> String {
        guard value.isFinite else { return "CAST(\"\(value)\", \"NSNumber\")" }
        let text = "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    static func quoted(_ string: String) -> String {
        var result = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    static func keyPath(_ keys: [String]) -> String {
        keys.map { ReservedWords.contains($0) ? "#" + $0 : $0 }.joined(separator: ".")
    }

    /// An expression as part of a larger one: in parentheses if it has an operator of its own.
    static func operand(_ expression: NSExpression) -> String {
        let text = expression.description
        switch expression.node {
        case let call as FunctionNode where operators[call.selector] != nil: return "(\(text))"
        case is SetOperationNode: return "(\(text))"
        default: return text
        }
    }

    /// The functions that are written as operators.
    static let operators: [String: String] = [
        "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/", "raise:toPower:": "**",
        "bitwiseAnd:with:": "&", "bitwiseOr:with:": "|", "bitwiseXor:with:": "^", "leftshift:by:": "<<",
        "rightshift:by:": ">>",
    ]

    static func call(_ node: FunctionNode) -> String {
        let arguments = node.arguments
        if let target = node.target {
            if ["valueForKeyPath:", "valueForKey:"].contains(node.selector), arguments.count == 1, target.expressionType != .keyPath,
                let path = (arguments[0].node as? ConstantNode)?.value as? String
            {
                return operand(target) + "." + keyPath(KeyPathWalk.split(path))
            }
            let parts = [target.description, quoted(node.selector)] + arguments.map(\.description)
            return "FUNCTION(" + parts.joined(separator: ", ") + ")"
        }
        if let symbol = operators[node.selector] {
            return "\(operand(arguments[0])) \(symbol) \(operand(arguments[1]))"
        }
        switch node.selector {
        case "onesComplement:": return "~" + operand(arguments[0])
        case "castObject:toType:": return "CAST(\(arguments[0]), \(arguments[1]))"
        case "objectFrom:withIndex:": return "\(operand(arguments[0]))[\(arguments[1])]"
        default: break
        }
        let isShort = arguments.count < 2 && node.selector.hasSuffix(":")
        let name = isShort ? String(node.selector.dropLast()) : node.selector
        return name + "(" + arguments.map(\.description).joined(separator: ", ") + ")"
    }
}
