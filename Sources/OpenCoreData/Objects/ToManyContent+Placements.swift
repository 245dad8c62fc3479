/// Which members of an ordered relationship need another position in the store.
extension ToManyContent {
    /// The ranges of the members that were added or moved since the last save, in order. All other members have the
    /// committed order among themselves, so their positions remain.
    ///
    /// Nil for contents that are not loaded, if the moves are not known, or if so many members were moved that the
    /// store should look at all of them.
    var placements: [Range<Int>]? {
        guard isOrdered, isLoaded, let moved else { return nil }
        let placed = added.isEmpty ? moved : added.union(moved)
        let order = order
        guard placed.count * 4 <= order.count else { return nil }
        var indexes = IndexSet()
        if placed.count > 8 {
            for index in order.indices where placed.contains(order[index]) { indexes.insert(index) }
        } else {
            for object in placed {
                if let index = order.firstIndex(where: { $0 === object }) { indexes.insert(index) }
            }
        }
        return indexes.rangeView.map { $0 }
    }

    /// Whether the members that don't count as moved have the committed order among themselves; for tests.
    var placementsAreComplete: Bool {
        guard let moved, let committedOrder else { return true }
        let isFixed = { (object: NSManagedObject) in !moved.contains(object) && !self.added.contains(object) }
        let before = committedOrder.filter { isFixed($0) && members.contains($0) }
        return before.elementsEqual(order.filter(isFixed), by: ===)
    }
}
