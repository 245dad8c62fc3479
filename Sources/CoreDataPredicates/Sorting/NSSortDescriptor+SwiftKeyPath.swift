extension NSSortDescriptor {
    /// Creates a descriptor that sorts by the property at a Swift key path, in the values' natural order; nil comes
    /// first.
    ///
    /// A key path that has no key stops the program with a message: it must lead along properties of managed objects,
    /// or of a type that is `SwiftKeyPathNaming`. Where the values are `Comparable` and the type is neither,
    /// Foundation's own initializer is meant.
    ///
    /// - Parameters:
    ///   - keyPath: the key path, for example `\Song.album?.title`.
    ///   - ascending: true for rising order.
    public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        let key = SwiftKeyPaths.requiredKey(for: keyPath, of: "NSSortDescriptor(keyPath:ascending:)")
        self.init(made: { KeySortDescriptor(key: key, ascending: ascending, selector: nil, comparator: nil) })
    }

    /// Creates a descriptor that sorts by the property at a Swift key path, in the values' natural order.
    ///
    /// - Parameters:
    ///   - keyPath: the key path; without a key it stops the program with a message.
    ///   - ascending: true for rising order.
    public convenience init<Root: SwiftKeyPathNaming, Value: Comparable>(keyPath: KeyPath<Root, Value>, ascending: Bool)
    {
        let key = SwiftKeyPaths.requiredKey(for: keyPath, of: "NSSortDescriptor(keyPath:ascending:)")
        self.init(made: { KeySortDescriptor(key: key, ascending: ascending, selector: nil, comparator: nil) })
    }

    /// Creates a descriptor that sorts by the property at a Swift key path, compared by a block. Stores that sort by
    /// SQL refuse it.
    ///
    /// - Parameters:
    ///   - keyPath: the key path; without a key it stops the program with a message.
    ///   - ascending: true for rising order.
    ///   - cmptr: compares two values; a missing value is `NSNull`.
    public convenience init<Root: SwiftKeyPathNaming, Value>(
        keyPath: KeyPath<Root, Value>, ascending: Bool, comparator cmptr: @escaping Comparator
    ) {
        let key = SwiftKeyPaths.requiredKey(for: keyPath, of: "NSSortDescriptor(keyPath:ascending:comparator:)")
        self.init(made: { KeySortDescriptor(key: key, ascending: ascending, selector: nil, comparator: cmptr) })
    }

    /// Creates a descriptor out of one of Swift's, for example `SortDescriptor(\Song.title)`.
    ///
    /// Values are compared by their natural order, which on Linux is the only one that `SortDescriptor` knows; for
    /// strings it is that of their characters. A key path without a key stops the program with a message.
    public convenience init<Compared>(_ sortDescriptor: SortDescriptor<Compared>) where Compared: NSObject {
        let key = sortDescriptor.keyPath.map { SwiftKeyPaths.requiredKey(for: $0, of: "NSSortDescriptor(_:)") }
        let ascending = sortDescriptor.order == .forward
        self.init(made: { KeySortDescriptor(key: key, ascending: ascending, selector: nil, comparator: nil) })
    }
}
