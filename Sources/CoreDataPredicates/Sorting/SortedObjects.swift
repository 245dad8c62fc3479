/// Sorts objects by descriptors, reading each object's keys once instead of at each comparison.
package enum SortedObjects {
    /// The objects in the descriptors' order; equal ones keep their order.
    package static func sort<Object>(_ objects: [Object], by descriptors: [NSSortDescriptor]) -> [Object] {
        guard !descriptors.isEmpty, objects.count > 1 else { return objects }
        let descriptors = descriptors.map(\.keyed)
        let columns = descriptors.map { descriptor -> [Any] in
            guard let descriptor = descriptor as? KeySortDescriptor else { return objects.map { $0 } }
            return objects.map { descriptor.sortValue(of: $0) }
        }
        let order = objects.indices.sorted { one, two in
            for (descriptor, values) in zip(descriptors, columns) {
                let result =
                    (descriptor as? KeySortDescriptor)?.order(of: values[one], values[two])
                    ?? descriptor.compare(values[one], to: values[two])
                if result != .orderedSame { return result == .orderedAscending }
            }
            // Swift's sort is not promised to be stable.
            return one < two
        }
        return order.map { objects[$0] }
    }
}
