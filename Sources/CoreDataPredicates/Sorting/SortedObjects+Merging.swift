extension SortedObjects {
    /// Sorted objects with others in their places among them, behind those that they equal.
    ///
    /// Few of the objects are read: those that a binary search comes by.
    ///
    /// - Parameters:
    ///   - additions: the objects to add, in the descriptors' order.
    ///   - subject: what the descriptors read of an object.
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
