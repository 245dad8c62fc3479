// SPDX-License-Identifier: Apache-2.0

/// Text for a terminal.
enum TerminalText {
    /// The text with visible characters in place of characters that would move the cursor, change colours or change the
    /// writing direction: a store may contain any text.
    static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { replacement(for: $0) != nil }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(replacement(for: scalar) ?? scalar) }
        return String(result)
    }

    /// Whether the character controls a terminal.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool { replacement(for: scalar) != nil }

    private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        // The control pictures have the order of the control characters.
        case 0x00...0x1f: Unicode.Scalar(0x2400 + scalar.value)
        case 0x7f: Unicode.Scalar(0x2421 as UInt32)
        case 0x80...0x9f, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069: "\u{fffd}"
        default: nil
        }
    }

    /// The width of the text in columns.
    static func width(of text: String) -> Int {
        text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + width(of: $1) }
    }

    /// The longest prefix of the text that fits into a width.
    static func prefix(of text: String, width limit: Int) -> String {
        var used = 0
        return String(
            text.prefix { character in
                used += width(of: character)
                return used <= limit
            })
    }

    /// The text, or its beginning with `…` if it doesn't fit into a width.
    static func cut(_ text: String, width limit: Int) -> String {
        width(of: text) > limit ? prefix(of: text, width: limit - 1) + "…" : text
    }

    /// East Asian characters and emoji have two columns.
    private static func width(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
            0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f680...0x1faff, 0x20000...0x3fffd:
            return 2
        default:
            // A variation selector makes an emoji.
            return character.unicodeScalars.contains("\u{fe0f}") || scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }
}
