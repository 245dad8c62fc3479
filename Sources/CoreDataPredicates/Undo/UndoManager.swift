// SPDX-License-Identifier: Apache-2.0

/// Records actions that revert changes, in groups, and performs them for undo and redo. Apple's Foundation has this
/// class, Foundation on Linux lacks it.
///
/// A managed object context with an undo manager registers its changes itself. Other objects register an action for
/// each change. The action reverts the change. The actions that it registers in turn become the redo:
///
/// ```swift
/// final class Document {
///     let undoManager = UndoManager()
///     private(set) var title = ""
///
///     func setTitle(_ title: String) {
///         let old = self.title
///         undoManager.registerUndo(withTarget: self) { $0.setTitle(old) }
///         undoManager.setActionName("Change Title")
///         self.title = title
///     }
/// }
///
/// let document = Document()
/// document.setTitle("Help")
/// document.undoManager.undo()  // title is "" again
/// document.undoManager.redo()  // title is "Help"
/// ```
///
/// One ``undo()`` reverts one group. While ``groupsByEvent`` is true, the first action of an event opens a group, which
/// the end of the event closes: on the main queue its next turn, in a managed object context the end of `perform(_:)`
/// or `processPendingChanges()`, elsewhere the next ``undo()``. With ``beginUndoGrouping()`` and ``endUndoGrouping()``
/// the program opens and closes groups itself.
///
/// ``undo()`` and ``redo()`` stop the program inside an undo or redo, and while a group is open that the program has
/// opened itself. Use an undo manager on one queue at a time; the undo manager of a context belongs to the queue of the
/// context.
nonisolated open class UndoManager: NSObject {
    private enum Activity { case none, undoing, redoing }

    private var undoStack = UndoStack()
    private var redoStack = UndoStack()
    /// The open groups, outermost first.
    private var openGroups: [UndoGroup] = []
    private var activity = Activity.none
    private var disableCount = 0
    /// The number of the last event group, so that a turn of the main queue closes only the group that its event
    /// opened.
    private var eventNumber = 0
    private var hasOpenEvent = false

    /// Creates an undo manager that groups actions by event.
    public override init() {
        super.init()
        MainQueue.mark()
    }

    // MARK: Groups

    /// Opens a group, nested in the open group if there is one.
    ///
    /// Posts `NSUndoManagerDidOpenUndoGroup`, and before it `NSUndoManagerCheckpoint` if the group is not the
    /// outermost.
    open func beginUndoGrouping() {
        if openGroups.isEmpty, groupsByEvent, activity == .none { openEvent() }
        openGroup()
    }

    /// Closes the group that was opened last. The next undo reverts the outermost group.
    ///
    /// Stops the program if no group is open. Posts `NSUndoManagerCheckpoint`, `NSUndoManagerWillCloseUndoGroup` and
    /// `NSUndoManagerDidCloseUndoGroup`.
    open func endUndoGrouping() {
        guard let group = openGroups.last else {
            programmingError("endUndoGrouping() was called without an open group. Call beginUndoGrouping() first.")
        }
        post(.NSUndoManagerCheckpoint)
        let info: [AnyHashable: Any]? =
            group.isDiscardable ? [NSUndoManagerGroupIsDiscardableKey: NSNumber(value: true)] : nil
        post(.NSUndoManagerWillCloseUndoGroup, info)
        // An observer may have closed the group, by an undo for instance.
        guard openGroups.last === group else { return }
        openGroups.removeLast()
        if let outer = openGroups.last {
            outer.steps.append(.group(group))
            // The menu shows one name, so an outer group without a name takes the name of the nested group.
            if outer.name.isEmpty { outer.name = group.name }
        } else {
            // An event whose actions were all removed doesn't go onto the stack.
            if !(hasOpenEvent && group.steps.isEmpty) { push(group) }
            hasOpenEvent = false
        }
        post(.NSUndoManagerDidCloseUndoGroup, info)
    }

    private func push(_ group: UndoGroup) {
        if activity == .undoing { return redoStack.push(group) }
        undoStack.push(group)
        _ = undoStack.limit(to: levelsOfUndo)
    }

    /// The number of open groups, nested groups included.
    open var groupingLevel: Int { openGroups.count }

    /// Whether the first action of an event opens a group. The default is true. Set it while no group is open.
    open var groupsByEvent = true

    /// The modes of the main run loop in which the groups of events are closed. The default is the default mode.
    open var runLoopModes: [RunLoop.Mode] = [.default]

    /// The greatest number of groups that can be undone; older groups are removed. 0, the default, means no limit.
    open var levelsOfUndo = 0 {
        didSet {
            _ = undoStack.limit(to: levelsOfUndo)
            _ = redoStack.limit(to: levelsOfUndo)
        }
    }

    // MARK: Registration

    /// Ignores actions until ``enableUndoRegistration()`` has been called as many times.
    open func disableUndoRegistration() { disableCount += 1 }

    /// Reverts one call of ``disableUndoRegistration()``. Stops the program without such a call.
    open func enableUndoRegistration() {
        guard disableCount > 0 else {
            programmingError(
                """
                enableUndoRegistration() was called without disableUndoRegistration(). Call disableUndoRegistration() \
                first.
                """)
        }
        disableCount -= 1
    }

    /// Whether actions are registered.
    open var isUndoRegistrationEnabled: Bool { disableCount == 0 }

    /// Registers an action that reverts a change.
    ///
    /// During an undo, the action is registered for redo. Stops the program if no group is open and ``groupsByEvent``
    /// is false.
    ///
    /// - Parameters:
    ///   - target: the argument of the handler. It isn't retained; once it is freed, the action does nothing.
    ///   - handler: reverts the change. The actions that it registers become the redo.
    public final func registerUndo<TargetType: AnyObject>(
        withTarget target: TargetType, handler: @escaping (TargetType) -> Void
    ) {
        register(UndoAction(target: target) { handler(unsafeDowncast($0, to: TargetType.self)) })
    }

    /// Registers an action that calls a method of a target.
    ///
    /// On Linux the selector must contain a call of the method: the build plugin makes such a selector from
    /// `#selector`. Another selector stops the program.
    ///
    /// - Parameters:
    ///   - target: the object whose method is called. It isn't retained; once it is freed, the action does nothing.
    ///   - selector: the method, with at most one argument.
    ///   - anObject: the argument. It is retained.
    open func registerUndo(withTarget target: Any, selector: Selector, object anObject: Any?) {
        guard let method = selector.method else {
            programmingError(
                """
                UndoManager can't call \(selector) of \(type(of: target)): on Linux a name is not enough. Put the file \
                with #selector into a folder that the target excludes, so that CoreDataModelPlugin compiles it, or use \
                registerUndo(withTarget:handler:).
                """)
        }
        register(UndoAction(target: target as AnyObject) { method($0, anObject) })
    }

    private func register(_ action: UndoAction) {
        guard disableCount == 0 else { return }
        if openGroups.isEmpty {
            guard groupsByEvent else {
                programmingError(
                    """
                    registerUndo(withTarget:handler:) needs an open undo group. Call beginUndoGrouping() first, or set \
                    groupsByEvent to true.
                    """
                )
            }
            openEvent()
            // An observer may have closed the group again.
            if openGroups.isEmpty { openGroups.append(UndoGroup()) }
        }
        openGroups[openGroups.count - 1].steps.append(.action(action))
        if activity == .none, !redoStack.isEmpty { _ = redoStack.removeAll() }
    }

    /// Removes all actions and open groups, and enables the registration of actions.
    open func removeAllActions() {
        let removed = (undoStack.removeAll(), redoStack.removeAll(), openGroups)
        openGroups = []
        hasOpenEvent = false
        disableCount = 0
        withExtendedLifetime(removed) {}
    }

    /// Removes the actions of a target, and the groups that become empty.
    ///
    /// - Parameter target: the target of the actions.
    open func removeAllActions(withTarget target: Any) {
        removeActions(ofTarget: ObjectIdentifier(target as AnyObject))
    }

    /// Removes the actions of a target. May be called during its deallocation.
    package final func removeActions(ofTarget target: ObjectIdentifier) {
        let removed = (undoStack.removeActions(of: target), redoStack.removeActions(of: target))
        let open = openGroups.map { $0.removeActions(of: target) }
        withExtendedLifetime((removed, open)) {}
    }

    // MARK: Undoing

    /// Closes the group of the current event, and undoes the last group.
    ///
    /// Stops the program while undoing or redoing, or if other groups are open. Posts the notifications of
    /// ``undoNestedGroup()``. `NSUndoManagerCheckpoint` comes before the group is closed, so that its observers can
    /// still register actions.
    open func undo() {
        checkpoint("undo")
        if groupsByEvent, openGroups.count == 1 { endUndoGrouping() }
        guard openGroups.isEmpty else {
            programmingError(
                """
                undo() was called with \(Wording.count(openGroups.count, "open undo group")). \
                Call endUndoGrouping() for each group first.
                """
            )
        }
        undoLast()
    }

    /// Undoes the last group: the last closed group inside the open group, or else the last outermost group. Its redo
    /// is one group.
    ///
    /// Stops the program while undoing or redoing. Posts `NSUndoManagerCheckpoint` and `NSUndoManagerWillUndoChange`
    /// before the undo, and `NSUndoManagerDidUndoChange` after it. Without a group it does nothing.
    open func undoNestedGroup() {
        checkpoint("undo")
        undoLast()
    }

    /// Posts `NSUndoManagerCheckpoint`, so that observers can register pending changes.
    private func checkpoint(_ method: String) {
        guard activity == .none else {
            programmingError(
                """
                \(method)() was called while undoing or redoing. An undo handler must only make and register changes.
                """
            )
        }
        post(.NSUndoManagerCheckpoint)
    }

    private func undoLast() {
        let group: UndoGroup
        if let current = openGroups.last {
            guard case .group(let nested)? = current.steps.last else { return }
            current.steps.removeLast()
            group = nested
        } else {
            guard let last = undoStack.pop() else { return }
            group = last
        }
        perform(group, as: .undoing, posting: .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange)
    }

    /// Redoes the last group that was undone.
    ///
    /// Stops the program while undoing or redoing, or if a group is open that the program has opened itself. Posts
    /// `NSUndoManagerCheckpoint` and `NSUndoManagerWillRedoChange` before the redo, and `NSUndoManagerDidRedoChange`
    /// after it. Without a group it does nothing.
    open func redo() {
        checkpoint("redo")
        if groupsByEvent, openGroups.count == 1 { endUndoGrouping() }
        guard openGroups.isEmpty else {
            programmingError(
                """
                redo() was called with \(Wording.count(openGroups.count, "open undo group")). \
                Call endUndoGrouping() for each group first.
                """)
        }
        guard let group = redoStack.pop() else { return }
        perform(group, as: .redoing, posting: .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange)
    }

    /// Performs a group. The actions that it registers become the group that reverts it.
    private func perform(
        _ group: UndoGroup, as activity: Activity, posting before: NSNotification.Name, _ after: NSNotification.Name
    ) {
        post(before)
        let outer = (openGroups, hasOpenEvent)
        (openGroups, hasOpenEvent) = ([], false)
        self.activity = activity
        openGroup()
        group.perform()
        while openGroups.count > 1 { endUndoGrouping() }
        // The actions may have removed all groups.
        if let own = openGroups.first {
            own.copyAttributes(of: group)
            endUndoGrouping()
        }
        self.activity = .none
        (openGroups, hasOpenEvent) = outer
        post(after)
    }

    /// Whether a closed or open group has actions to undo.
    open var canUndo: Bool { !undoStack.isEmpty || openGroups.contains { !$0.steps.isEmpty } }

    /// Whether a group can be redone. Posts `NSUndoManagerCheckpoint`, so that observers can register pending changes
    /// first.
    open var canRedo: Bool {
        post(.NSUndoManagerCheckpoint)
        return !redoStack.isEmpty
    }

    /// The number of groups that can be undone.
    open var undoCount: Int { undoStack.count }

    /// The number of groups that can be redone.
    open var redoCount: Int { redoStack.count }

    /// Whether an undo is being performed.
    open var isUndoing: Bool { activity == .undoing }

    /// Whether a redo is being performed.
    open var isRedoing: Bool { activity == .redoing }

    // MARK: Names and values of actions

    /// The group whose name and values are set and read: the open group, or else the last closed one.
    private var currentGroup: UndoGroup? {
        // Observers may register pending changes, which opens a group.
        if openGroups.isEmpty, activity == .none { post(.NSUndoManagerCheckpoint) }
        return openGroups.last ?? undoStack.last
    }

    /// Marks the current group as discardable, for example because it only changed a selection.
    ///
    /// - Parameter discardable: true for a discardable group.
    open func setActionIsDiscardable(_ discardable: Bool) { currentGroup?.isDiscardable = discardable }

    /// Whether the next action to undo is discardable.
    open var undoActionIsDiscardable: Bool { undoStack.last?.isDiscardable ?? false }

    /// Whether the next action to redo is discardable.
    open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }

    /// The name of the next action to undo, empty if it has none.
    open var undoActionName: String { undoStack.last?.name ?? "" }

    /// The name of the next action to redo, empty if it has none.
    open var redoActionName: String { redoStack.last?.name ?? "" }

    /// Sets the name of the open group, or else of the last closed group.
    ///
    /// - Parameter actionName: the name for menus.
    open func setActionName(_ actionName: String) { currentGroup?.name = actionName }

    /// The value of ``setActionUserInfoValue(_:forKey:)`` for the group that the next undo reverts.
    ///
    /// - Parameter key: the key of the value.
    open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { undoStack.last?.userInfo[key] }

    /// The value of ``setActionUserInfoValue(_:forKey:)`` for the group that the next redo performs.
    ///
    /// - Parameter key: the key of the value.
    open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { redoStack.last?.userInfo[key] }

    /// Stores a value with the open group, or else with the last closed group.
    ///
    /// - Parameters:
    ///   - info: the value; nil removes it.
    ///   - key: the key of the value.
    open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) { currentGroup?.userInfo[key] = info }

    /// The title of the menu item for undo: "Undo" and the action's name.
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

    /// The title of the menu item for redo: "Redo" and the action's name.
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// The title of the menu item for the undo of an action. Override it to localize the title.
    ///
    /// - Parameter actionName: the action's name; empty for none.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// The title of the menu item for the redo of an action. Override it to localize the title.
    ///
    /// - Parameter actionName: the action's name; empty for none.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    // MARK: Events

    /// Closes the group of the current event, unless a nested group is open.
    package final func endEvent() {
        if hasOpenEvent, openGroups.count == 1, activity == .none { endUndoGrouping() }
    }

    private func openEvent() {
        openGroup()
        hasOpenEvent = true
        guard MainQueue.isCurrent || Thread.isMainThread else { return }
        eventNumber += 1
        // Safe: the block runs on the main queue, and the manager is used on that queue.
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
        if !openGroups.isEmpty { post(.NSUndoManagerCheckpoint) }
        openGroups.append(UndoGroup())
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    private func post(_ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
        NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
    }
}
