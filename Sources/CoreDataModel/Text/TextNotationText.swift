// SPDX-License-Identifier: Apache-2.0

/// Formats names and texts in the text notation.
enum TextNotationText {
    static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "$", "+", "@": return true
        default: return !scalar.isASCII && scalar.properties.isXIDContinue
        }
    }

    /// A name: unquoted if it is a word, otherwise in quotation marks.
    static func name(_ name: String) -> String {
        !name.isEmpty && name.unicodeScalars.allSatisfy(isWordCharacter) ? name : text(name)
    }

    /// A text in quotation marks; a raw text if it would need many escapes.
    static func text(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let needsEscape = scalars.contains { visible($0) != String($0) }
        guard !needsEscape, scalars.contains(where: { $0 == "\\" || $0 == "\"" }) else {
            return "\"" + escaped(scalars) + "\""
        }
        let hashes = String(repeating: "#", count: hashesAfterMarks(scalars) + 1)
        return hashes + "\"" + text + "\"" + hashes
    }

    /// The length of the longest run of `#` after a quotation mark.
    private static func hashesAfterMarks(_ scalars: String.UnicodeScalarView) -> Int {
        var most = 0
        var run: Int?
        for scalar in scalars {
            run = scalar == "\"" ? 0 : scalar == "#" ? run.map { $0 + 1 } : nil
            most = max(most, run ?? 0)
        }
        return most
    }

    /// A visible form of a character. Control characters, line breaks and characters that change the writing direction
    /// are escaped.
    static func visible(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default: break
        }
        switch scalar.value {
        case 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: return code(scalar)
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return code(scalar)
        default: return String(scalar)
        }
    }

    private static func code(_ scalar: Unicode.Scalar) -> String {
        "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }

    private static func escaped(_ scalars: String.UnicodeScalarView) -> String {
        scalars.map { $0 == "\\" ? "\\\\" : $0 == "\"" ? "\\\"" : visible($0) }.joined()
    }

    /// A text in a message: visible, and shortened if it is long.
    static func short(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let isLong = scalars.count > 60
        return scalars.prefix(isLong ? 40 : 60).map(visible).joined() + (isLong ? "…" : "")
    }

    /// A keyword without differences in spelling: case, hyphens, underscores and spaces.
    static func normalized(_ word: String) -> String {
        String(
            String.UnicodeScalarView(word.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" && $0 != " " }))
    }
}
