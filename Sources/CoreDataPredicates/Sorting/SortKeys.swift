/// The values by which descriptors sort, read once from an object and compared as often as needed.
package struct SortKeys {
    private let keys: [SortKey]

    package init(_ descriptors: [NSSortDescriptor]) { keys = descriptors.map(SortKey.init) }

    /// An object's value for each descriptor; the object itself where only the descriptor can compare.
    package func values(of object: Any) -> [Any] { keys.map { $0.value(of: object) } }

    /// The order of two such lists of values.
    package func order(_ one: [Any], _ two: [Any]) -> ComparisonResult {
        for (index, key) in keys.enumerated() {
            let result = key.order(of: one[index], two[index])
            if result != .orderedSame { return result }
        }
        return .orderedSame
    }
}
