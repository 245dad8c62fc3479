// SPDX-License-Identifier: Apache-2.0

/// Checks the texts of numbers in source models. Every text is read as a number, even if it isn't one.
enum NumberCheck {
    /// The problem of a text; nil if it is a number of the type.
    static func problem(_ text: String, _ type: NSAttributeType) -> String? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if type == .booleanAttributeType {
            let known =
                ["YES", "NO", "TRUE", "FALSE", "Y", "N", "T", "F"].contains(text.uppercased()) || Double(text) != nil
            return known ? nil : "is neither YES nor NO"
        }
        guard let value = Double(text), value.isFinite else {
            // A decimal number can have more digits than a double.
            if type == .decimalAttributeType, Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) != nil,
                isPlainNumber(text)
            {
                return nil
            }
            return "is not a number, and is read as \(SourceNumber.decimal(text).stringValue)"
        }
        guard type.isInteger else { return nil }
        guard value == value.rounded() else { return "is not an integer, and is read as \(SourceNumber.integer(text))" }
        let limit = type == .integer16AttributeType ? 0x1p15 : type == .integer32AttributeType ? 0x1p31 : 0x1p63
        return value >= -limit && (value < limit || Int64(text) != nil && limit == 0x1p63)
            ? nil : "is out of range for \(SourceSpelling.name(of: type))"
    }

    private static func isPlainNumber(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
    }
}
