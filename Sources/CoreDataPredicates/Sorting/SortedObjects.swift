// SPDX-License-Identifier: Apache-2.0

/// Sorts objects by descriptors. Reads the keys of each object once, not at each comparison.
package enum SortedObjects {
    /// The objects in the order of the descriptors. The sort is stable.
    package static func sort<Object>(_ objects: [Object], by descriptors: [NSSortDescriptor]) -> [Object] {
        guard !descriptors.isEmpty, objects.count > 1 else { return objects }
        let keys = descriptors.map(SortKey.init)
        let columns = keys.map { key in objects.map { key.value(of: $0) } }
        let order = objects.indices.sorted { one, two in
            for (key, values) in zip(keys, columns) {
                let result = key.order(of: values[one], values[two])
                if result != .orderedSame { return result == .orderedAscending }
            }
            // Swift doesn't guarantee a stable sort.
            return one < two
        }
        return order.map { objects[$0] }
    }
}

extension SortedObjects {
    /// Inserts objects into sorted objects, after equal ones.
    ///
    /// A binary search finds the positions, so few of the sorted objects are read.
    ///
    /// - Parameters:
    ///   - additions: the objects to add, in the order of the descriptors.
    ///   - objects: the sorted objects.
    ///   - descriptors: the sort descriptors.
    ///   - subject: the value of an object from which the descriptors read their keys.
    package static func inserting<Object>(
        _ additions: [Object], into objects: [Object], by descriptors: [NSSortDescriptor],
        reading subject: (Object) -> Any
    ) -> [Object] {
        guard !additions.isEmpty else { return objects }
        let keys = descriptors.map(SortKey.init)
        var result: [Object] = []
        result.reserveCapacity(objects.count + additions.count)
        var start = 0
        for addition in additions {
            let values = keys.map { $0.value(of: subject(addition)) }
            var low = start
            var high = objects.count
            while low < high {
                let middle = low + (high - low) / 2
                if precedes(values, subject(objects[middle]), keys) { high = middle } else { low = middle + 1 }
            }
            result += objects[start..<low]
            result.append(addition)
            start = low
        }
        return result + objects[start...]
    }

    private static func precedes(_ values: [Any], _ other: Any, _ keys: [SortKey]) -> Bool {
        for (value, key) in zip(values, keys) {
            let order = key.order(of: value, key.value(of: other))
            if order != .orderedSame { return order == .orderedAscending }
        }
        return false
    }
}

/// A sort descriptor and the values that it compares: the values of its key, or the objects themselves.
struct SortKey {
    private let descriptor: NSSortDescriptor
    private let keyDescriptor: KeySortDescriptor?

    init(_ descriptor: NSSortDescriptor) {
        self.descriptor = descriptor.keyDescriptor
        keyDescriptor = self.descriptor as? KeySortDescriptor
    }

    func value(of object: Any) -> Any { keyDescriptor?.sortValue(of: object) ?? object }

    func order(of one: Any, _ two: Any) -> ComparisonResult {
        keyDescriptor?.order(of: one, two) ?? descriptor.compare(one, to: two)
    }
}

/// The sort values of objects: read once from each object, and compared without reading again.
package struct SortKeys {
    private let keys: [SortKey]

    package init(_ descriptors: [NSSortDescriptor]) { keys = descriptors.map(SortKey.init) }

    package var isEmpty: Bool { keys.isEmpty }

    /// The value of an object for each descriptor; the object itself for a descriptor without a key.
    package func values(of object: Any) -> [Any] { keys.map { $0.value(of: object) } }

    /// The order of two lists of `values(of:)`.
    package func order(_ one: [Any], _ two: [Any]) -> ComparisonResult {
        for (index, key) in keys.enumerated() {
            let result = key.order(of: one[index], two[index])
            if result != .orderedSame { return result }
        }
        return .orderedSame
    }
}
