/// Notes how to take changes back, in groups, and undoes and redoes them: `UndoManager` of Apple's Foundation, which
/// Linux's lacks.
///
/// Actions are registered in groups. While ``groupsByEvent`` is true, the first action opens a group that closes by
/// itself: on the main queue at its next turn, elsewhere with the next ``undo()``, or when the queue of a managed
/// object context ends an event. Use an undo manager on one queue at a time; that of a context belongs to the context's
/// queue.
open class UndoManager: NSObject {
    private enum Activity { case none, undoing, redoing }

    private var undone = UndoStack()
    private var redone = UndoStack()
    /// The open groups, outermost first.
    private var open: [UndoGroup] = []
    private var activity = Activity.none
    private var disablings = 0
    /// Tells one event group from the next, for the turn of the queue that is to close it.
    private var eventNumber = 0
    private var hasOpenEvent = false

    public override init() {
        super.init()
        MainQueue.mark()
    }

    // MARK: Groups

    /// Opens a group, inside the one that is open if any.
    ///
    /// Posts `NSUndoManagerDidOpenUndoGroup`, and before it `NSUndoManagerCheckpoint` if the group is not the
    /// outermost.
    open func beginUndoGrouping() {
        if open.isEmpty, groupsByEvent, activity == .none { openEvent() }
        openGroup()
    }

    /// Closes the group that was opened last; closing the outermost makes it what the next undo takes back.
    ///
    /// Stops the program if no group is open. Posts `NSUndoManagerCheckpoint`, `NSUndoManagerWillCloseUndoGroup` and
    /// `NSUndoManagerDidCloseUndoGroup`.
    open func endUndoGrouping() {
        guard let group = open.last else {
            programmingError("endUndoGrouping was called with no matching begin. Call beginUndoGrouping() first.")
        }
        post(.NSUndoManagerCheckpoint)
        let info: [AnyHashable: Any]? =
            group.isDiscardable ? [NSUndoManagerGroupIsDiscardableKey: NSNumber(value: true)] : nil
        post(.NSUndoManagerWillCloseUndoGroup, info)
        open.removeLast()
        if let outer = open.last {
            outer.steps.append(.group(group))
            // A name given inside names the whole, as the menu shows one name only.
            if outer.name.isEmpty { outer.name = group.name }
        } else {
            // An event whose actions were forgotten leaves nothing to undo.
            if !(hasOpenEvent && group.steps.isEmpty) { keep(group) }
            hasOpenEvent = false
        }
        post(.NSUndoManagerDidCloseUndoGroup, info)
    }

    private func keep(_ group: UndoGroup) {
        if activity == .undoing { redone.push(group, limit: 0) } else { undone.push(group, limit: levelsOfUndo) }
    }

    /// How many groups are open, one inside the other.
    open var groupingLevel: Int { open.count }

    /// Whether a group is opened by itself for the actions of one event. True at first; set it while no group is open.
    open var groupsByEvent = true

    /// The modes of the main run loop in which the groups of events are closed; the default mode at first.
    open var runLoopModes: [RunLoop.Mode] = [.default]

    /// The greatest number of groups kept; 0, the value at first, for no limit. The oldest are dropped.
    open var levelsOfUndo = 0 {
        didSet {
            undone.limit(to: levelsOfUndo)
            redone.limit(to: levelsOfUndo)
        }
    }

    // MARK: Registration

    /// Stops taking actions, until as many calls of ``enableUndoRegistration()`` have come.
    open func disableUndoRegistration() { disablings += 1 }

    /// Takes actions again. Stops the program if they are taken already.
    open func enableUndoRegistration() {
        guard disablings > 0 else {
            programmingError(
                "enableUndoRegistration was called with no matching call to disableUndoRegistration. Call that first.")
        }
        disablings -= 1
    }

    /// Whether actions are taken.
    open var isUndoRegistrationEnabled: Bool { disablings == 0 }

    /// Registers what takes a change back.
    ///
    /// While undoing, the action is registered for redo. Stops the program if no group is open and ``groupsByEvent`` is
    /// false.
    /// - Parameters:
    ///   - target: the object that the handler gets. It is not kept alive: the action is gone with it.
    ///   - handler: takes the change back; what it registers takes the undo back.
    public final func registerUndo<TargetType: AnyObject>(
        withTarget target: TargetType, handler: @escaping (TargetType) -> Void
    ) {
        register(UndoAction(target: target) { handler(unsafeDowncast($0, to: TargetType.self)) })
    }

    private func register(_ action: UndoAction) {
        guard disablings == 0 else { return }
        if open.isEmpty {
            guard groupsByEvent else {
                programmingError(
                    """
                    registerUndo needs an open undo group. Call beginUndoGrouping() first, or let groupsByEvent be \
                    true.
                    """
                )
            }
            openEvent()
        }
        if activity == .none { redone.removeAll() }
        open[open.count - 1].steps.append(.action(action))
    }

    /// Forgets every action and open group, and takes actions again.
    open func removeAllActions() {
        undone.removeAll()
        redone.removeAll()
        open.removeAll()
        hasOpenEvent = false
        disablings = 0
    }

    /// Forgets the actions on a target. Groups that are empty then are gone too.
    open func removeAllActions(withTarget target: Any) {
        removeActions(ofTarget: ObjectIdentifier(target as AnyObject))
    }

    /// Forgets the actions on a target, which may be going.
    package final func removeActions(ofTarget target: ObjectIdentifier) {
        undone.removeActions(of: target)
        redone.removeActions(of: target)
        for group in open { group.removeActions(of: target) }
    }

    // MARK: Undoing

    /// Undoes the last group. Closes the group of the event that is under way.
    ///
    /// Stops the program if more groups than that are open. Posts the notifications of ``undoNestedGroup()``, the first
    /// of them before it closes the group: who registers late belongs to it.
    open func undo() {
        checkpoint("undo")
        if groupsByEvent, open.count == 1 { endUndoGrouping() }
        guard open.isEmpty else {
            programmingError(
                """
                undo was called with too many nested undo groups (\(open.count)). Close them by endUndoGrouping() \
                first.
                """
            )
        }
        undoLast()
    }

    /// Undoes the last group, the last closed one inside the open group if there is one, and notes its redo as one
    /// group.
    ///
    /// Stops the program while undoing or redoing. Posts `NSUndoManagerCheckpoint` and `NSUndoManagerWillUndoChange`
    /// before, and `NSUndoManagerDidUndoChange` after it; does nothing if there is nothing to undo.
    open func undoNestedGroup() {
        checkpoint("undo")
        undoLast()
    }

    /// Lets those register who do so late.
    private func checkpoint(_ method: String) {
        guard activity == .none else {
            programmingError(
                """
                \(method) was called while undoing or redoing. Let the handlers of actions only make and register \
                changes.
                """
            )
        }
        post(.NSUndoManagerCheckpoint)
    }

    private func undoLast() {
        let group: UndoGroup
        if let current = open.last {
            guard case .group(let nested)? = current.steps.last else { return }
            current.steps.removeLast()
            group = nested
        } else {
            guard let last = undone.pop() else { return }
            group = last
        }
        perform(group, as: .undoing, announcing: .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange)
    }

    /// Redoes the last group that was undone.
    ///
    /// Stops the program while undoing or redoing, or with a group open. Posts `NSUndoManagerCheckpoint` and
    /// `NSUndoManagerWillRedoChange` before, and `NSUndoManagerDidRedoChange` after it; does nothing if there is
    /// nothing to redo.
    open func redo() {
        checkpoint("redo")
        if groupsByEvent, open.count == 1 { endUndoGrouping() }
        guard open.isEmpty else {
            programmingError(
                "redo was called with \(open.count) open undo groups. Close them by endUndoGrouping() first.")
        }
        guard let group = redone.pop() else { return }
        perform(group, as: .redoing, announcing: .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange)
    }

    /// Performs a group, and notes what its actions register as the group that takes it back.
    private func perform(
        _ group: UndoGroup, as activity: Activity, announcing before: NSNotification.Name, _ after: NSNotification.Name
    ) {
        post(before)
        let outer = (open, hasOpenEvent)
        (open, hasOpenEvent) = ([], false)
        self.activity = activity
        openGroup()
        group.perform()
        while open.count > 1 { endUndoGrouping() }
        open[0].describe(as: group)
        endUndoGrouping()
        self.activity = .none
        (open, hasOpenEvent) = outer
        post(after)
    }

    /// Whether there is something to undo, in a closed group or the open one.
    open var canUndo: Bool { !undone.isEmpty || open.contains { !$0.steps.isEmpty } }

    /// Whether there is something to redo. Posts `NSUndoManagerCheckpoint`, so that who registers late may do it first.
    open var canRedo: Bool {
        post(.NSUndoManagerCheckpoint)
        return !redone.isEmpty
    }

    /// The number of groups that can be undone.
    open var undoCount: Int { undone.count }

    /// The number of groups that can be redone.
    open var redoCount: Int { redone.count }

    /// Whether an undo is being performed.
    open var isUndoing: Bool { activity == .undoing }

    /// Whether a redo is being performed.
    open var isRedoing: Bool { activity == .redoing }

    // MARK: What is said of an action

    /// The open group, or else the one that would be undone: what is said of an action is said of its group.
    private var described: UndoGroup? {
        // Changes may be waiting to be registered, which opens their group.
        if open.isEmpty, activity == .none { post(.NSUndoManagerCheckpoint) }
        return open.last ?? undone.last
    }

    /// Says whether the open group could be left out, for example because it only changed a selection.
    open func setActionIsDiscardable(_ discardable: Bool) { described?.isDiscardable = discardable }

    /// Whether the next action to undo is discardable.
    open var undoActionIsDiscardable: Bool { undone.last?.isDiscardable ?? false }

    /// Whether the next action to redo is discardable.
    open var redoActionIsDiscardable: Bool { redone.last?.isDiscardable ?? false }

    /// The name of the next action to undo, empty if it has none.
    open var undoActionName: String { undone.last?.name ?? "" }

    /// The name of the next action to redo, empty if it has none.
    open var redoActionName: String { redone.last?.name ?? "" }

    /// Names the action of the open group, or else of the group closed last.
    open func setActionName(_ actionName: String) { described?.name = actionName }

    /// What ``setActionUserInfoValue(_:forKey:)`` noted with the next action to undo.
    open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { undone.last?.userInfo[key] }

    /// What ``setActionUserInfoValue(_:forKey:)`` noted with the next action to redo.
    open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { redone.last?.userInfo[key] }

    /// Notes a value with the action of the open group; nil takes it away.
    open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) { described?.userInfo[key] = info }

    /// The text of a menu's item for undo: "Undo", and the action's name.
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

    /// The text of a menu's item for redo: "Redo", and the action's name.
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// The text of a menu's item for the undo of a named action. Override to localize it.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// The text of a menu's item for the redo of a named action. Override to localize it.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    // MARK: Events

    /// Closes the group that an event opened, if nothing has been opened inside it: the event is over.
    package final func endEvent() {
        if hasOpenEvent, open.count == 1, activity == .none { endUndoGrouping() }
    }

    private func openEvent() {
        openGroup()
        hasOpenEvent = true
        guard MainQueue.isCurrent || Thread.isMainThread else { return }
        eventNumber += 1
        // The block runs on the main queue, where the manager is used.
        nonisolated(unsafe) weak let manager = self
        let number = eventNumber
        let close: @Sendable () -> Void = {
            guard let manager, manager.eventNumber == number else { return }
            manager.endEvent()
        }
        if runLoopModes == [.default] {
            DispatchQueue.main.async(execute: close)
        } else {
            RunLoop.main.perform(inModes: runLoopModes, block: close)
        }
    }

    private func openGroup() {
        if !open.isEmpty { post(.NSUndoManagerCheckpoint) }
        open.append(UndoGroup())
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    private func post(_ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
        NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
    }
}
