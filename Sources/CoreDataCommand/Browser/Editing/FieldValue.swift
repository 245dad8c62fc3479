// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The values of attributes as texts of form fields.
enum FieldValue {
    struct Mistake: Error, CustomStringConvertible {
        let description: String
        /// Whether the store has changed meanwhile.
        var isConflict = false
    }

    static func isEditable(_ attribute: NSAttributeDescription) -> Bool {
        guard !attribute.isTransient, !(attribute is NSDerivedAttributeDescription) else { return false }
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
            .doubleAttributeType, .floatAttributeType, .stringAttributeType, .booleanAttributeType,
            .dateAttributeType, .UUIDAttributeType, .URIAttributeType:
            return true
        default: return false
        }
    }

    /// The text of a value in a form, whose lines end with a line feed.
    static func text(of value: Any?, for attribute: NSAttributeDescription) -> String {
        CellValue(attribute: attribute, value: value).text.replacingOccurrences(of: "\r\n", with: "\n")
    }

    /// Whether a form gives the text back as it is: characters that pages show in another way would be lost.
    static func isKept(_ text: String) -> Bool { HTML.shown(text) == text }

    /// A text that a field takes, if its form isn't plain; nil for other types.
    static func placeholder(of attribute: NSAttributeDescription) -> String? {
        attribute.attributeType == .dateAttributeType ? "2026-01-31T12:00:00Z" : nil
    }

    private static func form(of attribute: NSAttributeDescription) -> String {
        switch attribute.attributeType {
        case .dateAttributeType: ", such as 2026-01-31 or 2026-01-31T12:00:00Z"
        case .UUIDAttributeType: ", such as 1B4E28BA-2FA1-11D2-883F-0016D3CCA427"
        default: ""
        }
    }

    /// The value of a text. An empty text is nil, except for strings.
    static func value(of text: String, for attribute: NSAttributeDescription) throws -> Any? {
        if attribute.attributeType == .stringAttributeType { return text }
        let text = text.trimmingCharacters(in: .whitespaces)
        if text.isEmpty { return nil }
        let value: Any?
        switch attribute.attributeType {
        case .integer16AttributeType: value = Int16(text).map { NSNumber(value: $0) }
        case .integer32AttributeType: value = Int32(text).map { NSNumber(value: $0) }
        case .integer64AttributeType: value = Int64(text).map { NSNumber(value: $0) }
        case .doubleAttributeType: value = Double(text).map { NSNumber(value: $0) }
        case .floatAttributeType: value = Float(text).map { NSNumber(value: $0) }
        case .decimalAttributeType:
            value = Double(text) == nil ? nil : Decimal(string: text).map { NSDecimalNumber(decimal: $0) }
        case .booleanAttributeType:
            value = ["true", "false"].contains(text) ? NSNumber(value: text == "true") : nil
        case .dateAttributeType: value = DateText.date(text)
        case .UUIDAttributeType: value = UUID(uuidString: text)
        case .URIAttributeType: value = URL(string: text)
        default: value = nil
        }
        guard let value else {
            throw Mistake(
                description:
                    """
                    ‘\(ObjectLabel.cut(text, to: 100))’ is no \(AttributeOutline(attribute: attribute).typeName) for \
                    \(attribute.name)\(form(of: attribute)).
                    """
            )
        }
        return value
    }
}
