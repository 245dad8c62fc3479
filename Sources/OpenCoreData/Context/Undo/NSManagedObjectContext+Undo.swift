// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectContext {
    // MARK: Setting the manager

    /// Replaces the undo manager; nil for no manager. Removes the context's actions from the previous manager.
    final func setUndoManager(_ manager: UndoManager?) {
        guard manager !== undoRegistration.manager else { return }
        // The manager is used on the context's queue, so its checkpoints are there too.
        weak let context = self
        undoRegistration.setManager(manager, of: self) { context?.processChanges() }
    }

    // MARK: Registering actions

    /// Registers the action that reverts an event, in the undo group that is open.
    ///
    /// - Parameters:
    ///   - changed: the objects that the event has changed, with their current values.
    ///   - snapshots: their state at the start of the event.
    final func registerUndo(of changed: ContiguousArray<NSManagedObject>, _ snapshots: ChangeEvent.Snapshots) {
        guard undoRegistration.isActive, let manager = undoRegistration.manager else { return }
        let records = changed.compactMap { UndoRecord($0, snapshots[ObjectIdentifier($0)], context: self) }
        guard !records.isEmpty else { return }
        let event = UndoEvent(records, undoRegistration.restorableObjects)
        manager.registerUndo(withTarget: self) { $0.revert(event) }
    }

    // MARK: Ending an event

    /// Clears the updated state of objects whose values an undo has set to the committed ones.
    final func clearUpdatedStateAfterUndo() {
        for object in undoRegistration.removePossiblyUnchanged()
        where object.flags.contains(.updated) && object.flags.isDisjoint(with: [.deleted, .detached, .fault]) {
            let isChanged = object.layout.properties.contains {
                !$0.isTransient && $0.derivation == nil && object.isChanged($0)
            }
            if !isChanged { unsavedChanges.cancelUpdate(of: object) }
        }
    }
}
