// SPDX-License-Identifier: Apache-2.0

extension FunctionLibrary {
    /// Functions of any value.
    static let objects: [String: LibraryFunction] = [
        "now": LibraryFunction(argumentCount: 0) { _ in Date() },
        "noindex:": LibraryFunction(argumentCount: 1) { Values.unwrap($0[0]) },
        "castObject:toType:": LibraryFunction(argumentCount: 2) { cast($0[0], to: $0[1]) },
        "objectFrom:withIndex:": LibraryFunction(argumentCount: 2) { element(of: $0[0], at: $0[1]) },
    ]

    /// The type names for `CAST`, Foundation's first.
    package static let castTypes = [
        "NSDate", "NSString", "NSNumber", "NSDecimalNumber", "NSUUID", "NSURL", "NSData", "Date", "String", "Double",
        "Float", "Int",
        "NSInteger", "Decimal", "UUID", "URL", "Data",
    ]

    /// The value converted to a type.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - type: one of ``castTypes``. Another value stops the program.
    /// - Returns: nil if the value can't be converted.
    package static func cast(_ value: Any?, to type: Any?) -> Any? {
        guard let value = Values.unwrap(value) else { return nil }
        guard let type = type as? String else {
            programmingError("CAST needs the name of a type as a string, for example CAST(price, \"NSString\").")
        }
        switch type {
        case "NSDate", "Date": return date(value)
        case "NSString", "String": return PredicateText.unquoted(value)
        case "NSNumber", "Double", "Float", "Int", "NSInteger": return number(value)
        case "NSDecimalNumber", "Decimal": return decimal(value)
        case "NSUUID", "UUID": return value as? UUID ?? (value as? String).flatMap(UUID.init(uuidString:))
        case "NSURL", "URL": return value as? URL ?? (value as? String).flatMap(URL.init(string:))
        case "NSData", "Data": return value as? Data ?? (value as? String).flatMap { Data(base64Encoded: $0) }
        default:
            programmingError(
                "CAST doesn't support the type \"\(type)\". Use one of \(castTypes.joined(separator: ", ")).")
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

    /// The element of an array at a numeric or symbolic index, or the value of a dictionary for a key.
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
        guard let position = Numbers.number(index)?.intValue, elements.indices.contains(position) else { return nil }
        return Values.unwrap(elements[position])
    }
}

/// The symbolic indexes of `[FIRST]`, `[LAST]` and `[SIZE]`.
package enum CollectionIndex: String, Sendable {
    case first = "FIRST"
    case last = "LAST"
    case size = "SIZE"
}

extension FunctionLibrary {
    /// Functions of strings.
    static let text: [String: LibraryFunction] = [
        "uppercase:": string { $0.uppercased() },
        "lowercase:": string { $0.lowercased() },
        "canonical:": string { Strings.fold($0, [.caseInsensitive, .diacriticInsensitive]) },
        "length:": string { NSNumber(value: $0.utf16.count) },
    ]

    private static func string(_ body: @escaping @Sendable (String) -> Any?) -> LibraryFunction {
        LibraryFunction(argumentCount: 1) { ($0[0] as? String).flatMap(body) }
    }
}

extension FunctionLibrary {
    /// Functions of geographic coordinates.
    static let coordinates: [String: LibraryFunction] = [
        "distanceToLocation:fromLocation:": LibraryFunction(argumentCount: 2) { arguments in
            guard let one = Coordinates(arguments[0]), let two = Coordinates(arguments[1]) else { return nil }
            return NSNumber(value: one.distance(to: two))
        }
    ]
}

/// Geographic coordinates. Without Core Location, each value with the keys `latitude` and `longitude`, in degrees,
/// gives them.
private struct Coordinates {
    let latitude: Double
    let longitude: Double

    init?(_ value: Any?) {
        guard let value = Values.unwrap(value),
            let latitude = Numbers.number(KeyPathEvaluation.value(of: value, key: "latitude")),
            let longitude = Numbers.number(KeyPathEvaluation.value(of: value, key: "longitude"))
        else { return nil }
        self.latitude = latitude.doubleValue * .pi / 180
        self.longitude = longitude.doubleValue * .pi / 180
    }

    /// Metres along the great circle of a sphere of the earth's mean radius.
    func distance(to other: Coordinates) -> Double {
        let alongLatitude = sin((other.latitude - latitude) / 2)
        let alongLongitude = sin((other.longitude - longitude) / 2)
        let chord =
            alongLatitude * alongLatitude + cos(latitude) * cos(other.latitude) * alongLongitude * alongLongitude
        return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
    }
}
