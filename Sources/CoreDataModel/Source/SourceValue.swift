// SPDX-License-Identifier: Apache-2.0

/// Values that are not strings, as source elements of the text notation: the attribute `type` beside `value`, and
/// elements as children.
enum SourceValue {
    /// The names of types in the text notation.
    enum Kind: String, CaseIterable {
        case text, integer, real, float, boolean, decimal, date, data, uuid, uri, null, list, dictionary

        /// The type of attributes with such values.
        var type: NSAttributeType? {
            switch self {
            case .text: .stringAttributeType
            case .integer: .integer64AttributeType
            case .real: .doubleAttributeType
            case .float: .floatAttributeType
            case .boolean: .booleanAttributeType
            case .decimal: .decimalAttributeType
            case .date: .dateAttributeType
            case .data: .binaryDataAttributeType
            case .uuid: .UUIDAttributeType
            case .uri: .URIAttributeType
            case .null, .list, .dictionary: nil
            }
        }
    }

    /// The greatest depth of lists and dictionaries in a file.
    static let depthLimit = 32

    /// An element for a value: a string, number, date, data, UUID, URL, or a list or dictionary of these.
    ///
    /// - Returns: nil for a value without a text form.
    static func element(_ name: String, key: String? = nil, _ value: Any, depth: Int = 0) -> SourceElement? {
        guard depth < depthLimit else { return nil }
        if let text = value as? String { return SourceElement(name, [("key", key), ("value", text)]) }
        if let (kind, text) = scalar(value) {
            return SourceElement(name, [("key", key), ("type", kind.rawValue), ("value", text)])
        }
        var children: [SourceElement] = []
        if let list = value as? [Any] {
            for item in list {
                guard let child = element("item", item, depth: depth + 1) else { return nil }
                children.append(child)
            }
            return SourceElement(name, [("key", key), ("type", Kind.list.rawValue)], children: children)
        }
        guard let dictionary = value as? [AnyHashable: Any], let entries = entries(dictionary, depth: depth + 1) else {
            return nil
        }
        return SourceElement(name, [("key", key), ("type", Kind.dictionary.rawValue)], children: entries)
    }

    /// An argument of the predicate in an attribute.
    static func element(_ name: String, _ value: Any, of attribute: String) -> SourceElement? {
        element(name, value).map { element in
            SourceElement(
                name, [("of", attribute)] + element.attributes.map { ($0.name, $0.value) }, children: element.children)
        }
    }

    /// The entries of a dictionary with string keys, sorted by key; nil if a value has no text form.
    static func entries(_ dictionary: [AnyHashable: Any], depth: Int = 0) -> [SourceElement]? {
        var entries: [(key: String, element: SourceElement)] = []
        for (key, value) in dictionary {
            guard let key = key.base as? String, let child = element("entry", key: key, value, depth: depth) else {
                return nil
            }
            entries.append((key, child))
        }
        return entries.sortedBytewise { $0.key }.map(\.element)
    }

    /// The value of an element; nil if the text is not of the element's type.
    static func read(_ element: SourceElement) -> Any? {
        let text = element["value"] ?? ""
        guard let name = element["type"] else { return text }
        guard let kind = Kind(rawValue: name) else { return nil }
        switch kind {
        case .date: return SourceText.value(of: text, type: .dateAttributeType)
        // These numbers are no values of attributes.
        case .integer where Int64(text) == nil && UInt64(text) != nil: return UInt64(text).map { NSNumber(value: $0) }
        case .real where text == "nan": return NSNumber(value: Double.nan)
        case .float where text == "nan": return NSNumber(value: Float.nan)
        case .null: return NSNull()
        case .list:
            let items = element.children.map(read)
            return items.contains { $0 == nil } ? nil : items.compactMap { $0 }
        case .dictionary:
            var dictionary: [AnyHashable: Any] = [:]
            for entry in element.children {
                guard let key = entry["key"], let value = read(entry) else { return nil }
                dictionary[key] = value
            }
            return dictionary
        default: return kind.type.flatMap { try? AttributeText.value(of: text, type: $0) }
        }
    }

    private static func scalar(_ value: Any) -> (Kind, String)? {
        guard let kind = kind(of: value) else { return nil }
        let text: String? =
            switch kind {
            case .null: ""
            case .boolean: (value as? NSNumber).map { $0.boolValue ? "yes" : "no" }
            case .integer: (value as? NSNumber)?.stringValue
            case .date: SourceText.text(of: value, type: .dateAttributeType)
            default: kind.type.flatMap { AttributeText.text(of: value, type: $0) }
            }
        return text.map { (kind, $0) }
    }

    private static func kind(of value: Any) -> Kind? {
        switch value {
        case is NSDecimalNumber: .decimal
        case let number as NSNumber:
            // On Linux Foundation uses "c" for Booleans only. Its small integers are "i" and wider.
            switch UInt8(bitPattern: number.objCType.pointee) {
            case UInt8(ascii: "B"), UInt8(ascii: "c"): .boolean
            case UInt8(ascii: "f"): .float
            case UInt8(ascii: "d"): .real
            default: .integer
            }
        case is Date: .date
        case is Data: .data
        case is UUID: .uuid
        case is URL: .uri
        case is NSNull: .null
        default: nil
        }
    }
}
