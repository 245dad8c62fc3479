// SPDX-License-Identifier: Apache-2.0

/// Reads text as the value of an attribute, in the only place that does so: the value of the text, or a refusal. All
/// texts that `CellValue` writes are read back as the same value.
package enum AttributeText {
    /// Why a text is no value of an attribute.
    package struct Refusal: Error {
        /// The end of a sentence whose subject is the text: "is no Date".
        package let finding: String
        /// How the value is written, as a sentence without its end; nil if the type says it.
        package var advice: String?
    }

    /// - Throws: `Refusal` for a text that the attribute's type has no value for, or only another one.
    package static func value(of text: String, for attribute: NSAttributeDescription) throws(Refusal) -> Any {
        if attribute.attributeType == .stringAttributeType { return text }
        let text = text.trimmingCharacters(in: .whitespaces)
        let typeName = SourceSpelling.name(of: attribute.attributeType)
        let found: Any?
        switch attribute.attributeType {
        case .stringAttributeType: found = text
        case .integer16AttributeType: found = integer(text, Int16.self).map { NSNumber(value: $0) }
        case .integer32AttributeType: found = integer(text, Int32.self).map { NSNumber(value: $0) }
        case .integer64AttributeType: found = integer(text, Int64.self).map { NSNumber(value: $0) }
        case .doubleAttributeType: found = try real(text, Double.self, typeName).map { NSNumber(value: $0) }
        case .floatAttributeType: found = try real(text, Float.self, typeName).map { NSNumber(value: $0) }
        case .decimalAttributeType: found = try decimal(text)
        case .booleanAttributeType: found = boolean(text).map { NSNumber(value: $0) }
        case .dateAttributeType: found = DateText.date(text)
        case .UUIDAttributeType: found = uuid(text)
        case .URIAttributeType: found = try url(text)
        case .binaryDataAttributeType, .transformableAttributeType: found = Data(base64Encoded: text)
        case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: found = nil
        }
        guard let found else { throw refusal(of: attribute) }
        return found
    }

    /// The refusal of a text without a value of the attribute's type.
    package static func refusal(of attribute: NSAttributeDescription) -> Refusal {
        package let finding = "is no \(SourceSpelling.name(of: attribute.attributeType))"
        switch attribute.attributeType {
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
    private static func integer<Number: FixedWidthInteger>(_ text: String, _ type: Number.Type) -> Number? {
        NumberText(text)?.integer.flatMap { Number(exactly: $0) }
    }

    /// The nearest number. One that is too large for the type, or too small, would become infinite or zero.
    private static func real<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ text: String, _ type: Number.Type, _ typeName: String
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
        if number.isInfinite { throw Refusal(finding: "is too large for the type \(typeName)") }
        if number.isZero, !digits.isZero { throw Refusal(finding: "is too small for the type \(typeName)") }
        return number
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

    private static func uuid(_ text: String) -> UUID? {
        // Foundation ignores what follows.
        UUID(uuidString: text).flatMap { $0.uuidString == text.uppercased() ? $0 : nil }
    }

    private static func url(_ text: String) throws(Refusal) -> URL? {
        guard let url = URL(string: text) else { return nil }
        guard url.absoluteString == text else {
            // Foundation encodes characters that a URL can't have.
            throw Refusal(
                finding: "is no URI",
                advice: "With the characters encoded it is \(url.absoluteString.prefix(100))")
        }
        return url
    }
}
