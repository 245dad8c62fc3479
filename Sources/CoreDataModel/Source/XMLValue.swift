// SPDX-License-Identifier: Apache-2.0

/// Values of attributes in the XML of source models.
package enum XMLValue {
    /// A value between quotation marks, escaped as Xcode does. Characters that XML can't represent are left out:
    /// writers and edits refuse them before.
    package static func escaped(_ value: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": text.append(contentsOf: "&amp;".unicodeScalars)
            case "<": text.append(contentsOf: "&lt;".unicodeScalars)
            case ">": text.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": text.append(contentsOf: "&quot;".unicodeScalars)
            case "\n", "\r", "\t": text.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
            default: if isAllowed(scalar) { text.append(scalar) }
            }
        }
        return String(text)
    }

    /// Whether XML can represent a text.
    package static func canRepresent(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(isAllowed) }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\r", "\t": true
        case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": false
        default: true
        }
    }
}
