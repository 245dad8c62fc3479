// SPDX-License-Identifier: Apache-2.0

/// Writes values and expressions in the format language, in Apple's form.
enum PredicateText {
    /// A constant. Dates, data, UUIDs and URLs become a `CAST`, which the parser can read.
    static func constant(_ value: Any?) -> String {
        guard let value else { return "nil" }
        switch value {
        case let string as String: return quoted(string)
        case let index as CollectionIndex: return index.rawValue
        case let date as Date: return "CAST(\(seconds(date.timeIntervalSinceReferenceDate)), \"NSDate\")"
        case let data as Data: return "CAST(\"\(data.base64EncodedString())\", \"NSData\")"
        case let uuid as UUID: return "CAST(\"\(uuid.uuidString)\", \"NSUUID\")"
        case let url as URL: return "CAST(\(quoted(url.absoluteString)), \"NSURL\")"
        case is NSNull: return "<null>"
        default: break
        }
        if let number = Numbers.number(value) { return literal(number) }
        if !(value is NSDictionary), let elements = Values.elements(of: value) {
            return "{" + elements.map { constant($0 is NSNull ? $0 : Values.unwrap($0)) }.joined(separator: ", ") + "}"
        }
        return String(describing: value)
    }

    /// A value as a string without quotes.
    static func unquoted(_ value: Any) -> String {
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

    /// A number in the form that the parser reads. A decimal with more digits than a double becomes a cast.
    private static func literal(_ number: NSNumber) -> String {
        if case .decimal(let value) = Numbers.Exact(number) {
            let isExact =
                Double(value.description).map { Numbers.compare(number, NSNumber(value: $0)) == .orderedSame } ?? false
            if !isExact { return "CAST(\"\(value)\", \"NSDecimalNumber\")" }
        }
        return self.number(number)
    }

    /// Seconds with six fraction digits, as Apple writes them, or with more if the value needs more.
    private static func seconds(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return real(value) }
        let text = String(format: "%.6f", value)
        return Double(text) == value ? text : real(value)
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

    /// A key path. An argument of `%K` may be any string, so a key that the language can't express becomes a
    /// `valueForKeyPath:` message, which the parser reads as the same key path.
    static func keyPath(_ keys: [String]) -> String {
        path(keys) ?? "FUNCTION(SELF, \"valueForKeyPath:\", \(quoted(keys.joined(separator: "."))))"
    }

    private static func path(_ keys: [String]) -> String? {
        // A key path of a variable, as programs write it into the text of a subquery.
        if let first = keys.first, first.hasPrefix("$"), keys.count > 1, PredicateLexer.isKey(String(first.dropFirst()))
        {
            return path(Array(keys.dropFirst())).map { "\(first).\($0)" }
        }
        guard keys.allSatisfy(PredicateLexer.isKey) else { return nil }
        return keys.map { ReservedWords.contains($0) ? "#" + $0 : $0 }.joined(separator: ".")
    }

    /// An operand, in parentheses if it is written with an operator.
    static func operand(_ expression: NSExpression) -> [TextPiece] {
        switch expression.node {
        case let call as FunctionNode where call.target == nil && operators[call.selector] != nil:
            parenthesized(expression)
        case is SetOperationNode: parenthesized(expression)
        default: [.part(expression)]
        }
    }

    private static func parenthesized(_ expression: NSExpression) -> [TextPiece] {
        [.text("("), .part(expression), .text(")")]
    }

    /// An expression before a dot or an index, which have a higher precedence than signs.
    private static func receiver(_ expression: NSExpression) -> [TextPiece] {
        switch expression.node {
        case let node as ConstantNode where constant(node.value).hasPrefix("-"): parenthesized(expression)
        case let call as FunctionNode where call.selector == "onesComplement:": parenthesized(expression)
        default: operand(expression)
        }
    }

    /// An operand of arithmetic. A real number is written with its point, as integers are divided as integers.
    private static func calculated(_ expression: NSExpression) -> [TextPiece] {
        guard let number = Numbers.number((expression.node as? ConstantNode)?.value),
            case .real(let value) = Numbers.Exact(number),
            value.isFinite
        else { return operand(expression) }
        return [.text("\(value)")]
    }

    /// The functions that are written as operators.
    static let operators: [String: String] = [
        "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/", "raise:toPower:": "**",
        "bitwiseAnd:with:": "&", "bitwiseOr:with:": "|", "bitwiseXor:with:": "^", "leftshift:by:": "<<",
        "rightshift:by:": ">>",
    ]

    static func call(_ node: FunctionNode) -> [TextPiece] {
        let arguments = node.arguments
        if let target = node.target { return message(node, to: target) }
        if let symbol = operators[node.selector] {
            return calculated(arguments[0]) + [.text(" \(symbol) ")] + calculated(arguments[1])
        }
        switch node.selector {
        case "onesComplement:": return [.text("~")] + operand(arguments[0])
        case "castObject:toType:": return [.text("CAST(")] + TreeText.list(arguments) + [.text(")")]
        case "objectFrom:withIndex:": return receiver(arguments[0]) + [.text("["), .part(arguments[1]), .text("]")]
        case "modulus:by:":
            return [.text("modulus:by:(")] + calculated(arguments[0]) + [.text(", ")] + calculated(arguments[1]) + [
                .text(")")
            ]
        default: return [.text(node.selector + "(")] + TreeText.list(arguments) + [.text(")")]
        }
    }

    private static func message(_ node: FunctionNode, to target: NSExpression) -> [TextPiece] {
        // The parser would append the key path to these.
        let isPlain = target.expressionType != .keyPath && target.expressionType != .evaluatedObject
        if isPlain, let path = node.keys.flatMap(path) { return receiver(target) + [.text("." + path)] }
        return [.text("FUNCTION("), .part(target), .text(", " + quoted(node.selector))]
            + node.arguments.flatMap { [.text(", "), .part($0)] } + [.text(")")]
    }
}
