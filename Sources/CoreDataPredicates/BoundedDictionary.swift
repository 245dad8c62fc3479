// SPDX-License-Identifier: Apache-2.0

/// A dictionary that removes all entries when it has no place for a new key. Entries that are used often are soon in it
/// again.
///
/// It serves values that are made once and used many times, for any number of keys.
@usableFromInline package struct BoundedDictionary<Key: Hashable, Value> {
    @usableFromInline let capacity: Int
    @usableFromInline var values: [Key: Value] = [:]

    /// - Parameter capacity: the maximal number of keys.
    @inlinable package init(capacity: Int) { self.capacity = capacity }

    /// The number of keys.
    @inlinable package var count: Int { values.count }

    @inlinable package subscript(key: Key) -> Value? {
        get { values[key] }
        set {
            guard let newValue else {
                values[key] = nil
                return
            }
            if values.count >= capacity, values[key] == nil { values.removeAll(keepingCapacity: true) }
            values[key] = newValue
        }
    }

    /// The value of a key, made if there is none.
    @inlinable package mutating func value(_ key: Key, _ make: () throws -> Value) rethrows -> Value {
        if let known = values[key] { return known }
        let new = try make()
        self[key] = new
        return new
    }
}
