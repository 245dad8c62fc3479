// SPDX-License-Identifier: Apache-2.0

extension NSArray {
    /// The values of the elements for a key, as an `NSArray` with `NSNull` for a missing value.
    ///
    /// - Parameter key: the key, or a collection operator such as `@count`, which gives one value.
    public func value(forKey key: String) -> Any { KeyPathEvaluation.value(of: self, path: [key]) ?? NSNull() }

    /// The value at the end of a key path.
    ///
    /// - Parameter keyPath: keys separated by dots; may have collection operators such as `@sum.length`.
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathEvaluation.value(of: self, path: KeyPathEvaluation.split(keyPath)[...])
    }
}

extension NSSet {
    /// The values of the elements for a key, as an `NSSet` without missing values.
    ///
    /// - Parameter key: the key, or a collection operator such as `@count`, which gives one value.
    public func value(forKey key: String) -> Any { KeyPathEvaluation.value(of: self, path: [key]) ?? NSNull() }

    /// The value at the end of a key path.
    ///
    /// - Parameter keyPath: keys separated by dots; may have collection operators such as `@sum.length`.
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathEvaluation.value(of: self, path: KeyPathEvaluation.split(keyPath)[...])
    }
}

extension NSOrderedSet {
    /// The values of the elements for a key, as an `NSOrderedSet`.
    ///
    /// - Parameter key: the key, or a collection operator such as `@count`, which gives one value.
    public func value(forKey key: String) -> Any? { KeyPathEvaluation.value(of: self, path: [key]) }

    /// The value at the end of a key path.
    ///
    /// - Parameter keyPath: keys separated by dots; may have collection operators such as `@sum.length`.
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathEvaluation.value(of: self, path: KeyPathEvaluation.split(keyPath)[...])
    }
}

extension NSDictionary {
    /// The value at the end of a key path.
    ///
    /// - Parameter keyPath: keys separated by dots. The first is a key of the dictionary, or `@count`, `@allKeys` or
    ///   `@allValues`.
    /// - Returns: the value; `NSNull` if a dictionary contains `NSNull` at the end of the path.
    public func value(forKeyPath keyPath: String) -> Any? {
        let keys = KeyPathEvaluation.split(keyPath)
        if let value = KeyPathEvaluation.value(of: self, path: keys[...]) { return value }
        let owner = KeyPathEvaluation.value(of: self, path: keys.dropLast()) as? NSDictionary
        return keys.last.flatMap { owner?.object(forKey: $0 as NSString) }
    }
}

/// The collection operators of key paths: one value for a collection.
enum CollectionOperator: String {
    case count, sum, avg, min, max
    case unionOfObjects, distinctUnionOfObjects
    case unionOfArrays, distinctUnionOfArrays
    case unionOfSets, distinctUnionOfSets

    /// The value of the operator for the values of the elements at a path. Missing values are ignored.
    func value(of elements: [Any], path: ArraySlice<String>) -> Any? {
        if self == .count { return NSNumber(value: elements.count) }
        let values = path.isEmpty ? elements : elements.compactMap { KeyPathEvaluation.value(of: $0, path: path) }
        let present = values.compactMap(Values.unwrap)
        switch self {
        case .count: return NSNumber(value: elements.count)
        case .sum: return Numbers.sum(present)
        case .avg: return Numbers.average(present)
        case .min: return Values.extreme(of: present, .orderedAscending)
        case .max: return Values.extreme(of: present, .orderedDescending)
        case .unionOfObjects: return present as NSArray
        case .distinctUnionOfObjects: return Values.distinct(present) as NSArray
        case .unionOfArrays: return present.flatMap { Values.elements(of: $0) ?? [$0] } as NSArray
        case .distinctUnionOfArrays:
            return Values.distinct(present.flatMap { Values.elements(of: $0) ?? [$0] }) as NSArray
        case .unionOfSets, .distinctUnionOfSets:
            return Values.set(present.flatMap { Values.elements(of: $0) ?? [$0] })
        }
    }
}
