/// Closed groups, the newest last.
struct UndoStack {
    private var groups: [UndoGroup] = []

    var isEmpty: Bool { groups.isEmpty }
    var count: Int { groups.count }
    var last: UndoGroup? { groups.last }

    mutating func push(_ group: UndoGroup, limit: Int) {
        groups.append(group)
        self.limit(to: limit)
    }

    mutating func pop() -> UndoGroup? { groups.popLast() }

    mutating func removeAll() { groups.removeAll() }

    mutating func removeActions(of target: ObjectIdentifier) {
        for group in groups { group.removeActions(of: target) }
        groups.removeAll { $0.steps.isEmpty }
    }

    /// Drops the oldest groups above a number; 0 for none.
    mutating func limit(to count: Int) {
        if count > 0, groups.count > count { groups.removeFirst(groups.count - count) }
    }
}
