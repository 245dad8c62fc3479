extension NSSortDescriptor: FactoryInitializable {}

extension NSSortDescriptor {
    /// Creates a descriptor that sorts by the value at a key path, in the values' natural order.
    ///
    /// - Parameters:
    ///   - key: the key path; nil compares the objects themselves.
    ///   - ascending: true for rising order.
    public convenience init(key: String?, ascending: Bool) {
        self.init(made: { KeySortDescriptor(key: key, ascending: ascending, selector: nil, comparator: nil) })
    }

    /// Creates a descriptor that sorts by the value at a key path, compared by a method.
    ///
    /// - Parameters:
    ///   - key: the key path; nil compares the objects themselves.
    ///   - ascending: true for rising order.
    ///   - selector: `compare:`, `caseInsensitiveCompare:`, `localizedCompare:`, `localizedCaseInsensitiveCompare:`,
    ///     `localizedStandardCompare:`, or nil for `compare:`. Another name stops the program when it is used.
    public convenience init(key: String?, ascending: Bool, selector: Selector?) {
        self.init(made: { KeySortDescriptor(key: key, ascending: ascending, selector: selector, comparator: nil) })
    }

    /// Creates a descriptor that sorts by the value at a key path, compared by a block. Stores that sort by
    /// SQL refuse it.
    ///
    /// - Parameters:
    ///   - key: the key path; nil compares the objects themselves.
    ///   - ascending: true for rising order.
    ///   - cmptr: compares two values; a missing value is `NSNull`.
    public convenience init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
        self.init(made: { KeySortDescriptor(key: key, ascending: ascending, selector: nil, comparator: cmptr) })
    }

    /// The key path by which the descriptor sorts, nil if it compares the objects themselves.
    public var key: String? {
        if let descriptor = self as? KeySortDescriptor { return descriptor.sortKey }
        return SwiftKeyPaths.key(for: keyPath)
    }

    /// The method that compares, nil if a block does.
    public var selector: Selector? {
        guard let descriptor = self as? KeySortDescriptor else { return nil }
        return descriptor.hasCustomComparator ? nil : descriptor.comparisonSelector
    }

    /// True if only code can compare: a block was given, or a Swift key path without a key.
    package var needsEvaluation: Bool {
        guard let descriptor = self as? KeySortDescriptor else { return key == nil }
        return descriptor.hasCustomComparator
    }

    /// This descriptor by key, if it is Foundation's own by a Swift key path that has one: what is sorted may stand for
    /// an object.
    var keyed: NSSortDescriptor {
        guard !(self is KeySortDescriptor), let key else { return self }
        return KeySortDescriptor(key: key, ascending: ascending, selector: nil, comparator: nil)
    }
}
