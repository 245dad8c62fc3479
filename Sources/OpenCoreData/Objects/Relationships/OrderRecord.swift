// SPDX-License-Identifier: Apache-2.0

/// The order that the members of contents had at one time, for a change event and its undo action.
///
/// A record depends on its contents, which tell it of each change, until the order is read or changes in another way
/// than by moves of one member. Used on the context's queue.
final class OrderRecord {
    private var former: FormerOrder
    private weak var content: ToManyContent?

    /// A record of a list.
    init(_ list: [NSManagedObject]) { former = FormerOrder(list) }

    /// A record of the present order of contents, which must tell it of each change.
    init(following content: ToManyContent) {
        former = FormerOrder()
        self.content = content
    }

    /// The members in the order of that time.
    var order: [NSManagedObject] {
        let present = content?.members ?? []
        endFollowing(present)
        return former.order(present)
    }

    /// Whether contents have not changed since they were recorded.
    func isPresentOrder(of other: ToManyContent) -> Bool { former.isPresent && content === other }

    /// Whether the members of contents have the recorded order.
    func isSame(as other: ToManyContent) -> Bool {
        if content !== other { _ = order }
        return former.isSame(as: other.members)
    }

    // MARK: Following the contents

    /// Called before a member is moved.
    func willMove(_ source: Int, to target: Int, in present: [NSManagedObject]) {
        former.willMove(source, to: target, in: present)
    }

    /// Called before another change of the contents.
    ///
    /// - Parameter present: the present order.
    func endFollowing(_ present: [NSManagedObject]) {
        former.keep(present)
        content = nil
    }
}
