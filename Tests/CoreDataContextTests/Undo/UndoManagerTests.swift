import CoreData
import Testing

/// A text whose changes can be undone.
private final class Document {
    let undoManager = UndoManager()
    private(set) var text = ""

    init() { undoManager.groupsByEvent = false }

    func write(_ new: String) {
        let old = text
        undoManager.registerUndo(withTarget: self) { $0.write(old) }
        text = new
    }

    func edit(_ new: String, name: String = "") {
        undoManager.beginUndoGrouping()
        write(new)
        if !name.isEmpty { undoManager.setActionName(name) }
        undoManager.endUndoGrouping()
    }
}

@Suite("An undo manager")
struct UndoManagerTests {
    private let document = Document()
    private var manager: UndoManager { document.undoManager }

    @Test("undoes and redoes groups, newest first")
    func undoAndRedo() {
        for text in ["a", "b", "c"] { document.edit(text) }
        expectEqual(manager.undoCount, 3)
        manager.undo()
        manager.undo()
        expectEqual(document.text, "a")
        expectEqual(manager.redoCount, 2)
        manager.redo()
        expectEqual(document.text, "b")
        manager.redo()
        expectEqual(document.text, "c")
        expectFalse(manager.canRedo)
        expectTrue(manager.canUndo)
        manager.undo()
        expectEqual(document.text, "b")
    }

    @Test("undoes the actions of one group in reverse order, also of groups inside")
    func groups() {
        manager.beginUndoGrouping()
        document.write("a")
        document.edit("b")
        expectEqual(manager.groupingLevel, 1)
        document.write("c")
        manager.endUndoGrouping()
        expectEqual(manager.undoCount, 1)
        manager.undo()
        expectEmpty(document.text)
        manager.redo()
        expectEqual(document.text, "c")
    }

    @Test("undoes the group closed last inside the open one")
    func nested() {
        manager.beginUndoGrouping()
        document.edit("a")
        document.edit("b")
        manager.undoNestedGroup()
        expectEqual(document.text, "a")
        manager.endUndoGrouping()
        manager.undo()
        expectEmpty(document.text)
    }

    @Test("forgets what could be redone when something new is registered")
    func newBranch() {
        document.edit("a")
        manager.undo()
        expectTrue(manager.canRedo)
        document.edit("b")
        expectFalse(manager.canRedo)
        manager.redo()
        expectEqual(document.text, "b")
    }

    @Test("takes no actions while registration is disabled, however often")
    func disabled() {
        manager.disableUndoRegistration()
        manager.disableUndoRegistration()
        document.write("a")
        manager.enableUndoRegistration()
        document.write("b")
        expectFalse(manager.isUndoRegistrationEnabled)
        expectFalse(manager.canUndo)
        manager.enableUndoRegistration()
        document.edit("c")
        manager.undo()
        expectEqual(document.text, "b")
    }

    @Test("keeps as many groups as levelsOfUndo says")
    func levels() {
        for text in ["a", "b", "c", "d"] { document.edit(text) }
        manager.levelsOfUndo = 2
        expectEqual(manager.undoCount, 2)
        document.edit("e")
        expectEqual(manager.undoCount, 2)
        manager.undo()
        manager.undo()
        manager.undo()
        expectEqual(document.text, "c")
    }

    @Test("doesn't keep its targets alive")
    func weakTargets() {
        let manager = UndoManager()
        manager.groupsByEvent = false
        weak var gone: Document?
        do {
            let target = Document()
            gone = target
            manager.beginUndoGrouping()
            manager.registerUndo(withTarget: target) { $0.write("x") }
            manager.endUndoGrouping()
        }
        #expect(gone == nil)
        manager.undo()
        expectEqual(manager.undoCount, 0)
    }

    @Test("forgets one target's actions, or all")
    func removal() {
        let other = Document()
        document.edit("a")
        manager.beginUndoGrouping()
        manager.registerUndo(withTarget: other) { $0.write("x") }
        manager.endUndoGrouping()
        manager.removeAllActions(withTarget: other)
        expectEqual(manager.undoCount, 1)
        manager.disableUndoRegistration()
        manager.removeAllActions()
        expectFalse(manager.canUndo)
        expectTrue(manager.isUndoRegistrationEnabled)
    }

    @Test("names its actions, and the redo as the undo")
    func names() {
        document.edit("a", name: "Typing")
        expectEqual(manager.undoActionName, "Typing")
        expectEqual(manager.undoMenuItemTitle, "Undo Typing")
        expectEqual(manager.redoMenuItemTitle, "Redo")
        manager.undo()
        expectEqual(manager.redoActionName, "Typing")
        expectEqual(manager.redoMenuItemTitle, "Redo Typing")
        expectEqual(manager.undoMenuItemTitle, "Undo")
    }

    @Test("notes values with an action, and whether it is discardable")
    func userInfo() {
        let key = UndoManager.UserInfoKey("place")
        manager.beginUndoGrouping()
        document.write("a")
        manager.setActionIsDiscardable(true)
        manager.setActionUserInfoValue("page 7", forKey: key)
        manager.endUndoGrouping()
        expectTrue(manager.undoActionIsDiscardable)
        #expect(manager.undoActionUserInfoValue(forKey: key) as? String == "page 7")
        manager.undo()
        expectTrue(manager.redoActionIsDiscardable)
        expectFalse(manager.undoActionIsDiscardable)
        #expect(manager.redoActionUserInfoValue(forKey: key) as? String == "page 7")
    }

    @Test("opens a group for an event by itself, which undo closes")
    func events() {
        manager.groupsByEvent = true
        document.write("a")
        document.write("b")
        expectEqual(manager.groupingLevel, 1)
        expectTrue(manager.canUndo)
        manager.undo()
        expectEmpty(document.text)
        expectEqual(manager.groupingLevel, 0)
        manager.redo()
        expectEqual(document.text, "b")
    }

    @Test("closes an event's group at the next turn of the main queue") @MainActor
    func mainQueue() async {
        manager.groupsByEvent = true
        document.write("a")
        expectEqual(manager.groupingLevel, 1)
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        expectEqual(manager.groupingLevel, 0)
        expectEqual(manager.undoCount, 1)
        document.write("b")
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        manager.undo()
        expectEqual(document.text, "a")
    }

    @Test("tells in order what it does")
    func notifications() {
        nonisolated(unsafe) var seen: [String] = []
        let names: [NSNotification.Name] = [
            .NSUndoManagerCheckpoint, .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerWillCloseUndoGroup,
            .NSUndoManagerDidCloseUndoGroup,
            .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange, .NSUndoManagerWillRedoChange,
            .NSUndoManagerDidRedoChange,
        ]
        let tokens = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) { note in
                let discardable = (note.userInfo?[NSUndoManagerGroupIsDiscardableKey] as? NSNumber)?.boolValue == true
                seen.append(
                    note.name.rawValue.replacingOccurrences(of: "NSUndoManager", with: "").replacingOccurrences(
                        of: "Notification", with: "")
                        + (discardable ? "*" : ""))
            }
        }
        defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
        manager.beginUndoGrouping()
        document.write("a")
        manager.setActionIsDiscardable(true)
        manager.endUndoGrouping()
        expectEqual(seen, ["DidOpenUndoGroup", "Checkpoint", "WillCloseUndoGroup*", "DidCloseUndoGroup*"])
        seen = []
        manager.undo()
        expectEqual(
            seen,
            [
                "Checkpoint", "WillUndoChange", "DidOpenUndoGroup", "Checkpoint", "WillCloseUndoGroup*",
                "DidCloseUndoGroup*", "DidUndoChange",
            ])
        seen = []
        expectTrue(manager.canRedo)
        expectEqual(seen, ["Checkpoint"])
    }
}
