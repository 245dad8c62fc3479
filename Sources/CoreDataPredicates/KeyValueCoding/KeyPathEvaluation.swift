// SPDX-License-Identifier: Apache-2.0

/// Evaluates key paths by the rules of key-value coding: an object gives its value, a collection gives the collection
/// of its elements' values, and an `@operator` gives one value for a collection.
package enum KeyPathEvaluation {
    /// The keys of a key path.
    package static func split(_ keyPath: String) -> [String] {
        // Most key paths are one key.
        if !keyPath.utf8.contains(UInt8(ascii: ".")) { return [keyPath] }
        return keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// The value at the end of a path. The receiver's own `value(forKeyPath:)` is not called.
    package static func value(of receiver: Any?, path: ArraySlice<String>) -> Any? {
        var current = Values.unwrap(receiver)
        var rest = path
        while let key = rest.first {
            guard let object = current else { return emptyResult(of: rest) }
            rest = rest.dropFirst()
            if key.hasPrefix("@"), let collectionOperator = CollectionOperator(rawValue: String(key.dropFirst())),
                let elements = Values.elements(of: object)
            {
                return collectionOperator.value(of: elements, path: rest)
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
        // The type is compared first, since a cast to NSDictionary would convert all entries.
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
            \(type(of: object)) isn't key-value coding compliant for the key "\(key)". Conform the type to \
            KeyValueCoding and return a value for the key, or correct the key path.
            """)
    }

    /// The value of a dictionary for a key; `@allKeys` and `@allValues` are its properties.
    private static func value(of dictionary: NSDictionary, key: String) -> Any? {
        switch key {
        case "@allKeys": dictionary.allKeys as NSArray
        case "@allValues": dictionary.allValues as NSArray
        default: Values.unwrap(dictionary.object(forKey: key as NSString))
        }
    }

    /// The keys for which strings have a value.
    package static let stringKeys: Set<String> = [
        "length", "lowercaseString", "uppercaseString", "capitalizedString", "description", "intValue", "integerValue",
        "doubleValue",
        "floatValue", "boolValue",
    ]

    /// The ASCII prefix of a string, which contains its number. On Linux, Foundation stops the program at characters
    /// outside the basic plane.
    private static func number(_ string: String) -> NSString {
        String(String.UnicodeScalarView(string.unicodeScalars.prefix { $0.isASCII && $0.value > 0 })) as NSString
    }

    /// The value of a string for one of ``stringKeys``.
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
                A string isn't key-value coding compliant for the key "\(key)". Use one of \
                \(stringKeys.sorted().joined(separator: ", ")), or correct the key path.
                """)
        }
    }

    /// The values of the elements: a set for a set, else an array. An array has `NSNull` for a missing value; a set
    /// leaves it out.
    private static func map(_ elements: [Any], of collection: Any, key: String) -> Any {
        if Values.isUnordered(collection) {
            return Values.set(elements.compactMap { value(of: $0, path: [key]) })
        }
        let values = elements.map { value(of: $0, path: [key]) ?? NSNull() }
        return collection is NSOrderedSet ? NSOrderedSet(array: Values.distinct(values)) : values as NSArray
    }
}

/// An object that knows the properties at its key paths from its entity, also where a value is nil.
package protocol KeyPathInspecting {
    /// True if the path crosses or ends at a to-many relationship.
    func crossesToManyRelationship(_ path: ArraySlice<String>) -> Bool
}

extension KeyPathEvaluation {
    /// The values at the end of a path, one for each path through its collections; nil for a path with a collection
    /// operator.
    static func leaves(of receiver: Any?, path: ArraySlice<String>) -> [Any?]? {
        if path.contains(where: { $0.hasPrefix("@") }) { return nil }
        var leaves: [Any?] = []
        collect(Values.unwrap(receiver), path, inCollection: false, into: &leaves)
        return leaves
    }

    private static func collect(
        _ value: Any?, _ path: ArraySlice<String>, inCollection: Bool, into leaves: inout [Any?]
    ) {
        if let value, !(value is any KeyValueCoding), let elements = Values.elements(of: value),
            !(value is NSDictionary && !path.isEmpty)
        {
            for element in elements { collect(Values.unwrap(element), path, inCollection: true, into: &leaves) }
            return
        }
        guard let key = path.first else {
            // A nil collection has no elements, but a nil value of an element is one of the values.
            if value != nil || inCollection { leaves.append(value) }
            return
        }
        guard let value else {
            if inCollection { leaves.append(nil) }
            return
        }
        let rest = path.dropFirst()
        let next = self.value(of: value, key: key)
        // A nil on the way to a collection stands for an empty collection, else for a missing value.
        if next == nil, (value as? any KeyPathInspecting)?.crossesToManyRelationship(path) == true { return }
        collect(next, rest, inCollection: inCollection, into: &leaves)
    }
}
