// SPDX-License-Identifier: Apache-2.0

/// The connection of a context with its undo manager.
///
/// Used on the context's queue alone.
final class UndoRegistration {
    private(set) var manager: UndoManager?
    /// Observes the manager's checkpoint notifications.
    private var observer: (any NSObjectProtocol)?
    /// Above zero during changes that can't be undone.
    private var suspensions = 0
    /// The objects that an undo or redo may insert again.
    let restorableObjects = RestorableObjects()
    /// Deleted objects that an undo has restored: part of the next change notification.
    private var restored: [NSManagedObject] = []
    /// Objects that may have no unsaved changes after an undo.
    private var possiblyUnchanged: [NSManagedObject] = []

    // MARK: The manager

    /// Replaces the manager, and removes the context's actions from the previous one.
    ///
    /// - Parameter didReachCheckpoint: what each checkpoint of the new manager calls.
    func setManager(
        _ newManager: UndoManager?, of context: NSManagedObjectContext,
        _ didReachCheckpoint: @escaping @Sendable () -> Void
    ) {
        detach(from: context)
        manager = newManager
        guard let newManager else { return }
        observer = NotificationCenter.default.addObserver(
            forName: .NSUndoManagerCheckpoint, object: newManager, queue: nil
        ) { _ in
            didReachCheckpoint()
        }
    }

    /// Sets the manager to nil, and removes the context's actions from it.
    func detach(from context: NSManagedObjectContext) {
        if let observer { NotificationCenter.default.removeObserver(observer) }
        observer = nil
        removeActions(of: context)
        manager = nil
    }

    /// Removes the context's actions from the manager.
    func removeActions(of context: NSManagedObjectContext) {
        restored = []
        possiblyUnchanged = []
        manager?.removeActions(ofTarget: ObjectIdentifier(context))
    }

    // MARK: Registering actions

    /// Whether changes are registered with a manager now.
    var isActive: Bool {
        guard let manager else { return false }
        return suspensions == 0 && manager.isUndoRegistrationEnabled
    }

    /// Runs a block whose changes can't be undone.
    func suspended<Result>(_ body: () throws -> Result) rethrows -> Result {
        suspensions += 1
        defer { suspensions -= 1 }
        return try body()
    }

    // MARK: After an undo

    /// Adds a deleted object that an undo has restored.
    func addRestored(_ object: NSManagedObject) { restored.append(object) }

    /// The deleted objects that an undo has restored since the last call, and that still exist.
    func removeRestored() -> [NSManagedObject] {
        guard !restored.isEmpty else { return [] }
        defer { restored = [] }
        return restored.filter { $0.flags.isDisjoint(with: [.deleted, .detached, .inserted]) }
    }

    /// Adds objects that may have no unsaved changes after an undo.
    func addPossiblyUnchanged(_ objects: [NSManagedObject]) { possiblyUnchanged += objects }

    /// The objects that may have no unsaved changes after the undos since the last call.
    func removePossiblyUnchanged() -> [NSManagedObject] {
        guard !possiblyUnchanged.isEmpty else { return [] }
        defer { possiblyUnchanged = [] }
        return possiblyUnchanged
    }

    // MARK: Invariants

    /// The violated invariants, for tests.
    ///
    /// - The checkpoints of a manager are observed.
    /// - Each suspension has ended between the calls of the program.
    func checkInvariants() -> [String] {
        var violations: [String] = []
        if (manager == nil) != (observer == nil) { violations.append("The undo manager isn't observed.") }
        if suspensions < 0 { violations.append("The undo registration is suspended \(suspensions) times.") }
        return violations
    }
}
