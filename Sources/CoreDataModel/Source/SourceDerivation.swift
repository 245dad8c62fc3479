// SPDX-License-Identifier: Apache-2.0

/// The text of derivations in source models: a key path, a function of one key path, or `now()`.
package enum SourceDerivation {
    /// Reads a derivation.
    ///
    /// - Throws: the error of the expression parser for a text that is not an expression.
    package static func read(_ text: String) throws -> NSExpression {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text == "SELF" { return NSExpression.expressionForEvaluatedObject() }
        if text == "now()" { return NSExpression(forFunction: "now", arguments: []) }
        // `relationship.@count` is compiled to the function `count:(relationship)`, which is part of the version hash.
        if text.hasSuffix(".@count"), case let path = String(text.dropLast(".@count".count)), isKeyPath(path) {
            return NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: path)])
        }
        if isKeyPath(text) { return NSExpression(forKeyPath: text) }
        if let open = text.firstIndex(of: "("), text.hasSuffix(")") {
            let name = String(text[..<open])
            let argument = String(text[text.index(after: open)...].dropLast())
            if FunctionLibrary.names.contains(name), name.hasSuffix(":"), isKeyPath(argument) {
                return NSExpression(forFunction: name, arguments: [NSExpression(forKeyPath: argument)])
            }
        }
        return try NSExpression.parse(text)
    }

    /// The text of a derivation in source models.
    static func text(_ expression: NSExpression) -> String {
        if expression.expressionType == .function, expression.function == "count:",
            let argument = expression.arguments?.first,
            argument.expressionType == .keyPath
        {
            return argument.keyPath + ".@count"
        }
        return DerivationText.text(expression)
    }

    private static func isKeyPath(_ text: String) -> Bool {
        !text.isEmpty && text != "now"
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { key in
                let name = key.hasPrefix("@") ? key.dropFirst() : key
                guard let first = name.first, !first.isNumber else { return false }
                return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            }
    }
}
