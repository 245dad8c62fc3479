import CoreData
import Testing

@Suite("Events and undo managers")
struct UndoEventTests {
    private func stack(_ kind: StoreKind) throws -> (TestStack, UndoManager) {
        let stack = try TestStack(kind)
        let manager = UndoManager()
        stack.context.performAndWait { stack.context.undoManager = manager }
        return (stack, manager)
    }

    @Test("each block on the context's queue is an action", arguments: StoreKind.allCases)
    func blocks(_ kind: StoreKind) throws {
        let (stack, manager) = try stack(kind)
        let context = stack.context
        try on(context) { context.make("Tag", "a") }
        try on(context) {
            let tag = try context.one("Tag", "a")
            tag.setValue("b", forKey: "name")
            context.processPendingChanges()
            tag.setValue("c", forKey: "name")
        }
        try on(context) {
            expectEqual(manager.undoCount, 2)
            expectEqual(manager.groupingLevel, 0)
            context.undo()
            try expectEqual(context.names("Tag"), ["a"])
        }
        try on(context) {
            context.redo()
            try expectEqual(context.names("Tag"), ["c"])
            context.undo()
            context.undo()
            try expectEmpty(context.names("Tag"))
        }
    }

    @Test("asynchronous blocks are actions, too", arguments: StoreKind.allCases)
    func laterBlocks(_ kind: StoreKind) async throws {
        let stack = try stack(kind).0
        let context = stack.context
        for name in ["a", "b"] { await context.perform(schedule: .enqueued) { _ = context.make("Tag", name) } }
        let counts = try await context.perform {
            let count = context.undoManager?.undoCount
            context.undo()
            return (count, try context.names("Tag"))
        }
        expectEqual(counts.0, 2)
        expectEqual(counts.1, ["a"])
    }

    @Test("on the main queue one event is one action") @MainActor
    func mainQueue() async throws {
        let stack = try TestStack(.memory)
        let manager = UndoManager()
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        context.undoManager = manager
        func turn() async {
            await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        }
        context.make("Tag", "a")
        await turn()
        context.make("Tag", "b")
        context.make("Tag", "c")
        await turn()
        expectEqual(manager.undoCount, 2)
        expectEqual(manager.groupingLevel, 0)
        context.undo()
        try expectEqual(context.names("Tag"), ["a"])
    }

    @Test("changes made while registration is disabled can't be undone", arguments: StoreKind.allCases)
    func disabled(_ kind: StoreKind) throws {
        try withUndo(kind) { context, manager, _ in
            var tag: NSManagedObject!
            try context.step { tag = context.make("Tag", "a") }
            // As Apple's documentation describes.
            context.processPendingChanges()
            manager.disableUndoRegistration()
            tag.setValue("b", forKey: "name")
            context.make("Tag", "quiet")
            context.processPendingChanges()
            manager.enableUndoRegistration()
            try context.step { context.make("Tag", "c") }
            expectEqual(manager.undoCount, 2)
            context.undo()
            try expectEqual(context.names("Tag"), ["b", "quiet"])
            context.undo()
            try expectEqual(context.names("Tag"), ["quiet"])
        }
    }

    @Test(
        "another manager starts without actions, and the old one has none of the context", arguments: StoreKind.allCases
    )
    func replaced(_ kind: StoreKind) throws {
        try withUndo(kind) { context, manager, _ in
            try context.step { context.make("Tag", "a") }
            let other = UndoManager()
            context.undoManager = other
            expectFalse(manager.canUndo)
            #expect(context.undoManager === other)
            context.make("Tag", "b")
            context.undo()
            try expectEqual(context.names("Tag"), ["a"])
            context.undoManager = nil
            expectFalse(other.canRedo)
            context.make("Tag", "c")
            context.processPendingChanges()
            expectFalse(other.canUndo)
        }
    }

    @Test("levelsOfUndo limits the number of actions", arguments: StoreKind.allCases)
    func levels(_ kind: StoreKind) throws {
        try withUndo(kind) { context, manager, _ in
            manager.levelsOfUndo = 2
            for name in ["a", "b", "c", "d"] { try context.step { context.make("Tag", name) } }
            for _ in 0..<4 { context.undo() }
            try expectEqual(context.names("Tag"), ["a", "b"])
            expectEqual(manager.redoCount, 2)
        }
    }

    @Test("an action name applies to all previous changes, processed or not", arguments: StoreKind.allCases)
    func names(_ kind: StoreKind) throws {
        let (stack, manager) = try stack(kind)
        let context = stack.context
        try on(context) {
            context.make("Tag", "a")
            manager.setActionName("Add Tag")
        }
        try on(context) { context.make("Tag", "b") }
        try on(context) {
            expectEmpty(manager.undoActionName)
            context.undo()
            expectEqual(manager.undoMenuItemTitle, "Undo Add Tag")
            context.undo()
            expectEqual(manager.redoMenuItemTitle, "Redo Add Tag")
        }
    }

    @Test(
        "other actions in the same groups remain when the context is rolled back or reset",
        arguments: StoreKind.allCases, [false, true])
    func shared(_ kind: StoreKind, _ resets: Bool) throws {
        final class Counter { var value = 0 }
        let (stack, manager) = try stack(kind)
        let context = stack.context
        let counter = Counter()
        try on(context) {
            context.make("Tag", "a")
            manager.registerUndo(withTarget: counter) { $0.value -= 1 }
            counter.value += 1
        }
        try on(context) {
            context.undo()
            expectEqual(counter.value, 0)
            try expectEmpty(context.names("Tag"))
        }
        try on(context) {
            context.make("Tag", "b")
            manager.registerUndo(withTarget: counter) { $0.value -= 1 }
            counter.value += 1
        }
        try on(context) {
            context.make("Tag", "c")
            context.processPendingChanges()
            if resets { context.reset() } else { context.rollback() }
        }
        try on(context) {
            expectEqual(manager.undoCount, 1)
            manager.undo()
            expectEqual(counter.value, 0)
            try expectEmpty(context.names("Tag"))
            expectFalse(context.hasChanges)
        }
    }

    @Test("a rollback needs no open undo group", arguments: StoreKind.allCases)
    func rollback(_ kind: StoreKind) throws {
        try withUndo(kind) { context, manager, _ in
            context.make("Tag", "a")
            context.rollback()
            expectFalse(manager.canUndo)
            expectFalse(context.hasChanges)
        }
    }

    @Test("a merge is no action, and does not remove actions", arguments: StoreKind.allCases)
    func merges(_ kind: StoreKind) throws {
        try withUndo(kind) { context, manager, stack in
            let tag = context.make("Tag", "a")
            let other = context.make("Tag", "x")
            context.processPendingChangesWithoutUndo()
            try context.save()
            try context.step { tag.setValue("b", forKey: "name") }
            context.undo()
            try stack.inAnotherContext { inAnotherContext in
                try inAnotherContext.one("Tag", "a").setValue("c", forKey: "name")
                inAnotherContext.delete(try inAnotherContext.one("Tag", "x"))
                inAnotherContext.make("Tag", "new")
                let note = UnsafeSender { (notification: Notification) in
                    context.mergeChanges(fromContextDidSave: notification)
                }
                let token = NotificationCenter.default.addObserver(
                    forName: .NSManagedObjectContextDidSave, object: inAnotherContext, queue: nil
                ) { note.value($0) }
                defer { NotificationCenter.default.removeObserver(token) }
                try inAnotherContext.save()
            }
            expectEqual(tag.text("name"), "c")
            expectEqual(other.managedObjectContext, nil)
            expectFalse(manager.canUndo)
            expectEqual(manager.redoCount, 1)
            context.redo()
            expectEqual(tag.text("name"), "b")
        }
    }

    @Test(
        "the manager does not retain the context, and undoes nothing of a deallocated one",
        arguments: StoreKind.allCases)
    func lifetime(_ kind: StoreKind) throws {
        let manager = UndoManager()
        weak var context: NSManagedObjectContext?
        weak var tag: NSManagedObject?
        weak var author: NSManagedObject?
        weak var book: NSManagedObject?
        try {
            let stack = try TestStack(kind)
            context = stack.context
            try on(stack.context) {
                stack.context.undoManager = manager
                tag = stack.context.make("Tag", "a")
            }
            try on(stack.context) { tag?.setValue("b", forKey: "name") }
            try on(stack.context) {
                author = stack.context.make("Author", "Jane")
                book = stack.context.make("Book", "Emma", ["author": author!])
            }
            // The objects form a retain cycle, and can't be restored after the redo action is removed.
            try on(stack.context) {
                stack.context.undo()
                #expect(author != nil)
                #expect(book != nil)
                manager.removeAllActions(withTarget: stack.context)
            }
            expectEqual(author, nil)
            expectEqual(book, nil)
            try on(stack.context) { stack.context.make("Tag", "b") }
            expectEqual(manager.undoCount, 1)
        }()
        expectEqual(context, nil)
        expectEqual(tag, nil)
        expectFalse(manager.canUndo)
        expectFalse(manager.canRedo)
        manager.undo()
    }
}
