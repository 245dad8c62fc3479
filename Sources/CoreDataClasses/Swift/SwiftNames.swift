/// Names in generated Swift.
enum SwiftNames {
    private static let keywords: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout", "internal", "let", "open",
        "operator", "private", "precedencegroup", "protocol", "public", "rethrows", "static", "struct", "subscript", "typealias", "var", "break",
        "case", "catch", "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw",
        "switch", "where", "while", "as", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try", "Any", "Type", "Protocol",
    ]

    /// The name as an identifier, in backticks where it needs them.
    static func escaped(_ name: String) -> String {
        let isPlain = !name.isEmpty && !(name.first?.isNumber ?? false) && name.unicodeScalars.allSatisfy { $0.properties.isXIDContinue || $0 == "_" }
        return isPlain && !keywords.contains(name) ? name : "`\(name)`"
    }

    /// The name with everything replaced that no identifier has, for parts of longer names.
    static func part(_ name: String) -> String { String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }) }

    /// Text as a string literal.
    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if scalar.value < 32 || scalar.value == 127 { result += "\\u{\(String(scalar.value, radix: 16))}" } else { result.unicodeScalars.append(scalar) }
            }
        }
        return result + "\""
    }
}
