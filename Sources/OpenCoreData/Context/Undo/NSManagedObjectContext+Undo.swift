/// The connection of a context with its undo manager.
struct UndoRegistration {
    var manager: UndoManager?
    /// Observes the manager's checkpoint notifications.
    var observer: (any NSObjectProtocol)?
    /// Above zero during changes that can't be undone.
    var suspensions = 0
    /// The objects that an undo or redo may insert again.
    let restorableObjects = RestorableObjects()
    /// Deleted objects that an undo has restored: part of the next change notification.
    var restored: [NSManagedObject] = []
    /// Objects that may have no unsaved changes after an undo.
    var possiblyUnchanged: [NSManagedObject] = []
}

extension NSManagedObjectContext {
    // MARK: Setting the manager

    /// Replaces the undo manager and observes its checkpoints; nil for no manager. Removes the context's actions from
    /// the previous manager.
    final func setUndoManager(_ manager: UndoManager?) {
        guard manager !== undoRegistration.manager else { return }
        detachUndoManager()
        undoRegistration.manager = manager
        guard let manager else { return }
        // The manager is used on the context's queue, so its notification is posted there too.
        weak let context = self
        undoRegistration.observer = NotificationCenter.default.addObserver(
            forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
        ) { _ in
            context?.processChanges()
        }
    }

    /// Sets the undo manager to nil, and removes the context's actions from it.
    final func detachUndoManager() {
        if let observer = undoRegistration.observer { NotificationCenter.default.removeObserver(observer) }
        undoRegistration.observer = nil
        removeUndoActions()
        undoRegistration.manager = nil
    }

    /// Removes the context's actions from the undo manager.
    final func removeUndoActions() {
        undoRegistration.restored = []
        undoRegistration.possiblyUnchanged = []
        undoRegistration.manager?.removeActions(ofTarget: ObjectIdentifier(self))
    }

    // MARK: Registering actions

    /// Whether changes are registered with an undo manager now.
    final var registersUndo: Bool {
        guard let manager = undoRegistration.manager else { return false }
        return undoRegistration.suspensions == 0 && manager.isUndoRegistrationEnabled
    }

    /// Runs a block whose changes can't be undone.
    final func withoutUndoRegistration<T>(_ body: () throws -> T) rethrows -> T {
        undoRegistration.suspensions += 1
        defer { undoRegistration.suspensions -= 1 }
        return try body()
    }

    /// Registers the action that reverts an event, in the undo group that is open.
    ///
    /// - Parameters:
    ///   - changed: the objects that the event has changed, with their current values.
    ///   - snapshots: their state at the start of the event.
    final func registerUndo(of changed: ContiguousArray<NSManagedObject>, _ snapshots: ChangeEvent.Snapshots) {
        guard registersUndo, let manager = undoRegistration.manager else { return }
        let records = changed.compactMap { UndoRecord($0, snapshots[ObjectIdentifier($0)], context: self) }
        guard !records.isEmpty else { return }
        let event = UndoEvent(records, undoRegistration.restorableObjects)
        manager.registerUndo(withTarget: self) { $0.revert(event) }
    }

    // MARK: Ending an event

    /// Clears the updated state of objects whose values an undo has set to the committed ones.
    final func clearUpdatedStateAfterUndo() {
        guard !undoRegistration.possiblyUnchanged.isEmpty else { return }
        for object in undoRegistration.possiblyUnchanged
        where object.flags.contains(.updated) && object.flags.isDisjoint(with: [.deleted, .detached, .fault]) {
            guard
                !object.layout.properties.contains(where: {
                    !$0.isTransient && $0.derivation == nil && object.isChanged($0)
                })
            else { continue }
            unsavedChanges.cancelUpdate(of: object)
        }
        undoRegistration.possiblyUnchanged = []
    }

    /// Returns the deleted objects that an undo has restored since the last call, and that still exist.
    final func consumeRestoredObjects() -> [NSManagedObject] {
        guard !undoRegistration.restored.isEmpty else { return [] }
        defer { undoRegistration.restored = [] }
        return undoRegistration.restored.filter { $0.flags.isDisjoint(with: [.deleted, .detached, .inserted]) }
    }
}
