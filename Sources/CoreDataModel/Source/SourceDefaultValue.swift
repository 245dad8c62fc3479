// SPDX-License-Identifier: Apache-2.0

/// Default values in source models.
enum SourceDefaultValue {
    /// The default value of an attribute element; nil if there is none.
    static func read(_ element: SourceElement, type: NSAttributeType) -> Any? {
        if type == .dateAttributeType {
            // The `defaultValueString` of a date is the text that the editor displays.
            return element.text("defaultDateTimeInterval").map {
                Date(timeIntervalSinceReferenceDate: SourceNumber.real($0))
            }
        }
        guard let text = element["defaultValueString"] else { return nil }
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return NSNumber(value: SourceNumber.integer(text))
        case .doubleAttributeType: return NSNumber(value: SourceNumber.real(text))
        case .floatAttributeType: return NSNumber(value: Float(SourceNumber.real(text)))
        case .decimalAttributeType: return SourceNumber.decimal(text)
        case .booleanAttributeType: return NSNumber(value: boolean(text))
        case .stringAttributeType: return text
        case .UUIDAttributeType: return UUID(uuidString: text)
        case .URIAttributeType: return text.isEmpty ? nil : URL(string: text)
        default: return nil
        }
    }

    /// The XML attributes for a default value; nil if the format can't represent it.
    static func write(_ value: Any, type: NSAttributeType) -> (text: String?, interval: String?)? {
        switch type {
        case .dateAttributeType:
            return (value as? Date).map(\.timeIntervalSinceReferenceDate).flatMap {
                $0.isFinite ? (nil, SourceText.real($0)) : nil
            }
        case .booleanAttributeType:
            return (value as? NSNumber).map { ($0.boolValue ? "YES" : "NO", nil) }
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return (value as? NSNumber).map { (String($0.int64Value), nil) }
        case .doubleAttributeType:
            return (value as? NSNumber).map { ($0.doubleValue.description, nil) }
        case .floatAttributeType:
            return (value as? NSNumber).map { ($0.floatValue.description, nil) }
        case .decimalAttributeType:
            guard let decimal = (value as? NSNumber)?.decimalOrNaN, !decimal.isNaN else { return nil }
            return (NSDecimalNumber(decimal: decimal).stringValue, nil)
        case .stringAttributeType: return (value as? String).map { ($0, nil) }
        case .UUIDAttributeType: return (value as? UUID).map { ($0.uuidString, nil) }
        case .URIAttributeType: return (value as? URL).map { ($0.absoluteString, nil) }
        default: return nil
        }
    }

    /// True for YES, true, and numbers except 0.
    private static func boolean(_ text: String) -> Bool {
        guard let first = text.drop(while: \.isWhitespace).first else { return false }
        return "YyTt123456789".contains(first)
    }
}

/// Formats values in source models.
package enum SourceText {
    /// The shortest text that is read as the same number, without `.0`.
    package static func real<Value: BinaryFloatingPoint & CustomStringConvertible>(_ value: Value) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
