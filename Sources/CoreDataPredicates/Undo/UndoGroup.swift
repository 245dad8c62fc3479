// SPDX-License-Identifier: Apache-2.0

/// The actions that one undo or redo performs.
final class UndoGroup {
    enum Step {
        case action(UndoAction)
        case group(UndoGroup)
    }

    var steps: [Step] = []
    var name = ""
    var isDiscardable = false
    var userInfo: [UndoManager.UserInfoKey: Any] = [:]

    /// Performs the steps in reverse order.
    func perform() {
        // Groups may be nested deep, so this loop uses an explicit stack instead of recursion.
        var rest = steps
        while let step = rest.popLast() {
            switch step {
            case .action(let action): action.perform()
            case .group(let group): rest.append(contentsOf: group.steps)
            }
        }
    }

    deinit {
        // Each nested group would end within the end of the outer one.
        var waiting = nestedGroups
        if waiting.isEmpty { return }
        steps = []
        while var group = waiting.popLast() {
            guard isKnownUniquelyReferenced(&group) else { continue }
            waiting += group.nestedGroups
            group.steps = []
        }
    }

    private var nestedGroups: [UndoGroup] {
        steps.compactMap { step in
            if case .group(let group) = step { group } else { nil }
        }
    }

    /// Removes the actions of a target, also from nested groups, and the nested groups that become empty.
    ///
    /// - Returns: the removed steps. The objects that their handlers retain may use the manager in their `deinit`, so
    ///   the caller releases the steps when the manager is in order.
    func removeActions(of target: ObjectIdentifier) -> [Step] {
        // Outer groups come before the groups in them.
        var groups = [self]
        var next = 0
        while next < groups.count {
            groups += groups[next].nestedGroups
            next += 1
        }
        var removed: [Step] = []
        for group in groups.reversed() {
            var kept: [Step] = []
            for step in group.steps {
                let isRemoved =
                    switch step {
                    case .action(let action): action.identity == target
                    case .group(let group): group.steps.isEmpty
                    }
                if isRemoved { removed.append(step) } else { kept.append(step) }
            }
            if kept.count < group.steps.count { group.steps = kept }
        }
        return removed
    }

    /// Copies the name and marks of a group: a redo has the name and marks of the undo that it reverts.
    func copyAttributes(of other: UndoGroup) {
        name = other.name
        isDiscardable = other.isDiscardable
        userInfo = other.userInfo
    }
}

/// One registered action. It doesn't retain its target; without the target it does nothing.
final class UndoAction {
    private weak var target: AnyObject?
    /// Identifies the target, also during its deallocation.
    let identity: ObjectIdentifier
    private let handler: (AnyObject) -> Void

    init(target: AnyObject, handler: @escaping (AnyObject) -> Void) {
        self.target = target
        identity = ObjectIdentifier(target)
        self.handler = handler
    }

    func perform() {
        if let target { handler(target) }
    }
}

/// The closed groups, the newest last. Groups that leave the stack are returned: see ``UndoGroup/removeActions(of:)``.
struct UndoStack {
    private var groups: [UndoGroup] = []

    var isEmpty: Bool { groups.isEmpty }
    var count: Int { groups.count }
    var last: UndoGroup? { groups.last }

    mutating func push(_ group: UndoGroup) { groups.append(group) }

    mutating func pop() -> UndoGroup? { groups.popLast() }

    mutating func removeAll() -> [UndoGroup] {
        defer { groups = [] }
        return groups
    }

    /// - Returns: what was removed.
    mutating func removeActions(of target: ObjectIdentifier) -> (steps: [UndoGroup.Step], groups: [UndoGroup]) {
        let steps = groups.flatMap { $0.removeActions(of: target) }
        let empty = groups.filter(\.steps.isEmpty)
        if !empty.isEmpty { groups.removeAll { $0.steps.isEmpty } }
        return (steps, empty)
    }

    /// Removes the oldest groups above a number; 0 for no limit.
    mutating func limit(to count: Int) -> [UndoGroup] {
        guard count > 0, groups.count > count else { return [] }
        let oldest = Array(groups.prefix(groups.count - count))
        groups.removeFirst(oldest.count)
        return oldest
    }
}
