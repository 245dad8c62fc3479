// SPDX-License-Identifier: Apache-2.0

/// The effect of a transition of a membership, for the caches that depend on the members.
enum MembershipTransition {
    /// Nothing has changed.
    case none
    /// The members are the same, or not known; other parts of the membership have changed.
    case recorded
    /// An object was added. `at` is its index in the order; nil for an unordered relationship.
    case inserted(NSManagedObject, at: Int?)
    /// A member was removed. `at` is its former index in the order; nil if the index is not known.
    case removed(NSManagedObject, at: Int?)
    /// Members of an ordered relationship were moved. `to` is the index of the first moved member after the move.
    case moved([NSManagedObject], from: IndexSet, to: Int)
    /// The members or their order have changed in another way.
    case replaced

    var isChange: Bool {
        if case .none = self { return false }
        return true
    }
}
