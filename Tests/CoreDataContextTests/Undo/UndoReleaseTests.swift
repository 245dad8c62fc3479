import CoreData
import Testing

@Suite("What an undo manager releases")
struct UndoReleaseTests {
    /// How actions leave a manager.
    enum Removal: CaseIterable { case newBranch, all, ofTarget, limit, openGroups, undone }

    /// An object that withdraws its actions when it ends, as Apple's documentation asks for.
    private final class Editor {
        let manager: UndoManager
        /// Whether it withdraws the actions of other targets, too.
        let removesAll: Bool

        init(_ manager: UndoManager, removesAll: Bool) { (self.manager, self.removesAll) = (manager, removesAll) }

        deinit {
            manager.removeAllActions(withTarget: self)
            if removesAll { manager.removeAllActions() }
        }
    }

    @Test("an object that a handler keeps may remove actions when it ends", arguments: Removal.allCases)
    func endOfKeptObject(_ removal: Removal) {
        let (manager, target) = (UndoManager(), NSObject())
        manager.groupsByEvent = false
        func registerKeeping() {
            let editor = Editor(manager, removesAll: removal != .newBranch)
            manager.registerUndo(withTarget: target) { _ in withExtendedLifetime(editor) {} }
            manager.registerUndo(withTarget: editor) { _ in }
        }
        for _ in 0..<2 {
            manager.beginUndoGrouping()
            if removal == .newBranch {
                manager.registerUndo(withTarget: target) { _ in registerKeeping() }
            } else {
                registerKeeping()
            }
            if removal != .openGroups { manager.endUndoGrouping() }
        }
        switch removal {
        case .newBranch:
            manager.undo()
            expectTrue(manager.canRedo)
            manager.beginUndoGrouping()
            manager.registerUndo(withTarget: target) { _ in }
            manager.endUndoGrouping()
        case .all: manager.removeAllActions()
        case .ofTarget, .openGroups: manager.removeAllActions(withTarget: target)
        case .limit: manager.levelsOfUndo = 1
        case .undone: while manager.canUndo { manager.undo() }
        }
        expectEqual(manager.undoCount, (removal == .newBranch ? 2 : 0))
        expectEqual(manager.redoCount, 0)
        manager.beginUndoGrouping()
        manager.registerUndo(withTarget: target) { _ in }
        manager.endUndoGrouping()
        expectTrue(manager.canUndo)
    }

    @Test("groups that are nested deep are undone, searched and released")
    func deepGroups() {
        final class Counter { var count = 0 }
        let depth = TestRun.quick(50_000, long: 500_000)
        for isUndone in [true, false] {
            let (manager, counter, other) = (UndoManager(), Counter(), NSObject())
            manager.groupsByEvent = false
            for _ in 0..<depth {
                manager.beginUndoGrouping()
                manager.registerUndo(withTarget: counter) { $0.count += 1 }
            }
            manager.registerUndo(withTarget: other) { _ in }
            for _ in 0..<depth { manager.endUndoGrouping() }
            if isUndone {
                manager.undo()
                expectEqual(counter.count, depth)
            } else {
                manager.removeAllActions(withTarget: other)
                expectTrue(manager.canUndo)
            }
        }
    }
}
