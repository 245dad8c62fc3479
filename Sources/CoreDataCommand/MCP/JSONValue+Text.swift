// SPDX-License-Identifier: Apache-2.0

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
    init(stringLiteral value: String) { self = .string(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(integerLiteral value: Int) { self = .number("\(value)") }

    /// The value with a name in an object; nil for other values, and for an object without it.
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text of a string; nil for other values.
    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value as JSON, in one line.
    var text: String {
        var text = ""
        append(to: &text)
        return text
    }

    private func append(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .boolean(let flag): text += flag ? "true" : "false"
        case .number(let digits): text += digits
        case .string(let string): Self.append(string, to: &text)
        case .array(let members):
            text += "["
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                member.append(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.append(member.name, to: &text)
                text += ":"
                member.value.append(to: &text)
            }
            text += "}"
        }
    }

    /// Appends a string with escapes for all characters that JSON or a terminal doesn't take as they are.
    private static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case _ where TerminalText.isControl(scalar): text += JSONText.escape(scalar)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
