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
        // Groups may be nested deep, so this loop uses a stack of its own instead of recursion.
        var rest = steps
        while let step = rest.popLast() {
            switch step {
            case .action(let action): action.perform()
            case .group(let group): rest.append(contentsOf: group.steps)
            }
        }
    }

    /// Removes the actions of a target, also from nested groups.
    func removeActions(of target: ObjectIdentifier) {
        steps.removeAll { step in
            switch step {
            case .action(let action):
                return action.identity == target
            case .group(let group):
                group.removeActions(of: target)
                return group.steps.isEmpty
            }
        }
    }

    /// Copies the name and marks of a group: a redo has those of the undo that it reverts.
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

/// The closed groups, the newest last.
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

    /// Removes the oldest groups above a number; 0 for no limit.
    mutating func limit(to count: Int) {
        if count > 0, groups.count > count { groups.removeFirst(groups.count - count) }
    }
}
