// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A value of a file that can't be used, as a sentence without its end.
struct ImportMistake: Error {
    let text: String

    init(_ text: String) { self.text = text }
}

/// Converts the values in files into values of attributes. The files have the forms that `store fetch` writes.
enum ImportedAttribute {
    /// The value for an attribute; nil for none.
    static func value(_ value: ImportValue, for attribute: NSAttributeDescription) throws -> Any? {
        switch value {
        case .missing, .json(.null): return nil
        case .text(let text):
            if attribute is NSCompositeAttributeDescription { return try composite(text: text, attribute) }
            return try read(text, value, attribute)
        case .json(let json): return try read(json, value, attribute)
        }
    }

    // MARK: JSON

    private static func read(
        _ json: JSONValue, _ value: ImportValue, _ attribute: NSAttributeDescription
    ) throws -> Any? {
        switch (json, attribute.attributeType) {
        case (.object(let members), .compositeAttributeType):
            return try composite(members, attribute)
        case (.boolean(let flag), .booleanAttributeType): return NSNumber(value: flag)
        case (.number(let digits), .booleanAttributeType): return try read(digits, value, attribute)
        case (.number(let digits), let type) where type.isNumber: return try read(digits, value, attribute)
        case (.number(let digits), .dateAttributeType):
            throw ImportMistake(
                "\(digits) is no date. Write an ISO 8601 text, for example \"2026-11-17T08:30:00Z\"")
        case (.string(let text), let type) where type != .compositeAttributeType:
            return try read(text, value, attribute)
        default: throw mistake(value, AttributeText.refusal(of: attribute.attributeType))
        }
    }

    private static func composite(text: String, _ attribute: NSAttributeDescription) throws -> Any? {
        guard case .object(let members)? = JSONValue(text: Array(text.utf8)) else {
            throw ImportMistake(
                "'\(ObjectLabel.cut(text, to: 100))' is no composite value. Write a JSON object with its elements")
        }
        return try composite(members, attribute)
    }

    private static func composite(
        _ members: [(name: String, value: JSONValue)], _ attribute: NSAttributeDescription
    ) throws -> Any? {
        guard let composite = attribute as? NSCompositeAttributeDescription else { return nil }
        var values: [String: Any] = [:]
        for member in members {
            guard let element = composite.elements.first(where: { $0.name == member.name }) else {
                let known = composite.elements.map(\.name).joined(separator: ", ")
                throw ImportMistake("the composite has no element '\(member.name.prefix(100))'. It has: \(known)")
            }
            values[member.name] = try value(.json(member.value), for: element)
        }
        return values
    }

    // MARK: Text

    private static func read(_ text: String, _ value: ImportValue, _ attribute: NSAttributeDescription) throws -> Any {
        do {
            return try AttributeText.value(of: text, type: attribute.attributeType)
        } catch {
            throw mistake(value, error)
        }
    }

    private static func mistake(_ value: ImportValue, _ refusal: AttributeText.Refusal) -> ImportMistake {
        ImportMistake("\(value.kind) \(refusal.text)")
    }
}
