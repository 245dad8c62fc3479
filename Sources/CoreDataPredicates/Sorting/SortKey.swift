/// A sort descriptor with what it compares: the values of its key, or the objects themselves.
struct SortKey {
    private let descriptor: NSSortDescriptor
    private let keyed: KeySortDescriptor?

    init(_ descriptor: NSSortDescriptor) {
        self.descriptor = descriptor.keyed
        keyed = self.descriptor as? KeySortDescriptor
    }

    func value(of object: Any) -> Any { keyed?.sortValue(of: object) ?? object }

    func order(of one: Any, _ two: Any) -> ComparisonResult {
        keyed?.order(of: one, two) ?? descriptor.compare(one, to: two)
    }
}
