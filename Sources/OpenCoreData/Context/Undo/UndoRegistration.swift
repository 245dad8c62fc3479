/// A context's part in its undo manager.
struct UndoRegistration {
    var manager: UndoManager?
    /// Told of the manager's checkpoints.
    var observer: (any NSObjectProtocol)?
    /// Above zero while changes are made that nobody can take back.
    var suspensions = 0
    /// The objects that an undo or redo may bring back.
    let returning = ReturningObjects()
    /// Deleted objects that an undo has brought back, to be told by the next change notification.
    var returned: [NSManagedObject] = []
    /// Objects that an undo may have left as the store has them.
    var settling: [NSManagedObject] = []
}

extension NSManagedObjectContext {
    /// Takes another undo manager, and follows its checkpoints; nil for none. The old one forgets the context's
    /// actions.
    final func follow(_ manager: UndoManager?) {
        guard manager !== undoRegistration.manager else { return }
        leaveUndoManager()
        undoRegistration.manager = manager
        guard let manager else { return }
        // Who posts the notification uses the context's objects there as well, so it is on the context's queue.
        weak let context = self
        undoRegistration.observer = NotificationCenter.default.addObserver(
            forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
        ) { _ in
            context?.processChanges()
        }
    }

    /// Forgets the undo manager, which forgets the context's actions.
    final func leaveUndoManager() {
        if let observer = undoRegistration.observer { NotificationCenter.default.removeObserver(observer) }
        undoRegistration.observer = nil
        forgetUndo()
        undoRegistration.manager = nil
    }

    /// Forgets how to take changes back.
    final func forgetUndo() {
        undoRegistration.returned = []
        undoRegistration.settling = []
        undoRegistration.manager?.removeActions(ofTarget: ObjectIdentifier(self))
    }
}
