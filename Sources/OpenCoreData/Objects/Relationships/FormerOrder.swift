// SPDX-License-Identifier: Apache-2.0

/// The order that the members of an ordered relationship had at one time.
///
/// Most changes move one member. A copy of the former order for each move would take longer than all other work on a
/// long relationship. So the former order records the moves since then, and reverts them when it is read. Before any
/// other change it gets a list.
struct FormerOrder {
    private struct Move {
        let source: Int
        /// The index after the move.
        let target: Int
    }

    /// Nil while only moves have changed the order.
    private var list: [NSManagedObject]?
    /// The moves since then, oldest first.
    private var moves: [Move] = []

    /// With more moves, taking them back costs more than the list.
    private static let moveLimit = 8

    /// The present order.
    init() {}

    init(_ list: [NSManagedObject]) { self.list = list }

    /// Whether the former order depends on the present order, so that it must be told of each change.
    var needsPresentOrder: Bool { list == nil }
    /// Whether nothing has changed the order since.
    var isPresent: Bool { list == nil && moves.isEmpty }

    /// The members in the order of that time.
    ///
    /// - Parameter present: the present order.
    func order(_ present: [NSManagedObject]) -> [NSManagedObject] {
        if let list { return list }
        var order = present
        for move in moves.reversed() { order.insert(order.remove(at: move.target), at: move.source) }
        return order
    }

    /// Whether the present order is the same.
    mutating func isSame(as present: [NSManagedObject]) -> Bool {
        if list == nil && moves.count <= 1 { return moves.allSatisfy { $0.source == $0.target } }
        keep(present)
        return list!.count == present.count && list!.elementsEqual(present, by: ===)
    }

    /// Called before one member is moved in the present order.
    mutating func willMove(_ source: Int, to target: Int, in present: [NSManagedObject]) {
        guard list == nil else { return }
        if moves.count == Self.moveLimit {
            keep(present)
        } else {
            moves.append(Move(source: source, target: target))
        }
    }

    /// Called before any other change of the order. From then on, the former order doesn't depend on the present order.
    mutating func keep(_ present: [NSManagedObject]) {
        guard list == nil else { return }
        list = order(present)
        moves = []
    }

    /// Removes an object from a former order that doesn't depend on the present order, as if it had never been a
    /// member.
    mutating func discard(_ object: NSManagedObject) { list?.removeAll { $0 === object } }
}
