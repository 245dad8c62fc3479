// SPDX-License-Identifier: Apache-2.0

/// The values of attributes as texts, in the only place that reads and writes them. Imports, forms, the model editor,
/// the text notation and snapshots take a text for the same value, or refuse it. The texts of Xcode's models are those
/// of `SourceText`, which stands on this one.
package enum AttributeText {
    /// Why a text is no value of a type.
    package struct Refusal: Error {
        /// The end of a sentence whose subject is the text: "is no Date".
        let finding: String
        /// How the value is written, as a sentence without its end; nil if the type says it.
        var advice: String?

        /// The finding and the advice, without an end.
        package var text: String { finding + (advice.map { ". \($0)" } ?? "") }
    }

    /// Whether people write values of a type: in forms and in models.
    package static func isWritten(_ type: NSAttributeType) -> Bool {
        switch type {
        case .binaryDataAttributeType, .transformableAttributeType, .compositeAttributeType, .undefinedAttributeType,
            .objectIDAttributeType:
            false
        default: true
        }
    }

    /// The value of a text. Every text that `text(of:type:)` writes is read as the same value.
    ///
    /// - Throws: `Refusal` for a text that the type has no value for, or only another one.
    package static func value(of text: String, type: NSAttributeType) throws(Refusal) -> Any {
        if type == .stringAttributeType { return text }
        let text = text.trimmingCharacters(in: .whitespaces)
        let found: Any?
        switch type {
        case .stringAttributeType: found = text
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            found = integer(text, type).map { NSNumber(value: $0) }
        case .doubleAttributeType: found = try real(text, Double.self, type).map { NSNumber(value: $0) }
        case .floatAttributeType: found = try real(text, Float.self, type).map { NSNumber(value: $0) }
        case .decimalAttributeType: found = try decimal(text)
        case .booleanAttributeType: found = boolean(text).map { NSNumber(value: $0) }
        case .dateAttributeType: found = DateText.date(text)
        case .UUIDAttributeType: found = UUID(uuidString: text)
        case .URIAttributeType: found = try url(text)
        case .binaryDataAttributeType, .transformableAttributeType: found = data(text)
        case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: found = nil
        }
        guard let found else { throw refusal(of: type) }
        return found
    }

    /// The text of a value; nil for a value of another type, and for one without a text.
    package static func text(of value: Any, type: NSAttributeType) -> String? {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            (value as? NSNumber).map { String($0.int64Value) }
        case .doubleAttributeType: (value as? NSNumber).map { $0.doubleValue.description }
        case .floatAttributeType: (value as? NSNumber).map { $0.floatValue.description }
        case .decimalAttributeType: (value as? NSNumber).map { $0.decimalOrNaN.description }
        case .booleanAttributeType: (value as? NSNumber).map { $0.boolValue ? "true" : "false" }
        case .stringAttributeType: value as? String
        case .dateAttributeType: (value as? Date).map { DateText.text(of: $0) }
        case .UUIDAttributeType: (value as? UUID)?.uuidString
        case .URIAttributeType: (value as? URL)?.absoluteString
        case .binaryDataAttributeType, .transformableAttributeType: (value as? Data)?.base64EncodedString()
        case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: nil
        }
    }

    /// The refusal of a text without a value of a type.
    package static func refusal(of type: NSAttributeType) -> Refusal {
        let finding = "is no \(SourceSpelling.name(of: type))"
        switch type {
        case .binaryDataAttributeType, .transformableAttributeType: return Refusal(finding: finding + " in Base64")
        case .dateAttributeType:
            return Refusal(finding: finding, advice: "Write 2026-11-17 or 2026-11-17T08:30:00Z, in UTC")
        case .UUIDAttributeType:
            return Refusal(finding: finding, advice: "Write it as 1B4E28BA-2FA1-11D2-883F-0016D3CCA427")
        case .booleanAttributeType: return Refusal(finding: finding, advice: "Write true or false")
        case .undefinedAttributeType, .objectIDAttributeType:
            return Refusal(finding: finding + ", a type whose values texts can't have")
        default: return Refusal(finding: finding)
        }
    }

    // MARK: Numbers

    /// 3.0 and 1e3 are integers too.
    private static func integer(_ text: String, _ type: NSAttributeType) -> Int64? {
        guard let integer = Int64(text) ?? NumberText(text)?.integer, type.integerRange.contains(integer) else {
            return nil
        }
        return integer
    }

    /// The nearest number. One that is too large for the type, or too small, would become infinite or zero.
    private static func real<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ text: String, _ type: Number.Type, _ attributeType: NSAttributeType
    ) throws(Refusal) -> Number? {
        guard let digits = NumberText(text) else {
            switch text.lowercased() {
            case "inf", "infinity", "+inf", "+infinity": return .infinity
            case "-inf", "-infinity": return -.infinity
            case "nan": throw Refusal(finding: "is no number, which a store keeps as no value", advice: "Leave it out")
            default: return nil
            }
        }
        guard let number = Number(text) else { return nil }
        if number.isInfinite || number.isZero && !digits.isZero {
            throw outOfRange(attributeType, isLarge: number.isInfinite)
        }
        return number
    }

    /// The Float of a number; nil for one that would become infinite or zero.
    package static func float(_ number: Double) throws(Refusal) -> Float {
        let float = Float(number)
        if float.isInfinite && number.isFinite || float.isZero && !number.isZero {
            throw outOfRange(.floatAttributeType, isLarge: float.isInfinite)
        }
        return float
    }

    private static func outOfRange(_ type: NSAttributeType, isLarge: Bool) -> Refusal {
        Refusal(finding: "is too \(isLarge ? "large" : "small") for the type \(SourceSpelling.name(of: type))")
    }

    private static func decimal(_ text: String) throws(Refusal) -> NSDecimalNumber? {
        if text == "NaN" { return NSDecimalNumber.notANumber }
        guard let digits = NumberText(text) else { return nil }
        guard let decimal = digits.decimal else {
            throw Refusal(finding: "has more digits than a decimal keeps, which is 38")
        }
        return NSDecimalNumber(decimal: decimal)
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }

    // MARK: Others

    private static func url(_ text: String) throws(Refusal) -> URL? {
        guard let url = URL(string: text) else { return nil }
        guard url.absoluteString == text else {
            // Foundation encodes characters that a URL can't have.
            throw Refusal(
                finding: "is no URI",
                advice: "With the characters encoded it is \(TextNotationText.short(url.absoluteString))")
        }
        return url
    }

    private static func data(_ text: String) -> Data? {
        guard let data = Data(base64Encoded: text) else { return nil }
        // Foundation takes "====" for a byte.
        let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return data.count == text.utf8.count / 4 * 3 - padding ? data : nil
    }
}
