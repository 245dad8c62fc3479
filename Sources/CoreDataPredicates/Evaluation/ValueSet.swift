/// Values of any kind, found by hash: `contains` agrees with `Values.equal`.
struct ValueSet {
    private var buckets: [Int: [Any]] = [:]

    init() {}

    init(_ values: [Any]) {
        buckets.reserveCapacity(values.count)
        for value in values { insert(value) }
    }

    /// - Returns: false if an equal value was there.
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

    /// Equal values share a bucket.
    static func bucket(of value: Any) -> Int {
        let value = (value as? any ComparableByIdentity)?.comparisonIdentity ?? value
        if let string = value as? String { return string.hashValue }
        if let number = Numbers.number(value) { return bucket(of: number) }
        if let date = value as? Date { return date.hashValue }
        if let uuid = value as? UUID { return uuid.hashValue }
        if let data = value as? Data { return data.hashValue }
        // Foundation's nulls are equal on Linux, but have different hashes.
        if Values.elements(of: value) != nil || value is NSNull { return 0 }
        if let object = value as? NSObject { return object.hash }
        return (value as? AnyHashable)?.hashValue ?? 0
    }

    /// A decimal equals the double whose shortest text is its own; `doubleValue` may be the one beside it.
    private static func bucket(of number: NSNumber) -> Int {
        if case .decimal(let value) = Numbers.Exact(number), let double = Double(value.description) {
            return double.hashValue
        }
        return number.doubleValue.hashValue
    }
}

/// The members of a list in a predicate, hashed at the first look-up: stores that translate the predicate never ask.
final class ListMembers: @unchecked Sendable {
    // Sendable: the list never changes, and the set is reached under its lock only.
    private enum State {
        case unknown
        case hashed(ValueSet)
        /// Objects may change what they are equal to while the predicate lives, as managed objects do when they are
        /// first saved.
        case unhashable
    }

    /// Shorter lists are searched as quickly.
    static let least = 12

    private let list: [Any]
    private let state = Locked(State.unknown)

    init(_ list: [Any]) {
        self.list = list
    }

    /// Whether the list holds a value; nil if it must be searched.
    func contains(_ value: Any) -> Bool? {
        state.withLock { state in
            if case .unknown = state { state = list.allSatisfy(Self.isPlain) ? .hashed(ValueSet(list)) : .unhashable }
            if case .hashed(let set) = state { return set.contains(value) }
            return nil
        }
    }

    private static func isPlain(_ value: Any) -> Bool {
        if let identified = value as? any LastingIdentity { return identified.identityLasts }
        return value is String || value is NSNumber || value is Date || value is UUID || value is Data
            || value is NSNull
    }
}

/// A value that is equal to others by an identity, and says whether that may still change.
package protocol LastingIdentity {
    /// True if what the value is equal to, and its hash, will never change.
    var identityLasts: Bool { get }
}
