/// The order that the members of an ordered relationship had at one time.
///
/// Most changes move one member. A list of the former order would have to be copied for each of them, which takes
/// longer than everything else for a long relationship. So a record follows its contents: it has the moves since then,
/// and takes them back when the order is read. The contents give it a list before any other change.
///
/// Used on the context's queue.
final class OrderRecord {
    private struct Move {
        let source: Int
        /// The index after the move.
        let target: Int
    }

    /// The order; nil while the record follows the contents.
    private var list: [NSManagedObject]?
    /// The moves since then, oldest first.
    private var moves: [Move] = []
    private weak var content: ToManyContent?

    /// With more moves, taking them back costs more than the list.
    private static let moveLimit = 8

    /// A record of a list.
    init(_ list: [NSManagedObject]) { self.list = list }

    /// A record of the present order of contents, which must tell it of each change.
    init(following content: ToManyContent) { self.content = content }

    /// The members in the order of that time.
    var order: [NSManagedObject] {
        if let list { return list }
        let order = orderBeforeMoves(content?.order ?? [])
        finish(with: order)
        return order
    }

    private func orderBeforeMoves(_ present: [NSManagedObject]) -> [NSManagedObject] {
        var order = present
        for move in moves.reversed() { order.insert(order.remove(at: move.target), at: move.source) }
        return order
    }

    /// Whether contents have not changed since they were recorded.
    func isPresentOrder(of other: ToManyContent) -> Bool { list == nil && moves.isEmpty && content === other }

    /// Whether the order of some contents is that of the record.
    func isSame(as other: ToManyContent) -> Bool {
        if list == nil, moves.count <= 1, content === other { return moves.allSatisfy { $0.source == $0.target } }
        let (order, present) = (order, other.order)
        return order.count == present.count && order.elementsEqual(present, by: ===)
    }

    // MARK: Following the contents

    /// Called before a member is moved.
    func willMove(_ source: Int, to target: Int) {
        guard list == nil else { return }
        if moves.count == Self.moveLimit {
            _ = order
        } else {
            moves.append(Move(source: source, target: target))
        }
    }

    /// Called before another change of the contents.
    ///
    /// - Parameter present: the present order.
    func endFollowing(_ present: [NSManagedObject]) {
        if list == nil { finish(with: orderBeforeMoves(present)) }
    }

    private func finish(with order: [NSManagedObject]) {
        list = order
        moves = []
        content = nil
    }
}
