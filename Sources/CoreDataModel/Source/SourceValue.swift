// SPDX-License-Identifier: Apache-2.0

/// Values that are not strings, as source elements of the text notation: the attribute `type` beside `value`, and
/// elements as children.
enum SourceValue {
    /// The names of types in the text notation.
    enum Kind: String, CaseIterable {
        case text, integer, real, float, boolean, decimal, date, data, uuid, uri, null, list, dictionary
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
        switch Kind(rawValue: name) {
        case .text: return text
        case .integer: return Int64(text).map { NSNumber(value: $0) } ?? UInt64(text).map { NSNumber(value: $0) }
        case .real: return Double(text).map { NSNumber(value: $0) }
        case .float: return Float(text).map { NSNumber(value: $0) }
        case .boolean: return text == "yes" ? NSNumber(value: true) : text == "no" ? NSNumber(value: false) : nil
        case .decimal:
            let number = NSDecimalNumber(string: text, locale: Locale(identifier: "en_US_POSIX"))
            return number.decimalValue.isNaN && text != "NaN" ? nil : number
        case .date: return Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
        case .data: return Data(base64Encoded: text)
        case .uuid: return UUID(uuidString: text)
        case .uri: return URL(string: text)
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
        case nil: return nil
        }
    }

    private static func scalar(_ value: Any) -> (Kind, String)? {
        switch value {
        case let decimal as NSDecimalNumber: return (.decimal, decimal.stringValue)
        case let number as NSNumber: return self.number(number)
        case let decimal as Decimal: return (.decimal, NSDecimalNumber(decimal: decimal).stringValue)
        case let date as Date where date.timeIntervalSinceReferenceDate.isFinite:
            return (.date, SourceText.real(date.timeIntervalSinceReferenceDate))
        case let data as Data: return (.data, data.base64EncodedString())
        case let uuid as UUID: return (.uuid, uuid.uuidString)
        case let url as URL: return (.uri, url.absoluteString)
        case is NSNull: return (.null, "")
        default: return nil
        }
    }

    /// On Linux Foundation uses "c" for Booleans only. Its small integers are "i" and wider.
    private static func number(_ number: NSNumber) -> (Kind, String) {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "B"), UInt8(ascii: "c"): return (.boolean, number.boolValue ? "yes" : "no")
        case UInt8(ascii: "f"): return (.float, number.floatValue.description)
        case UInt8(ascii: "d"): return (.real, number.doubleValue.description)
        case UInt8(ascii: "Q"): return (.integer, String(number.uint64Value))
        default: return (.integer, String(number.int64Value))
        }
    }
}
