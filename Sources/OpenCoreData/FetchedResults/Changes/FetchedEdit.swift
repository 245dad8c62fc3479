/// How one content came out of another. Objects that are not named stayed as they were, in their order.
struct FetchedEdit {
    /// An object that has entered, or was looked at again.
    struct Entry {
        let new: Int
        /// Where it was; nil if it is new here.
        let old: Int?
        /// Whether it counts as updated if it has not moved.
        let isChanged: Bool
    }

    let old: FetchedContent
    let new: FetchedContent
    /// Old positions of the objects that have left, ascending.
    let removed: [Int]
    /// By new position, ascending.
    let entries: [Entry]

    /// An edit that tells nothing of what stayed: every object of the new content is looked at.
    ///
    /// - Parameters:
    ///   - identity: what makes an old and a new object the same.
    ///   - isChanged: whether an object counts as updated if it has not moved.
    init<Identity: Hashable>(
        from old: FetchedContent, to new: FetchedContent, identity: (NSManagedObject) -> Identity,
        isChanged: (NSManagedObject) -> Bool
    ) {
        var positions: [Identity: Int] = [:]
        positions.reserveCapacity(old.objects.count)
        for (position, object) in old.objects.enumerated() { positions[identity(object)] = position }
        entries = new.objects.enumerated().map { position, object in
            Entry(new: position, old: positions.removeValue(forKey: identity(object)), isChanged: isChanged(object))
        }
        removed = positions.values.sorted()
        self.old = old
        self.new = new
    }

    init(old: FetchedContent, new: FetchedContent, removed: [Int], entries: [Entry]) {
        self.old = old
        self.new = new
        self.removed = removed
        self.entries = entries
    }
}

/// Old positions of the objects that an edit names, between which the others have kept their order.
struct TouchedPositions {
    /// Ascending.
    let positions: [Int]

    init(_ positions: [Int]) { self.positions = positions.sorted() }

    /// How many untouched objects stood before an old position.
    func untouched(before position: Int) -> Int { position - count { $0 < position } }

    /// The old position of an untouched object, by its number among them.
    func position(ofUntouched number: Int) -> Int {
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] - middle <= number { low = middle + 1 } else { high = middle }
        }
        return number + low
    }

    /// How many of the first positions meet a condition that the later ones don't.
    private func count(where condition: (Int) -> Bool) -> Int {
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if condition(positions[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
