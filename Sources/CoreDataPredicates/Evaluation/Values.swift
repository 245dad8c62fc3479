// SPDX-License-Identifier: Apache-2.0

/// Operations of predicates on values of unknown type: unwrapping, elements, equality and order.
package enum Values {
    /// The value without optionals. Nil for `NSNull` and for an optional in an `Any` that is nil.
    package static func unwrap(_ value: Any?) -> Any? {
        guard let value else { return nil }
        // A comparison of types is many times cheaper than a failing cast, and nearly every value has one of these.
        let type = type(of: value)
        if type == String.self || type == NSNumber.self { return value }
        if type is AnyClass { return value is NSNull ? nil : value }
        if let optional = value as? any OptionalValue { return unwrap(optional.wrappedValue) }
        return value
    }

    /// The elements of a collection, nil for anything else. A dictionary's elements are its values.
    package static func elements(of value: Any?) -> [Any]? {
        guard let value else { return nil }
        let type = type(of: value)
        if type == [Any].self { return value as? [Any] }
        if type == String.self || type == NSNumber.self { return nil }
        if type is AnyClass {
            return switch value {
            case let set as NSSet: set.allObjects
            case let array as NSArray: array.map { $0 }
            case let set as NSOrderedSet: set.array
            case let dictionary as NSDictionary: dictionary.allValues
            default: nil
            }
        }
        if let list = value as? any ListValue { return list.allElements }
        if let dictionary = value as? [AnyHashable: Any] { return Array(dictionary.values) }
        return nil
    }

    /// True for collections whose elements have no order.
    static func isUnordered(_ value: Any) -> Bool {
        value is NSSet || value is any SetValue
    }

    /// The equality of predicates: nil equals nil; numbers of all types are compared by value, strings by bytes,
    /// collections by elements, other objects by `isEqual`.
    package static func equal(_ one: Any?, _ two: Any?) -> Bool {
        guard let one = unwrap(one), let two = unwrap(two) else { return unwrap(one) == nil && unwrap(two) == nil }
        if type(of: one) == NSNumber.self, type(of: two) == NSNumber.self, let one = one as? NSNumber,
            let two = two as? NSNumber
        {
            return Numbers.compare(one, two) == .orderedSame
        }
        if let one = one as? String {
            guard let two = two as? String else { return false }
            return one.utf8.elementsEqual(two.utf8)
        }
        if let one = Numbers.number(one) {
            guard let two = Numbers.number(two) else { return false }
            return Numbers.compare(one, two) == .orderedSame
        }
        return equalObjects(one, two)
    }

    private static func equalObjects(_ one: Any, _ two: Any) -> Bool {
        let one = (one as? any ComparableByIdentity)?.comparisonIdentity ?? one
        let two = (two as? any ComparableByIdentity)?.comparisonIdentity ?? two
        if let one = one as? Date { return (two as? Date) == one }
        // Foundation on Linux compares them as objects byte by byte, which takes 0.1 µs each.
        if type(of: one) == Data.self, type(of: two) == Data.self { return one as? Data == two as? Data }
        if let one = one as? NSObject, let two = two as? NSObject {
            if let one = one as? NSDictionary { return equalDictionaries(one, two as? NSDictionary) }
            if !isComparedByElements(one), one.isEqual(two) { return true }
            // An object of the program may stand for another one, and say so.
            if type(of: one) != type(of: two), !isComparedByElements(two), two.isEqual(one) { return true }
        }
        if let ones = elements(of: one), let twos = elements(of: two) { return equalElements(ones, twos, one, two) }
        if let one = one as? AnyHashable, let two = two as? AnyHashable { return one == two }
        return (one as AnyObject) === (two as AnyObject)
    }

    /// On Linux, Foundation's comparison of dictionaries stops the program if a key is no string.
    private static func equalDictionaries(_ one: NSDictionary, _ two: NSDictionary?) -> Bool {
        guard let two, let ones = one as? [AnyHashable: Any], let twos = two as? [AnyHashable: Any] else {
            return false
        }
        return ones.count == twos.count
            && ones.allSatisfy { key, value in
                // On Linux, NSNull objects are equal but have different hashes.
                let other = twos[key] ?? twos.first { equal($0.key.base, key.base) }?.value
                return other.map { equal(value, $0) } ?? false
            }
    }

    /// On Linux, Foundation's comparison of ordered sets stops the program if their counts differ, and so do the
    /// comparisons of collections that contain ordered sets. Foundation compares sets of other objects, as it looks up
    /// their elements by hash.
    private static func isComparedByElements(_ object: NSObject) -> Bool {
        if object is NSArray || object is NSOrderedSet { return true }
        guard let set = object as? NSSet else { return false }
        return set.allObjects.contains { $0 is NSDictionary || $0 is NSArray || $0 is NSSet || $0 is NSOrderedSet }
    }

    private static func equalElements(_ ones: [Any], _ twos: [Any], _ one: Any, _ two: Any) -> Bool {
        guard ones.count == twos.count else { return false }
        if isUnordered(one) || isUnordered(two) {
            guard isUnordered(one), isUnordered(two) else { return false }
            let members = ValueSet(twos)
            return ones.allSatisfy(members.contains)
        }
        return zip(ones, twos).allSatisfy { equal($0, $1) }
    }

    /// The order of two values; nil if one is missing or their types can't be compared.
    package static func order(_ one: Any?, _ two: Any?) -> ComparisonResult? {
        guard let one = unwrap(one), let two = unwrap(two) else { return nil }
        if type(of: one) == NSNumber.self, type(of: two) == NSNumber.self, let one = one as? NSNumber,
            let two = two as? NSNumber
        {
            return Numbers.compare(one, two)
        }
        if let one = one as? String {
            guard let two = two as? String else { return nil }
            return Strings.order(one, two)
        }
        if let one = Numbers.number(one) {
            guard let two = Numbers.number(two) else { return nil }
            return Numbers.compare(one, two)
        }
        if let one = one as? Date {
            guard let two = two as? Date else { return nil }
            return one.compare(two)
        }
        if let one = one as? UUID, let two = two as? UUID { return Strings.order(one.uuidString, two.uuidString) }
        if let one = one as? URL, let two = two as? URL { return Strings.order(one.absoluteString, two.absoluteString) }
        if let one = one as? Data, let two = two as? Data {
            if one == two { return .orderedSame }
            return one.lexicographicallyPrecedes(two) ? .orderedAscending : .orderedDescending
        }
        if let one = one as? any Comparable { return order(comparable: one, two) }
        return (one as? any OrderedInPredicates)?.order(to: two)
    }

    private static func order<Value: Comparable>(comparable one: Value, _ two: Any) -> ComparisonResult? {
        guard let two = two as? Value else { return nil }
        return one == two ? .orderedSame : one < two ? .orderedAscending : .orderedDescending
    }

    /// The least (`.orderedAscending`) or greatest (`.orderedDescending`) of the values that can be compared with the
    /// first.
    static func extreme(of values: [Any], _ direction: ComparisonResult) -> Any? {
        guard var best = values.first else { return nil }
        for value in values.dropFirst() where order(value, best) == direction { best = value }
        return best
    }
}

/// A value that is compared by its identity: it equals another value with the same identity, and the identity itself.
/// The identity of a managed object is its object ID.
package protocol ComparableByIdentity {
    var comparisonIdentity: NSObject { get }
}

/// A value of a class that has an order in predicates, and no public one.
package protocol OrderedInPredicates {
    /// The order of the value and another one; nil if the two can't be compared.
    func order(to other: Any) -> ComparisonResult?
}

/// Finds an optional inside an `Any`.
private protocol OptionalValue {
    var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
    var wrappedValue: Any? { self }
}

/// Finds a Swift array or set of any element type inside an `Any`.
protocol ListValue {
    var allElements: [Any] { get }
}

/// Finds a Swift set of any element type inside an `Any`.
protocol SetValue: ListValue {}

extension Array: ListValue {
    var allElements: [Any] { map { $0 } }
}

extension Set: SetValue {
    var allElements: [Any] { map { $0 } }
}
