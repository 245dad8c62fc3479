// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
import OpenCoreData

/// The place of an object in a sorted table.
///
/// The objects after it are read in parts: the objects that are equal in all keys, the objects that differ in the last
/// key only, and so on. Each part is a conjunction with bounds, for which a store can use an index; one condition with
/// OR would read all objects before the place.
struct TablePosition {
    let object: NSManagedObject
    let keys: [SortKey]
    /// Whether objects with equal values are in the order of their primary keys.
    let isAscendingByID: Bool
    /// Whether the objects before this one are wanted, the nearest first.
    let isBackward: Bool

    struct Part {
        let conditions: [NSPredicate]
        /// The keys in which the objects of the part differ.
        let keys: [SortKey]
    }

    /// The parts after the object, in the order of the table.
    var parts: [Part] {
        let values = keys.map { object.value(forKeyPath: $0.keyPath) }
        let equal = zip(keys, values).map { Self.comparison($0.keyPath, .equalTo, $1) }
        let others = KeyRangePredicate(after: object.objectID.key, isAscending: isAscendingByID != isBackward)
        var parts = [Part(conditions: equal + [others], keys: [])]
        for index in keys.indices.reversed() {
            for further in further(keys[index], values[index]) {
                parts.append(Part(conditions: equal.prefix(index) + [further], keys: Array(keys[index...])))
            }
        }
        return parts
    }

    /// The conditions for the values of a key after a value. Missing values come before all others.
    private func further(_ key: SortKey, _ value: Any?) -> [NSPredicate] {
        let isAscending = key.isAscending != isBackward
        guard let value else { return isAscending ? [Self.comparison(key.keyPath, .notEqualTo, nil)] : [] }
        if isAscending { return [Self.comparison(key.keyPath, .greaterThan, value)] }
        return [Self.comparison(key.keyPath, .lessThan, value), Self.comparison(key.keyPath, .equalTo, nil)]
    }

    private static func comparison(
        _ keyPath: String, _ type: NSComparisonPredicate.Operator, _ value: Any?
    ) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: keyPath), rightExpression: NSExpression(forConstantValue: value),
            modifier: .direct, type: type)
    }
}
