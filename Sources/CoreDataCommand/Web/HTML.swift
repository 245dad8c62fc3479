// SPDX-License-Identifier: Apache-2.0

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

    /// The text as a page shows it. Characters that would change the direction of other text, and control characters,
    /// become visible; lines and tabs stay.
    static func shown(_ text: String) -> String {
        func isHidden(_ scalar: Unicode.Scalar) -> Bool {
            scalar != "\n" && scalar != "\t" && TerminalText.isControl(scalar)
        }
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let visible = isHidden(scalar) ? TerminalText.visible(String(Character(scalar))) : String(Character(scalar))
            result.append(contentsOf: visible.unicodeScalars)
        }
        return String(result)
    }

    /// The text with escaped markup, as ``shown(_:)``.
    static func escaped(_ text: String) -> String { MarkupText.escaped(shown(text)) }
}
