// SPDX-License-Identifier: Apache-2.0

/// A hash set of values of any type. Two values are the same element if `Values.equal` says so.
struct ValueSet {
    private var buckets: [Int: [Any]] = [:]

    init() {}

    init(_ values: [Any]) {
        buckets.reserveCapacity(values.count)
        for value in values { insert(value) }
    }

    /// Adds a value.
    ///
    /// - Returns: false if the set contains an equal value already.
    @discardableResult
    mutating func insert(_ value: Any) -> Bool {
        let key = Self.bucket(of: value)
        if buckets[key]?.contains(where: { Values.equal($0, value) }) == true { return false }
        buckets[key, default: []].append(value)
        return true
    }

    func contains(_ value: Any) -> Bool {
        buckets[Self.bucket(of: value)]?.contains { Values.equal($0, value) } ?? false
    }

    /// The hash of a value. Equal values have the same hash.
    static func bucket(of value: Any) -> Int {
        let value = (value as? any ComparableByIdentity)?.comparisonIdentity ?? value
        if let string = value as? String { return string.hashValue }
        if let number = Numbers.number(value) { return bucket(of: number) }
        if let date = value as? Date { return date.hashValue }
        if let uuid = value as? UUID { return uuid.hashValue }
        if let data = value as? Data { return data.hashValue }
        // On Linux, Foundation's NSNull objects are equal but have different hashes.
        if Values.elements(of: value) != nil || value is NSNull { return 0 }
        if let object = value as? NSObject { return object.hash }
        return (value as? AnyHashable)?.hashValue ?? 0
    }

    /// A decimal equals the double with the same shortest text. `doubleValue` may give the neighbour of that double.
    private static func bucket(of number: NSNumber) -> Int {
        if case .decimal(let value) = Numbers.Exact(number), let double = Double(value.description) {
            return double.hashValue
        }
        return number.doubleValue.hashValue
    }
}

/// The members of a list in a predicate. They are hashed at the first lookup: stores that translate the predicate to
/// SQL make none.
final class ListMembers: @unchecked Sendable {
    // Sendable: the list never changes, and a lock protects the set.
    private enum State {
        case unknown
        case hashed(ValueSet)
        /// The identity of a member may change during the predicate's lifetime: the first save gives a managed object
        /// another object ID.
        case unhashable
    }

    /// In shorter lists a linear search is as fast.
    static let minimumCount = 12

    private let list: [Any]
    private let state = Locked(State.unknown)

    init(_ list: [Any]) {
        self.list = list
    }

    /// Whether the list contains a value; nil if the caller must search the list.
    func contains(_ value: Any) -> Bool? {
        state.withLock { state in
            if case .unknown = state { state = list.allSatisfy(Self.isPlain) ? .hashed(ValueSet(list)) : .unhashable }
            if case .hashed(let set) = state { return set.contains(value) }
            return nil
        }
    }

    private static func isPlain(_ value: Any) -> Bool {
        if let identified = value as? any StableIdentity { return identified.isIdentityStable }
        return value is String || value is NSNumber || value is Date || value is UUID || value is Data
            || value is NSNull
    }
}

/// A value that is compared by an identity, and whose identity may change.
package protocol StableIdentity {
    /// True if the identity will never change again.
    var isIdentityStable: Bool { get }
}

/// An optional value as a key of groups. Two keys are equal if predicates compare their values as equal.
package struct ValueKey: Hashable {
    private let value: Any?

    package init(_ value: Any?) { self.value = value }

    package static func == (one: ValueKey, two: ValueKey) -> Bool { Values.equal(one.value, two.value) }

    package func hash(into hasher: inout Hasher) { hasher.combine(Values.unwrap(value).map(ValueSet.bucket) ?? 0) }
}

extension Values {
    /// The elements of a collection and of the collections in it, without missing values; nil for other values.
    ///
    /// Elements of nested collections come once each, like the objects at the end of a path across several
    /// relationships.
    static func flattenedElements(by collection: Any?) -> [Any]? {
        let elements = elements(of: collection)?.compactMap(unwrap)
        guard let elements, Self.elements(of: elements.first) != nil else { return elements }
        return distinct(elements.flatMap(leaves))
    }

    private static func leaves(of value: Any) -> [Any] {
        guard let elements = elements(of: value) else { return [value] }
        return elements.compactMap(unwrap).flatMap(leaves)
    }

    /// The values as a set, without duplicates.
    ///
    /// A set needs hashes, which Foundation's own decimal numbers don't have on Linux. There, moreover, an integer
    /// equals a subclass's decimal that begins with its digits, 0 equals 0.5, and a set would lose one of them. So in a
    /// set with decimals all whole numbers are decimals.
    static func set(_ values: [Any]) -> NSSet {
        let values = distinct(values)
        guard values.contains(where: { $0 is NSDecimalNumber || $0 is Decimal }) else { return NSSet(array: values) }
        return NSSet(
            array: values.map { value in
                guard let number = Numbers.number(value), !(number is HashableDecimalNumber) else { return value }
                if let decimal = number as? NSDecimalNumber {
                    return HashableDecimalNumber(decimal: decimal.decimalValue)
                }
                if case .integer = Numbers.Exact(number), let decimal = Numbers.Exact(number).decimal {
                    return HashableDecimalNumber(decimal: decimal)
                }
                return value
            })
    }

    /// The values without duplicates, in their order. On Linux, Foundation's ordered sets don't remove equal Swift
    /// strings.
    package static func distinct(_ values: [Any]) -> [Any] {
        var seen = ValueSet()
        return values.filter { seen.insert($0) }
    }
}
