// SPDX-License-Identifier: Apache-2.0

/// Checks type names from a model: a generated file must contain them as types only, never as other code.
enum TypeText {
    /// Whether a text is a type: dotted names, generic arguments, arrays, dictionaries and optionals.
    static func isType(_ text: String) -> Bool {
        var rest = Substring(text)
        return text.utf8.count <= 512 && consumeType(&rest, depth: 0) && rest.allSatisfy { $0 == " " }
    }

    /// The type as an optional.
    static func optional(_ text: String) -> String {
        let text = text.trimmingCharacters(in: .whitespaces)
        if text.hasSuffix("?") { return text }
        return text.hasPrefix("any ") || text.contains("&") ? "(\(text))?" : text + "?"
    }

    private static func consumeType(_ rest: inout Substring, depth: Int) -> Bool {
        guard depth < 16 else { return false }
        rest = rest.drop { $0 == " " }
        if rest.hasPrefix("any ") { rest = rest.dropFirst(4).drop { $0 == " " } }
        if rest.first == "[" {
            rest.removeFirst()
            guard consumeType(&rest, depth: depth + 1) else { return false }
            if consume(":", &rest) { guard consumeType(&rest, depth: depth + 1) else { return false } }
            guard consume("]", &rest) else { return false }
        } else {
            repeat {
                rest = rest.drop { $0 == " " }
                let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                guard SwiftName.isIdentifier(String(name)), !SwiftName.isKeyword(String(name)) || name == "Any" else {
                    return false
                }
                rest = rest.dropFirst(name.count)
                if consume("<", &rest) {
                    repeat {
                        guard consumeType(&rest, depth: depth + 1) else { return false }
                    } while consume(",", &rest)
                    guard consume(">", &rest) else { return false }
                }
            } while consume(".", &rest) || consume("&", &rest)
        }
        while rest.first == "?" { rest.removeFirst() }
        return true
    }

    private static func consume(_ character: Character, _ rest: inout Substring) -> Bool {
        let trimmed = rest.drop { $0 == " " }
        guard trimmed.first == character else { return false }
        rest = trimmed.dropFirst()
        return true
    }
}
