import OpenCoreData

/// Markup. Texts that are interpolated are escaped; only literals and other markup are taken as they are.
struct HTML: ExpressibleByStringInterpolation, Sendable {
    private(set) var text: String

    init(stringLiteral value: String) { text = value }

    init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    /// Markup from elsewhere, which must have been escaped.
    init(trusted text: String) { self.text = text }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text: String

        init(literalCapacity: Int, interpolationCount: Int) {
            text = ""
            text.reserveCapacity(literalCapacity)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }
        mutating func appendInterpolation(_ value: some BinaryInteger) { text += String(value) }
        mutating func appendInterpolation(_ value: HTML) { text += value.text }
        mutating func appendInterpolation(_ value: HTML?) { text += value?.text ?? "" }
        mutating func appendInterpolation(_ values: [HTML]) { for value in values { text += value.text } }
    }

    static func + (left: HTML, right: HTML) -> HTML { HTML(trusted: left.text + right.text) }
    static func += (left: inout HTML, right: HTML) { left.text += right.text }

    /// The text with escaped markup. Characters that would change the direction of other text, and control characters,
    /// become visible; lines and tabs stay.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case _ where TerminalText.isControl(scalar):
                result += TerminalText.visible(String(Character(scalar)))
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
