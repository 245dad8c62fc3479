/// A membership as lists of names, compared whole: the reference for `Membership`.
struct ReferenceMembership {
    let isOrdered: Bool
    private(set) var isLoaded: Bool
    private(set) var members: [Int] = []
    private(set) var committed: [Int] = []
    /// Whether the order was changed since the last save, though it may be the same again.
    private var isTouched = false
    /// The changes while the members are not loaded.
    private var added: [Int] = []
    private var removed: [Int] = []
    /// The additions in order, with members that were removed and added again.
    private(set) var pending: [Int] = []

    init(isOrdered: Bool) { (self.isOrdered, isLoaded) = (isOrdered, false) }

    var additions: [Int] {
        isLoaded ? members.filter { !committed.contains($0) } : isOrdered ? pendingAdditions : added
    }
    var removals: [Int] { isLoaded ? committed.filter { !members.contains($0) } : removed }
    private var pendingAdditions: [Int] { pending.filter(added.contains) }

    var isChanged: Bool {
        guard isLoaded else { return !added.isEmpty || !removed.isEmpty || !pending.isEmpty }
        return isOrdered ? members != committed : Set(members) != Set(committed)
    }

    // MARK: Transitions

    mutating func insert(_ member: Int, at position: Int?) {
        if isLoaded {
            guard !members.contains(member) else { return }
            members.insert(member, at: position ?? members.count)
            isTouched = true
        } else if !added.contains(member) {
            if removed.contains(member) { removed.removeAll { $0 == member } } else { added.append(member) }
            if isOrdered && !pending.contains(member) { pending.append(member) }
        }
    }

    mutating func remove(_ member: Int) {
        if isLoaded {
            if members.contains(member) { isTouched = true }
            members.removeAll { $0 == member }
        } else if !removed.contains(member) {
            if added.contains(member) { added.removeAll { $0 == member } } else { removed.append(member) }
            pending.removeAll { $0 == member }
        }
    }

    mutating func removeAll() {
        if !members.isEmpty { isTouched = true }
        members = []
    }

    mutating func move(_ source: Int, to target: Int) {
        members.insert(members.remove(at: source), at: target)
        isTouched = true
    }

    mutating func reorder(_ order: [Int]) { (members, isTouched) = (order, true) }

    mutating func moveToEnd(_ member: Int) {
        if !isLoaded {
            pending = pending.filter { $0 != member } + (added.contains(member) ? [member] : [])
        } else if let index = members.firstIndex(of: member), index < members.count - 1 {
            move(index, to: members.count - 1)
        }
    }

    mutating func undo(_ member: Int) {
        (added, removed) = (added.filter { $0 != member }, removed.filter { $0 != member })
        pending.removeAll { $0 == member }
        guard isLoaded, members.contains(member) != committed.contains(member) else { return }
        if members.contains(member) { members.removeAll { $0 == member } } else { members.append(member) }
        if Set(members) == Set(committed) { members = committed }
    }

    mutating func discard(_ member: Int) {
        for list in [\Self.members, \.committed, \.added, \.removed, \.pending] {
            self[keyPath: list].removeAll { $0 == member }
        }
    }

    mutating func commit() {
        committed = members
        forgetChanges()
    }

    mutating func rollback() {
        members = committed
        forgetChanges()
    }

    private mutating func forgetChanges() { (added, removed, pending, isTouched) = ([], [], [], false) }

    mutating func load(_ stored: [Int]) {
        let (last, additions, removals) = (isLoaded || !isOrdered ? additions : pending, additions, removals)
        let end = last.filter { additions.contains($0) || stored.contains($0) }
        members = stored.filter { !removals.contains($0) && !end.contains($0) } + end
        isLoaded = true
        committed = stored
        forgetChanges()
        isTouched = members != stored
    }

    mutating func rebase(onto stored: [Int], keepsOrder: Bool, keepsMembers: Bool) {
        guard isLoaded else { return load(stored) }
        if keepsMembers {
            committed = stored
            isTouched = true
            return
        }
        let (own, wasTouched) = (members, isTouched)
        if isOrdered && wasTouched && committed == stored { return }
        load(stored)
        guard isOrdered && keepsOrder && wasTouched else { return }
        members = own.filter(members.contains) + members.filter { !own.contains($0) }
        isTouched = true
    }
}
