/// The values by which descriptors sort, read once from an object and compared as often as needed.
package struct SortKeys {
    private let descriptors: [NSSortDescriptor]

    package init(_ descriptors: [NSSortDescriptor]) { self.descriptors = descriptors }

    /// An object's value for each descriptor; the object itself where only the descriptor can compare.
    package func values(of object: Any) -> [Any] {
        descriptors.map { ($0 as? KeySortDescriptor)?.sortValue(of: object) ?? object }
    }

    /// The order of two such lists of values.
    package func order(_ one: [Any], _ two: [Any]) -> ComparisonResult {
        for (index, descriptor) in descriptors.enumerated() {
            let result =
                (descriptor as? KeySortDescriptor)?.order(of: one[index], two[index])
                ?? descriptor.compare(one[index], to: two[index])
            if result != .orderedSame { return result }
        }
        return .orderedSame
    }
}
