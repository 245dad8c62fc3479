// SPDX-License-Identifier: Apache-2.0

/// The effect of a transition of a membership, for the caches that depend on the members.
enum MembershipTransition {
    /// Nothing has changed.
    case none
    /// The members are the same, or not known; other parts of the membership have changed.
    case recorded
    /// An object was added. The index is that in the order, nil without one.
    case inserted(NSManagedObject, at: Int?)
    /// A member was removed. The index is that in the order, nil if it is not known.
    case removed(NSManagedObject, at: Int?)
    /// Members of an ordered relationship were moved. The index is that of the first of them after the move.
    case moved([NSManagedObject], from: IndexSet, to: Int)
    /// The members or their order are others.
    case replaced

    var isChange: Bool {
        if case .none = self { return false }
        return true
    }
}
