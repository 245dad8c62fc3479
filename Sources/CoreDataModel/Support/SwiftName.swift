// SPDX-License-Identifier: Apache-2.0

/// Rules for identifiers in Swift source text.
package enum SwiftName {
    /// Whether a text is an identifier: a letter or underscore, followed by letters, digits and underscores.
    package static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, isHead(first), text != "_" else { return false }
        return text.unicodeScalars.allSatisfy { isHead($0) || isDigit($0) }
    }

    /// Whether a name needs backticks.
    package static func isKeyword(_ name: String) -> Bool { keywords.contains(name) }

    /// A name as source text: in backticks if it is a keyword.
    package static func escaped(_ name: String) -> String { isKeyword(name) ? "`\(name)`" : name }

    /// Letters of all scripts are accepted. Swift accepts further characters, which generated files don't need.
    private static func isHead(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || (scalar.isASCII ? scalar.properties.isAlphabetic : scalar.properties.isXIDStart)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? ("0"..."9").contains(scalar) : scalar.properties.isXIDContinue
    }

    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue",
        "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if", "import", "in",
        "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat",
        "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
        "try", "typealias",
        "var", "where", "while",
    ]
}
