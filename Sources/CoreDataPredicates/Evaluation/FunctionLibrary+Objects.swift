extension FunctionLibrary {
    /// Functions of any value.
    static let objects: [String: LibraryFunction] = [
        "now": LibraryFunction(argumentCount: 0) { _ in Date() },
        "noindex:": LibraryFunction(argumentCount: 1) { Values.unwrap($0[0]) },
        "castObject:toType:": LibraryFunction(argumentCount: 2) { cast($0[0], to: $0[1]) },
        "objectFrom:withIndex:": LibraryFunction(argumentCount: 2) { element(of: $0[0], at: $0[1]) },
    ]

    /// The names of types that `CAST` knows, Foundation's first.
    package static let castTypes = [
        "NSDate", "NSString", "NSNumber", "NSDecimalNumber", "NSUUID", "NSURL", "NSData", "Date", "String", "Double",
        "Float", "Int",
        "NSInteger", "Decimal", "UUID", "URL", "Data",
    ]

    /// The value as an instance of a class of Foundation's, nil if it has no such form.
    package static func cast(_ value: Any?, to type: Any?) -> Any? {
        guard let value = Values.unwrap(value) else { return nil }
        guard let type = type as? String else {
            programmingError("CAST needs the name of a class as a string, for example CAST(price, \"NSString\").")
        }
        switch type {
        case "NSDate", "Date": return date(value)
        case "NSString", "String": return PredicateText.plain(value)
        case "NSNumber", "Double", "Float", "Int", "NSInteger": return number(value)
        case "NSDecimalNumber", "Decimal": return decimal(value)
        case "NSUUID", "UUID": return value as? UUID ?? (value as? String).flatMap(UUID.init(uuidString:))
        case "NSURL", "URL": return value as? URL ?? (value as? String).flatMap(URL.init(string:))
        case "NSData", "Data": return value as? Data ?? (value as? String).flatMap { Data(base64Encoded: $0) }
        default:
            programmingError(
                "CAST doesn't know the type \"\(type)\". It knows \(castTypes.joined(separator: ", ")).")
        }
    }

    private static func decimal(_ value: Any) -> NSDecimalNumber? {
        if let text = value as? String { return Decimal(string: text).map { HashableDecimalNumber(decimal: $0) } }
        return number(value).flatMap { Numbers.Exact($0).decimal }.map { HashableDecimalNumber(decimal: $0) }
    }

    private static func date(_ value: Any) -> Date? {
        if let date = value as? Date { return date }
        return number(value).map { Date(timeIntervalSinceReferenceDate: $0.doubleValue) }
    }

    private static func number(_ value: Any) -> NSNumber? {
        if let number = Numbers.number(value) { return number }
        if let date = value as? Date { return NSNumber(value: date.timeIntervalSinceReferenceDate) }
        guard let text = value as? String else { return nil }
        if let integer = Int64(text) { return NSNumber(value: integer) }
        return Double(text).map { NSNumber(value: $0) }
    }

    /// The element of an array at an index, the value of a dictionary for a key, or what a symbolic index names.
    private static func element(of collection: Any?, at index: Any?) -> Any? {
        guard let collection = Values.unwrap(collection), let index = Values.unwrap(index) else { return nil }
        if let dictionary = collection as? NSDictionary, !(index is CollectionIndex) {
            return Values.unwrap(dictionary.object(forKey: index))
        }
        guard let elements = Values.elements(of: collection) else { return nil }
        if let symbol = index as? CollectionIndex {
            switch symbol {
            case .first: return Values.unwrap(elements.first)
            case .last: return Values.unwrap(elements.last)
            case .size: return NSNumber(value: elements.count)
            }
        }
        guard let place = Numbers.number(index)?.intValue, elements.indices.contains(place) else { return nil }
        return Values.unwrap(elements[place])
    }
}

/// The symbolic indexes of `[FIRST]`, `[LAST]` and `[SIZE]`.
package enum CollectionIndex: String, Sendable {
    case first = "FIRST"
    case last = "LAST"
    case size = "SIZE"
}
