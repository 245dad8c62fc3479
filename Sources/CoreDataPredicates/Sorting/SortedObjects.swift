/// Sorts objects by descriptors, reading each object's keys once instead of at each comparison.
package enum SortedObjects {
    /// The objects in the descriptors' order; equal ones keep their order.
    package static func sort<Object>(_ objects: [Object], by descriptors: [NSSortDescriptor]) -> [Object] {
        guard !descriptors.isEmpty, objects.count > 1 else { return objects }
        let keys = descriptors.map(SortKey.init)
        let columns = keys.map { key in objects.map { key.value(of: $0) } }
        let order = objects.indices.sorted { one, two in
            for (key, values) in zip(keys, columns) {
                let result = key.order(of: values[one], values[two])
                if result != .orderedSame { return result == .orderedAscending }
            }
            // Swift's sort is not promised to be stable.
            return one < two
        }
        return order.map { objects[$0] }
    }
}
