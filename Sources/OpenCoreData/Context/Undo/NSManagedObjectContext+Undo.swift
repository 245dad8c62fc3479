extension NSManagedObjectContext {
    // MARK: Registering

    /// Whether changes are registered with an undo manager now.
    final var registersUndo: Bool {
        guard let manager = undoRegistration.manager else { return false }
        return undoRegistration.suspensions == 0 && manager.isUndoRegistrationEnabled
    }

    /// Runs a block whose changes can't be taken back.
    final func withoutUndo<T>(_ body: () throws -> T) rethrows -> T {
        undoRegistration.suspensions += 1
        defer { undoRegistration.suspensions -= 1 }
        return try body()
    }

    /// Registers what takes an event back, in the group that is open.
    ///
    /// - Parameters:
    ///   - changed: the objects that the event has changed, as they are now.
    ///   - snapshots: what they were.
    final func registerUndo(of changed: ContiguousArray<NSManagedObject>, _ snapshots: ChangeEvent.Snapshots) {
        guard registersUndo, let manager = undoRegistration.manager else { return }
        let records = changed.compactMap { UndoRecord($0, snapshots[ObjectIdentifier($0)], context: self) }
        guard !records.isEmpty else { return }
        let event = UndoEvent(records, undoRegistration.returning)
        manager.registerUndo(withTarget: self) { $0.takeBack(event) }
    }

    // MARK: Ending an event

    /// Objects that an undo has left as the store has them are unchanged again.
    final func settleUndone() {
        guard !undoRegistration.settling.isEmpty else { return }
        for object in undoRegistration.settling
        where object.flags.contains(.updated) && object.flags.isDisjoint(with: [.deleted, .detached, .fault]) {
            guard
                !object.layout.properties.contains(where: {
                    !$0.isTransient && $0.derivation == nil && object.isChanged($0)
                })
            else { continue }
            updated.remove(object)
            object.flags.remove(.updated)
        }
        undoRegistration.settling = []
    }

    /// The objects that an undo has brought back and that are still here.
    final func takeReturned() -> [NSManagedObject] {
        guard !undoRegistration.returned.isEmpty else { return [] }
        defer { undoRegistration.returned = [] }
        return undoRegistration.returned.filter { $0.flags.isDisjoint(with: [.deleted, .detached, .inserted]) }
    }
}
