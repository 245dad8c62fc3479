// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
import OpenCoreData

/// The order of objects that are read page by page: by sort keys, then by the primary key, so that each object has a
/// place.
///
/// The objects after a position are read in parts: the objects that are equal in all keys, the objects that differ in
/// the last key only, and so on. Each part is a conjunction with bounds, for which a store can use an index; one
/// condition with OR would read all objects before the position.
struct PagedOrder {
    let keys: [SortKey]
    /// Whether objects with equal values are in the ascending order of their primary keys, or else in the descending
    /// one. The order of the last sort key decides, so that one index gives both orders.
    let isAscendingByID: Bool

    /// - Parameter keys: the sort keys. Those after `self`, the primary key, have no effect.
    init(_ keys: [SortKey]) {
        self.keys = Array(keys.prefix { $0.keyPath != "self" })
        isAscendingByID = (keys.first { $0.keyPath == "self" } ?? self.keys.last)?.isAscending ?? true
    }

    /// The place of an object: its values of the sort keys, and its primary key.
    struct Position {
        let values: [Any?]
        let key: Int64
    }

    func position(of object: NSManagedObject) -> Position {
        Position(values: keys.map { object.value(forKeyPath: $0.keyPath) }, key: object.objectID.key)
    }

    /// Reads the rows after, or before, a position.
    ///
    /// - Parameters:
    ///   - request: the request for all rows, with the limit of a page. Its conditions and its order are changed.
    ///   - position: the position; nil for the first rows.
    ///   - isBackward: whether the rows before the position are wanted.
    ///   - context: reads the rows.
    func page<Row>(
        _ request: NSFetchRequest<Row>, after position: Position?, isBackward: Bool = false,
        in context: NSManagedObjectContext
    ) throws -> [Row] {
        let (predicate, limit) = (request.predicate, request.fetchLimit)
        var rows: [Row] = []
        for part in position.map({ parts(after: $0, isBackward) }) ?? [Part(conditions: [], keys: keys)]
        where rows.count < limit {
            let conditions = [predicate].compactMap { $0 } + part.conditions
            request.predicate =
                conditions.count > 1 ? NSCompoundPredicate(andPredicateWithSubpredicates: conditions) : conditions.first
            request.sortDescriptors =
                part.keys.map { NSSortDescriptor(key: $0.keyPath, ascending: $0.isAscending != isBackward) }
                + [NSSortDescriptor(key: "self", ascending: isAscendingByID != isBackward)]
            request.fetchLimit = limit - rows.count
            rows += try context.fetch(request)
        }
        return isBackward ? rows.reversed() : rows
    }

    private struct Part {
        let conditions: [NSPredicate]
        /// The keys in which the rows of the part differ.
        let keys: [SortKey]
    }

    /// The parts after a position, the nearest rows first.
    private func parts(after position: Position, _ isBackward: Bool) -> [Part] {
        let equal = zip(keys, position.values).map { Self.comparison($0.keyPath, .equalTo, $1) }
        let others = KeyRangePredicate(after: position.key, isAscending: isAscendingByID != isBackward)
        var parts = [Part(conditions: equal + [others], keys: [])]
        for index in keys.indices.reversed() {
            let key = keys[index]
            for further in Self.further(key.keyPath, position.values[index], key.isAscending != isBackward) {
                parts.append(Part(conditions: equal.prefix(index) + [further], keys: Array(keys[index...])))
            }
        }
        return parts
    }

    /// The conditions for the values of a key after a value. Missing values come before all others.
    private static func further(_ keyPath: String, _ value: Any?, _ isAscending: Bool) -> [NSPredicate] {
        guard let value else { return isAscending ? [comparison(keyPath, .notEqualTo, nil)] : [] }
        if isAscending { return [comparison(keyPath, .greaterThan, value)] }
        return [comparison(keyPath, .lessThan, value), comparison(keyPath, .equalTo, nil)]
    }

    private static func comparison(
        _ keyPath: String, _ type: NSComparisonPredicate.Operator, _ value: Any?
    ) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: keyPath), rightExpression: NSExpression(forConstantValue: value),
            modifier: .direct, type: type)
    }
}
