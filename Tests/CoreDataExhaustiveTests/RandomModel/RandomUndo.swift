import CoreData

/// A context's undo manager, with a group for each event.
///
/// A mark in each group counts the event, whether or not the context has registered something for it.
final class RandomUndo {
    private let manager = UndoManager()
    private let mark = Mark()
    private var isOpen = false

    init(_ context: NSManagedObjectContext) {
        manager.groupsByEvent = false
        context.undoManager = manager
    }

    /// Opens the group of an event, unless it is open.
    func open() {
        guard !isOpen else { return }
        manager.beginUndoGrouping()
        isOpen = true
    }

    /// The event is over, and its changes are processed.
    func close() {
        guard isOpen else { return }
        mark.register(manager)
        manager.endUndoGrouping()
        isOpen = false
    }

    /// Removes all events.
    func clear() {
        close()
        manager.removeAllActions()
    }

    /// How many events there should be is known to the manager, too.
    func check(_ reference: ReferenceContext) throws {
        guard manager.canUndo == !reference.undone.isEmpty, manager.canRedo == !reference.redone.isEmpty else {
            throw TestFailure(
                """
                canUndo is \(manager.canUndo), canRedo is \(manager.canRedo), of \(reference.undone.count) and \
                \(reference.redone.count) events
                """
            )
        }
    }

    private final class Mark {
        func register(_ manager: UndoManager) {
            manager.registerUndo(withTarget: self) { [unowned manager] in $0.register(manager) }
        }
    }
}
