// SPDX-License-Identifier: Apache-2.0

extension Membership {
    /// The violated invariants; for tests.
    ///
    /// - No object is both added and removed.
    /// - Loaded members: additions are members, removals are not; each member is listed once.
    /// - Members that are not loaded: the only list is the list of ordered additions, which contains each addition once
    ///   and no removal.
    /// - Loaded, ordered members that don't count as moved have the committed order among themselves.
    mutating func checkInvariants() -> [String] {
        var violations: [String] = []
        func check(_ isSatisfied: Bool, _ invariant: String) { if !isSatisfied { violations.append(invariant) } }
        let (added, removed, pending) = (Set(additions), Set(removals), pendingAdditions)
        let members = members
        check(added.isDisjoint(with: removed), "an object is both added and removed")
        check(removed.count == removals.count, "an object is removed twice")
        check(removals.allSatisfy { isRemoved($0) }, "a removal is not found")
        check(additions.allSatisfy { isAdded($0) }, "an addition is not found")
        check(Set(pending).count == pending.count, "an object is a pending addition twice")
        check(removed.isDisjoint(with: pending), "a pending addition is removed")
        if isLoaded {
            check(added.isSubset(of: members), "an addition is no member")
            check(removed.isDisjoint(with: members), "a removed object is a member")
            check(pending.isEmpty, "loaded contents have pending additions")
            check(Set(members).count == members.count && members.count == count, "a member is listed twice")
            check(members.allSatisfy { contains($0) }, "a member is not found")
        } else {
            check(members.isEmpty && count == 0, "contents that are not loaded have members")
            check(isOrdered || pending.isEmpty, "contents without order have pending additions")
            check(!isOrdered || added.isSubset(of: pending), "an ordered addition is not pending")
        }
        check(!isLoaded || !isOrdered || placementsAreComplete, "a member was moved and counts as unmoved")
        return violations
    }

    /// Whether the members that don't count as placed have the committed order among themselves.
    private var placementsAreComplete: Bool {
        mutating get {
            guard let placed else { return true }
            let unmoved = members.filter { !placed.contains($0) }
            return committed.filter { !placed.contains($0) && contains($0) }.elementsEqual(unmoved, by: ===)
        }
    }
}
