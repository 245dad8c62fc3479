// SPDX-License-Identifier: Apache-2.0

/// The values of attributes as texts in Xcode's models. The texts are those of `AttributeText`, but Booleans are YES
/// and NO, dates are seconds since 2001, and every text is read as a number, even if it isn't one: the number at its
/// beginning counts, and a text without one is 0.
package enum SourceText {
    /// The value as which Xcode reads a text; nil for none.
    static func value(of text: String, type: NSAttributeType) -> Any? {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            NSNumber(value: integer(text))
        case .doubleAttributeType: NSNumber(value: real(text))
        case .floatAttributeType: NSNumber(value: Float(real(text)))
        case .decimalAttributeType: decimal(text)
        case .booleanAttributeType: NSNumber(value: boolean(text))
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: real(text))
        case .stringAttributeType: text
        case .UUIDAttributeType: UUID(uuidString: text)
        case .URIAttributeType: text.isEmpty ? nil : URL(string: text)
        default: nil
        }
    }

    /// The text of a value; nil for a value that models can't have.
    static func text(of value: Any, type: NSAttributeType) -> String? {
        switch type {
        case .booleanAttributeType: (value as? NSNumber).map { $0.boolValue ? "YES" : "NO" }
        case .dateAttributeType:
            (value as? Date).map(\.timeIntervalSinceReferenceDate).flatMap { $0.isFinite ? shortest($0) : nil }
        case .decimalAttributeType where (value as? NSNumber)?.decimalOrNaN.isNaN != false: nil
        default: AttributeText.isWritten(type) ? AttributeText.text(of: value, type: type) : nil
        }
    }

    /// The default value of an attribute element; nil if there is none.
    static func defaultValue(_ element: SourceElement, _ type: NSAttributeType) -> Any? {
        // The `defaultValueString` of a date is the text that the editor displays.
        let text = type == .dateAttributeType ? element.text("defaultDateTimeInterval") : element["defaultValueString"]
        return text.flatMap { value(of: $0, type: type) }
    }

    /// The text that a model has for the text of a person. It stays as it is where Xcode reads it as the same value;
    /// the seconds of a date do too.
    ///
    /// - Throws: `Refusal` for a text that is no value of the type, and for a value that models can't have.
    package static func checked(_ text: String, type: NSAttributeType) throws(AttributeText.Refusal) -> String {
        let given = type == .stringAttributeType ? text : text.trimmingCharacters(in: .whitespaces)
        if type == .dateAttributeType, let seconds = NumberText(given)?.double, seconds.isFinite { return given }
        let value = try AttributeText.value(of: given, type: type)
        // Readers differ on an integer with a point or an exponent.
        let isPlain = !type.isInteger && type != .booleanAttributeType || Int64(given) != nil
        if isPlain, valuesAreEqual(self.value(of: given, type: type), value) { return given }
        guard let text = self.text(of: value, type: type), valuesAreEqual(self.value(of: text, type: type), value)
        else {
            throw AttributeText.Refusal(finding: "is a value that models can't have as a default or a limit")
        }
        return text
    }

    // MARK: Dates

    /// The readable form of the seconds of a date, if it has exactly these seconds: a date in the years 0 to 9999
    /// without a fraction.
    package static func date(_ seconds: String) -> String? {
        guard let value = Double(seconds), shortest(value) == seconds else { return nil }
        let text = DateText.text(of: Date(timeIntervalSinceReferenceDate: value))
        return text.utf8.count == 20 ? text : nil
    }

    // MARK: Numbers

    /// The shortest text that is read as the same number, without `.0`.
    static func shortest<Value: BinaryFloatingPoint & CustomStringConvertible>(_ value: Value) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The integer at the beginning, limited to the range of 64 bits.
    static func integer(_ text: String) -> Int64 {
        guard let number = NumberText(prefixOf: text) else { return 0 }
        if let integer = number.integer { return integer }
        let value = number.double
        guard value.isFinite else { return 0 }
        return Int64(exactly: value.rounded(.towardZero)) ?? (value > 0 ? .max : .min)
    }

    static func real(_ text: String) -> Double { NumberText(prefixOf: text)?.double ?? 0 }

    static func decimal(_ text: String) -> NSDecimalNumber {
        NumberText(prefixOf: text)?.nearestDecimal.map { NSDecimalNumber(decimal: $0) } ?? .zero
    }

    /// True for YES, true, and numbers except 0.
    private static func boolean(_ text: String) -> Bool {
        guard let first = text.drop(while: \.isWhitespace).first else { return false }
        return "YyTt123456789".contains(first)
    }

    /// A count, which must be in the range of `Int32` as in the version hash; nil for another text.
    package static func count(_ text: String) -> Int? { Int32(text).map(Int.init) }

    /// The problem of the text of a number or a Boolean; nil if it is one of the type.
    static func problem(_ text: String, _ type: NSAttributeType) -> String? {
        let text = text.trimmingCharacters(in: .whitespaces)
        let number = NumberText(text)
        if type == .booleanAttributeType, number != nil || ["Y", "N", "T", "F"].contains(text.uppercased()) {
            return nil
        }
        do {
            _ = try AttributeText.value(of: text, type: type)
            // Infinity is one, too, but not for Xcode.
            if number != nil || type == .booleanAttributeType { return nil }
        } catch {
            if type == .booleanAttributeType { return "is neither YES nor NO" }
            if number != nil, !type.isInteger { return error.finding }
        }
        guard let number else { return "is not a number, and is read as \(decimal(text).stringValue)" }
        return number.exponent < 0
            ? "is not an integer, and is read as \(integer(text))"
            : "is out of range for \(SourceSpelling.name(of: type))"
    }
}
