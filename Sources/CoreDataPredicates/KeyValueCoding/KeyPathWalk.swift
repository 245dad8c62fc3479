/// Reads values along key paths, as key-value coding does: single objects give their value, collections the collection
/// of their elements' values, and `@operators` gather a collection into one value.
package enum KeyPathWalk {
    /// The keys of a key path.
    package static func split(_ keyPath: String) -> [String] {
        keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// The value at the end of a path. The receiver's own `value(forKeyPath:)` is for users; the walk never asks it.
    package static func value(of receiver: Any?, path: ArraySlice<String>) -> Any? {
        var current = Values.unwrap(receiver)
        var rest = path
        while let key = rest.first {
            guard let object = current else { return emptyResult(of: rest) }
            rest = rest.dropFirst()
            if key.hasPrefix("@"), let gathering = CollectionOperator(rawValue: String(key.dropFirst())),
                let elements = Values.elements(of: object)
            {
                return gathering.value(of: elements, path: rest)
            }
            current = value(of: object, key: key)
        }
        return current
    }

    /// A missing collection counts as an empty one.
    private static func emptyResult(of path: ArraySlice<String>) -> Any? {
        guard let last = path.last, path.contains(where: { $0.hasPrefix("@") }) else { return nil }
        guard last == "@count" || path.dropLast().last == "@sum" else { return nil }
        return NSNumber(value: 0)
    }

    /// The value of one object for one key.
    package static func value(of object: Any, key: String) -> Any? {
        if let coding = object as? any KeyValueCoding { return Values.unwrap(coding.value(forKey: key)) }
        if key == "self" || key == "SELF" { return object }
        // Asked by type first, since a cast to NSDictionary would convert the whole dictionary.
        if type(of: object) == [String: Any].self, !key.hasPrefix("@") {
            return Values.unwrap((object as? [String: Any])?[key])
        }
        switch object {
        case let dictionary as NSDictionary:
            return value(of: dictionary, key: key)
        case let string as String:
            return value(of: string, key: key, in: object)
        default:
            break
        }
        if let elements = Values.elements(of: object) { return map(elements, of: object, key: key) }
        if let property = property(key, of: object) { return property }
        if key == "description" { return String(describing: object) }
        programmingError(
            """
            \(type(of: object)) isn't key-value coding compliant for the key "\(key)". Let the type adopt \
            KeyValueCoding and answer the key, or mend the key path.
            """)
    }

    /// A dictionary's values; after `@` come its own properties.
    private static func value(of dictionary: NSDictionary, key: String) -> Any? {
        switch key {
        case "@allKeys": dictionary.allKeys as NSArray
        case "@allValues": dictionary.allValues as NSArray
        default: Values.unwrap(dictionary.object(forKey: key as NSString))
        }
    }

    /// The keys that strings answer.
    package static let keysOfStrings: Set<String> = [
        "length", "lowercaseString", "uppercaseString", "capitalizedString", "description", "intValue", "integerValue",
        "doubleValue",
        "floatValue", "boolValue",
    ]

    /// The part of a string that may be a number: Foundation on Linux stops the program at characters outside the basic
    /// plane.
    private static func number(_ string: String) -> NSString {
        String(String.UnicodeScalarView(string.unicodeScalars.prefix { $0.isASCII && $0.value > 0 })) as NSString
    }

    /// Strings answer the few keys that predicates use.
    private static func value(of string: String, key: String, in object: Any) -> Any? {
        switch key {
        case "length": return NSNumber(value: string.utf16.count)
        case "lowercaseString": return string.lowercased()
        case "uppercaseString": return string.uppercased()
        case "capitalizedString": return string.capitalized
        case "description": return string
        case "intValue", "integerValue": return NSNumber(value: number(string).integerValue)
        case "doubleValue", "floatValue": return NSNumber(value: number(string).doubleValue)
        case "boolValue": return NSNumber(value: number(string).boolValue)
        default:
            programmingError(
                """
                A string isn't key-value coding compliant for the key "\(key)"; it knows length, lowercaseString and \
                the like. Mend the key path.
                """)
        }
    }

    /// The elements' values: a set for a set, an array for anything else. Arrays keep null for a missing value, sets
    /// drop it.
    private static func map(_ elements: [Any], of collection: Any, key: String) -> Any {
        if Values.isUnordered(collection) {
            return NSSet(array: Values.distinct(elements.compactMap { value(of: $0, path: [key]) }))
        }
        let values = elements.map { value(of: $0, path: [key]) ?? NSNull() }
        return collection is NSOrderedSet ? NSOrderedSet(array: Values.distinct(values)) : values as NSArray
    }
}
