// SPDX-License-Identifier: Apache-2.0

/// The difference between two contents. Results that it does not contain are unchanged and in their old order.
struct FetchedContentEdit {
    /// The kind of change of a result.
    enum Change {
        case nothing
        case values
        /// A value that the results are sorted by.
        case sortValue
    }

    /// A result of the new content that was added, or that may have changed.
    struct Entry {
        let new: Int
        /// The old position; nil for an added result.
        let old: Int?
        let change: Change
    }

    let old: FetchedContent
    let new: FetchedContent
    /// Old positions of removed results, ascending.
    let removed: [Int]
    /// By new position, ascending.
    let entries: [Entry]
}

extension FetchedContentEdit {
    /// Compares two contents completely: every result of the new content is an entry.
    ///
    /// - Parameter change: what has changed in an object.
    init(from old: FetchedContent, to new: FetchedContent, change: (NSManagedObject) -> Change) {
        var positions: [ObjectIdentifier: Int] = [:]
        positions.reserveCapacity(old.objects.count)
        for (position, object) in old.objects.enumerated() { positions[ObjectIdentifier(object)] = position }
        entries = new.objects.enumerated().map { position, object in
            Entry(new: position, old: positions.removeValue(forKey: ObjectIdentifier(object)), change: change(object))
        }
        removed = positions.values.sorted()
        self.old = old
        self.new = new
    }
}

/// The old positions of the results that an edit contains. Numbers the other results, which are unchanged.
struct ChangedPositions {
    /// Ascending.
    let positions: [Int]

    init(_ positions: [Int]) { self.positions = positions.sorted() }

    /// The number of unchanged results before an old position.
    func unchangedCount(before position: Int) -> Int { position - prefixCount { $0 < position } }

    /// The old position of an unchanged result, by its number among the unchanged results.
    func position(ofUnchanged number: Int) -> Int {
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] - middle <= number { low = middle + 1 } else { high = middle }
        }
        return number + low
    }

    /// The number of positions up to the first that fails a condition; all later positions must fail it too.
    private func prefixCount(where condition: (Int) -> Bool) -> Int {
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if condition(positions[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
