// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The values of attributes as texts of form fields.
enum FieldValue {
    struct Mistake: Error, CustomStringConvertible {
        let description: String
        /// Whether the store has changed since the form was shown.
        var isConflict = false
    }

    static func isEditable(_ attribute: NSAttributeDescription) -> Bool {
        guard !attribute.isTransient, !(attribute is NSDerivedAttributeDescription) else { return false }
        return AttributeText.isWritten(attribute.attributeType)
    }

    /// The text of a value in a form, whose lines end with a line feed.
    static func text(of value: Any?, for attribute: NSAttributeDescription) -> String {
        (value.flatMap { AttributeText.text(of: $0, type: attribute.attributeType) } ?? "")
            .replacingOccurrences(of: "\r\n", with: "\n")
    }

    /// Whether a form gives the text back as it is: characters that pages show in another way would be lost.
    static func isKept(_ text: String) -> Bool { HTML.shown(text) == text }

    /// A text that a field takes, if its form isn't plain; nil for other types.
    static func placeholder(of attribute: NSAttributeDescription) -> String? {
        attribute.attributeType == .dateAttributeType ? "2026-01-31T12:00:00Z" : nil
    }

    /// The value of a text. An empty text is nil, except for strings.
    static func value(of text: String, for attribute: NSAttributeDescription) throws -> Any? {
        if attribute.attributeType == .stringAttributeType { return text }
        if text.allSatisfy(\.isWhitespace) { return nil }
        do {
            return try AttributeText.value(of: text, type: attribute.attributeType)
        } catch {
            throw Mistake(description: "‘\(ObjectLabel.cut(text, to: 100))’ \(error.text).")
        }
    }
}
