// SPDX-License-Identifier: Apache-2.0

extension SwiftName {
    /// A name in source form, in backticks if it needs them. Any text can be a name in backticks.
    static func spelled(_ name: String) -> String { isIdentifier(name) ? escaped(name) : "`\(name)`" }

    /// The name with `_` in place of characters that aren't allowed in identifiers, for parts of longer names.
    static func part(_ name: String) -> String {
        String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    }

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
                if scalar.value < 32 || scalar.value == 127 {
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
