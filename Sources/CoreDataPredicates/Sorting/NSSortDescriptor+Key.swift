// SPDX-License-Identifier: Apache-2.0

extension NSSortDescriptor: FactoryInitializable {}

extension NSSortDescriptor {
    /// Creates a descriptor that sorts by the value at a key path, in the natural order of the values.
    ///
    /// ```swift
    /// let request = NSFetchRequest<Song>(entityName: "Song")
    /// request.sortDescriptors = [
    ///     NSSortDescriptor(key: "artist.name", ascending: true),
    ///     NSSortDescriptor(key: "rating", ascending: false),
    /// ]
    /// ```
    ///
    /// The SQLite store sorts in SQL and can use an index of the key:
    ///
    /// ```sql
    /// SELECT … FROM ZSONG t0 LEFT OUTER JOIN ZARTIST t1 ON t0.ZARTIST = t1.Z_PK
    /// ORDER BY t1.ZNAME, t0.ZRATING DESC, t0.Z_PK
    /// ```
    ///
    /// Strings are ordered by their UTF-8 bytes, and nil comes first. `NSArray.sortedArray(using:)` and
    /// `compare(_:to:)` give the same order in memory. For an order by the rules of a language, use
    /// ``init(key:ascending:selector:)``.
    ///
    /// A key that the entity doesn't have makes the fetch stop the program, as on Apple's platforms.
    /// A descriptor may be made and used on any thread.
    ///
    /// - Parameters:
    ///   - key: the key path; nil compares the objects themselves.
    ///   - ascending: true for ascending order.
    public convenience init(key: String?, ascending: Bool) {
        self.init(factory: { KeySortDescriptor(key: key, ascending: ascending, selector: nil, comparator: nil) })
    }

    /// Creates a descriptor that sorts by the value at a key path, in the order of a method.
    ///
    /// - Parameters:
    ///   - key: the key path; nil compares the objects themselves.
    ///   - ascending: true for ascending order.
    ///   - selector: `compare:`, `caseInsensitiveCompare:`, `localizedCompare:`, `localizedCaseInsensitiveCompare:`,
    ///     `localizedStandardCompare:`, or nil for `compare:`. Another name stops the program.
    public convenience init(key: String?, ascending: Bool, selector: Selector?) {
        self.init(factory: { KeySortDescriptor(key: key, ascending: ascending, selector: selector, comparator: nil) })
    }

    /// Creates a descriptor that sorts by the value at a key path, in the order of a block.
    ///
    /// A fetch from an SQLite store can't use it and throws.
    ///
    /// - Parameters:
    ///   - key: the key path; nil compares the objects themselves.
    ///   - ascending: true for ascending order.
    ///   - cmptr: compares two values; a missing value is `NSNull`.
    public convenience init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
        self.init(factory: { KeySortDescriptor(key: key, ascending: ascending, selector: nil, comparator: cmptr) })
    }

    /// The key path by which the descriptor sorts, nil if it compares the objects themselves.
    public var key: String? {
        if let descriptor = self as? KeySortDescriptor { return descriptor.sortKey }
        return SwiftKeyPaths.key(for: keyPath)
    }

    /// The method that compares values; nil if a block compares them.
    public var selector: Selector? {
        guard let descriptor = self as? KeySortDescriptor else { return nil }
        return descriptor.hasCustomComparator ? nil : descriptor.comparisonSelector
    }

    /// True if SQL can't express the order: it is given by a block, or by a Swift key path without a key.
    package var needsEvaluation: Bool {
        guard let descriptor = self as? KeySortDescriptor else { return key == nil }
        return descriptor.hasCustomComparator
    }

    /// A descriptor with a key in place of one of Foundation's with a Swift key path: the sorted values may be
    /// snapshots, which have no Swift key paths. The descriptor itself if there is no key.
    package var keyDescriptor: NSSortDescriptor {
        guard !(self is KeySortDescriptor), let key else { return self }
        return KeySortDescriptor(key: key, ascending: ascending, selector: nil, comparator: nil)
    }
}

extension NSSortDescriptor {
    /// Creates a descriptor that sorts by the property at a Swift key path, in the natural order of the values. Nil
    /// comes first.
    ///
    /// A key path without a key stops the program: each of its properties must be a property of a managed object, or of
    /// a ``SwiftKeyPathNaming`` type. For other types with `Comparable` values, the compiler selects Foundation's own
    /// initializer.
    ///
    /// - Parameters:
    ///   - keyPath: the key path, for example `\Song.album?.title`.
    ///   - ascending: true for ascending order.
    public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        let key = SwiftKeyPaths.requiredKey(for: keyPath, of: "NSSortDescriptor(keyPath:ascending:)")
        self.init(factory: { KeySortDescriptor(key: key, ascending: ascending, selector: nil, comparator: nil) })
    }

    /// Creates a descriptor that sorts by the property at a Swift key path, in the natural order of the values.
    ///
    /// - Parameters:
    ///   - keyPath: the key path. A key path without a key stops the program.
    ///   - ascending: true for ascending order.
    public convenience init<Root: SwiftKeyPathNaming, Value: Comparable>(keyPath: KeyPath<Root, Value>, ascending: Bool)
    {
        let key = SwiftKeyPaths.requiredKey(for: keyPath, of: "NSSortDescriptor(keyPath:ascending:)")
        self.init(factory: { KeySortDescriptor(key: key, ascending: ascending, selector: nil, comparator: nil) })
    }

    /// Creates a descriptor that sorts by the property at a Swift key path, in the order of a block.
    ///
    /// A fetch from an SQLite store can't use it and throws.
    ///
    /// - Parameters:
    ///   - keyPath: the key path. A key path without a key stops the program.
    ///   - ascending: true for ascending order.
    ///   - cmptr: compares two values; a missing value is `NSNull`.
    public convenience init<Root: SwiftKeyPathNaming, Value>(
        keyPath: KeyPath<Root, Value>, ascending: Bool, comparator cmptr: @escaping Comparator
    ) {
        let key = SwiftKeyPaths.requiredKey(for: keyPath, of: "NSSortDescriptor(keyPath:ascending:comparator:)")
        self.init(factory: { KeySortDescriptor(key: key, ascending: ascending, selector: nil, comparator: cmptr) })
    }

    /// Creates a descriptor from a Swift sort descriptor, for example `SortDescriptor(\Song.title)`.
    ///
    /// Values are sorted in their natural order, the only order that `SortDescriptor` has on Linux.
    ///
    /// - Parameter sortDescriptor: the Swift descriptor. A key path without a key stops the program.
    public convenience init<Compared>(_ sortDescriptor: SortDescriptor<Compared>) where Compared: NSObject {
        let key = sortDescriptor.keyPath.map { SwiftKeyPaths.requiredKey(for: $0, of: "NSSortDescriptor(_:)") }
        let ascending = sortDescriptor.order == .forward
        self.init(factory: { KeySortDescriptor(key: key, ascending: ascending, selector: nil, comparator: nil) })
    }
}
