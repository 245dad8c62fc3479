// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A value of a file that can't be used, as a sentence without its end.
struct ImportMistake: Error {
    let text: String

    init(_ text: String) { self.text = text }
}

/// Makes values of attributes from those of files, in the forms in which `store fetch` writes them.
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
        case (.number(let digits), let type) where type.isNumeric: return try read(digits, value, attribute)
        case (.number(let digits), .dateAttributeType):
            throw ImportMistake(
                "\(digits) is no date. Write an ISO 8601 text, for example \"2026-11-17T08:30:00Z\"")
        case (.string(let text), let type) where type != .compositeAttributeType:
            return try read(text, value, attribute)
        default: throw mistake(value, attribute)
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
        let found: Any? =
            switch attribute.attributeType {
            case .stringAttributeType: text
            case .integer16AttributeType: integer(text).flatMap { Int16(exactly: $0) }.map { NSNumber(value: $0) }
            case .integer32AttributeType: integer(text).flatMap { Int32(exactly: $0) }.map { NSNumber(value: $0) }
            case .integer64AttributeType: integer(text).map { NSNumber(value: $0) }
            case .doubleAttributeType: double(text).map { NSNumber(value: $0) }
            case .floatAttributeType: double(text).flatMap(float).map { NSNumber(value: $0) }
            case .decimalAttributeType: decimal(text)
            case .booleanAttributeType: boolean(text).map { NSNumber(value: $0) }
            case .dateAttributeType: DateText.date(text.trimmingCharacters(in: .whitespaces))
            case .UUIDAttributeType: UUID(uuidString: text.trimmingCharacters(in: .whitespaces))
            case .URIAttributeType: URL(string: text)
            case .binaryDataAttributeType, .transformableAttributeType: Data(base64Encoded: text)
            case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: nil
            }
        guard let found else { throw mistake(value, attribute) }
        return found
    }

    private static func integer(_ text: String) -> Int64? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let number = Int64(text) { return number }
        // 3.0 and 1e3 are integers too.
        return Double(text).flatMap { Int64(exactly: $0) }
    }

    private static func double(_ text: String) -> Double? { Double(text.trimmingCharacters(in: .whitespaces)) }

    /// Nil for a number that is too large.
    private static func float(_ number: Double) -> Float? {
        let float = Float(number)
        return float.isInfinite && number.isFinite ? nil : float
    }

    private static func decimal(_ text: String) -> NSDecimalNumber? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if text == "NaN" { return NSDecimalNumber.notANumber }
        guard Double(text)?.isFinite == true, let decimal = Decimal(string: text), decimal.isFinite else { return nil }
        return NSDecimalNumber(decimal: decimal)
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text.trimmingCharacters(in: .whitespaces).lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }

    private static func mistake(_ value: ImportValue, _ attribute: NSAttributeDescription) -> ImportMistake {
        var text = "\(value.kind) is no \(AttributeOutline(attribute: attribute).typeName)"
        switch attribute.attributeType {
        case .binaryDataAttributeType, .transformableAttributeType: text += " in Base64"
        case .dateAttributeType: text += ". Write \"2026-11-17\" or \"2026-11-17T08:30:00Z\", in UTC"
        case .booleanAttributeType: text += ". Write true or false"
        case .undefinedAttributeType, .objectIDAttributeType: text += ", a type whose values files can't have"
        default: break
        }
        return ImportMistake(text)
    }
}

extension NSAttributeType {
    fileprivate var isNumeric: Bool {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .decimalAttributeType:
            true
        default: false
        }
    }
}
