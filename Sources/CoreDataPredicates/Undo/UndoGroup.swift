/// The actions that one undo or redo performs together.
final class UndoGroup {
    enum Step {
        case action(UndoAction)
        case group(UndoGroup)
    }

    var steps: [Step] = []
    var name = ""
    var isDiscardable = false
    var userInfo: [UndoManager.UserInfoKey: Any] = [:]

    /// Performs the steps, the last one first.
    func perform() {
        // Groups within each other are as deep as the program nested them; a list of its own keeps the stack flat.
        var rest = steps
        while let step = rest.popLast() {
            switch step {
            case .action(let action): action.perform()
            case .group(let group): rest.append(contentsOf: group.steps)
            }
        }
    }

    /// Takes out what would call a target, also from groups inside.
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

    /// Takes what a group says of itself: a redo is named and marked as the undo that it takes back.
    func describe(as other: UndoGroup) {
        name = other.name
        isDiscardable = other.isDiscardable
        userInfo = other.userInfo
    }
}

/// One registered action. Its target is not kept alive; with the target the action is gone.
final class UndoAction {
    private weak var target: AnyObject?
    /// Tells the target also while it goes.
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
