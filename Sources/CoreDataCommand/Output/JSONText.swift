import OpenCoreData

/// A value as JSON for programs: indented, keys sorted, so that equal values give equal texts.
enum JSONText {
    static func of(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return harmless(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Escapes what JSON may hold as it is, but what a terminal would obey. None of it can stand outside of strings.
    private static func harmless(_ text: String) -> String {
        let isHarmful: (Unicode.Scalar) -> Bool = { $0 != "\n" && TerminalText.isHarmful($0) }
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isHarmful(scalar) {
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
