// SPDX-License-Identifier: Apache-2.0

/// A sort descriptor with a key. Foundation's class has Swift key paths only.
final class KeySortDescriptor: NSSortDescriptor {
    let sortKey: String?
    let comparisonSelector: Selector
    let hasCustomComparator: Bool
    /// The key path, split once.
    private let keys: [String]
    private let order: Comparator

    init(key: String?, ascending: Bool, selector: Selector?, comparator: Comparator?) {
        sortKey = key
        comparisonSelector = selector ?? "compare:"
        hasCustomComparator = comparator != nil
        keys = key.map(KeyPathEvaluation.split) ?? []
        order = comparator ?? SortComparison.comparator(named: comparisonSelector)
        // Foundation's initializer needs a key path. It is never read.
        super.init(keyPath: \NSObject.self, ascending: ascending, comparator: order)
    }

    override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        order(of: sortValue(of: object1), sortValue(of: object2))
    }

    /// The value by which an object is sorted; `NSNull` for a missing value.
    func sortValue(of object: Any) -> Any {
        KeyPathEvaluation.value(of: object, path: keys[...]) ?? NSNull()
    }

    /// The order of two values of `sortValue(of:)`.
    func order(of one: Any, _ two: Any) -> ComparisonResult {
        let result = order(one, two)
        if ascending { return result }
        switch result {
        case .orderedAscending: return .orderedDescending
        case .orderedSame: return .orderedSame
        case .orderedDescending: return .orderedAscending
        }
    }

    override var reversedSortDescriptor: Any {
        KeySortDescriptor(
            key: sortKey, ascending: !ascending, selector: comparisonSelector,
            comparator: hasCustomComparator ? order : nil)
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override var description: String {
        let method = hasCustomComparator ? "comparator block" : comparisonSelector.name
        return "(\(sortKey ?? "(null)"), \(ascending ? "ascending" : "descending"), \(method))"
    }

    override func isEqual(_ object: Any?) -> Bool {
        if self === object as AnyObject? { return true }
        guard let other = object as? KeySortDescriptor, !hasCustomComparator, !other.hasCustomComparator
        else { return false }
        return sortKey == other.sortKey && ascending == other.ascending
            && comparisonSelector == other.comparisonSelector
    }

    override var hash: Int { sortKey.hashValue }
}
