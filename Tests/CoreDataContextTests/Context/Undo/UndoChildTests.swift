import CoreData
import Testing

@Suite("Undo in parents and children")
struct UndoChildTests {
    private func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        return child
    }

    @Test(
        "an object whose deletion a child and its parent have undone exists once",
        arguments: StoreKind.allCases, [true, false])
    func returnedTwice(_ kind: StoreKind, _ isSaved: Bool) throws {
        try withHierarchy(kind, depth: 1) { hierarchy in
            for context in hierarchy.contexts {
                context.undoManager = UndoManager()
                context.undoManager?.groupsByEvent = false
            }
            var book: NSManagedObject!
            try hierarchy.root.step {
                try hierarchy.child.step {
                    book = hierarchy.child.make("Book", "A")
                    try hierarchy.child.save()
                }
            }
            if isSaved { try hierarchy.root.save() }
            try hierarchy.root.step {
                try hierarchy.child.step {
                    hierarchy.child.delete(book)
                    try hierarchy.child.save()
                }
            }
            hierarchy.root.undo()
            hierarchy.child.undo()
            try hierarchy.root.step { try hierarchy.child.save() }
            try expectEqual(hierarchy.root.names("Book"), ["A"])
            try hierarchy.root.save()
            try inFreshContext(hierarchy.stack) { try expectEqual($0.names("Book"), ["A"]) }
        }
    }

    @Test("a child's save is one action of its parent", arguments: StoreKind.allCases)
    func parent(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let context = stack.context
        let manager = UndoManager()
        try on(context) {
            let author = context.make("Author", "Jane")
            for name in ["A", "B"] { context.make("Book", name, ["author": author]) }
            try context.save()
            context.undoManager = manager
        }
        var before: [String] = []
        var after: [String] = []
        try on(context) { before = try GraphText.lines(context) }
        let child = child(of: context)
        try on(child) {
            child.delete(try child.one("Book", "A"))
            try child.one("Book", "B").setValue(7, forKey: "pages")
            child.make("Book", "C", ["author": try child.one("Author", "Jane")])
            try child.save()
        }
        try on(context) {
            after = try GraphText.lines(context)
            expectEqual(after.count, 3)
            #expect(after != before)
            expectEqual(manager.undoCount, 1)
            context.undo()
            try expectEqual(GraphText.lines(context), before)
            expectFalse(context.hasChanges)
            context.redo()
            try expectEqual(GraphText.lines(context), after)
            try context.save()
            try expectEqual(GraphText.storedLines(stack), after)
        }
    }

    @Test("a child has its own undo manager, and undoes what it has saved", arguments: StoreKind.allCases)
    func ownManager(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let parent = stack.context
            let child = child(of: parent)
            let manager = UndoManager()
            try child.performAndWait {
                child.undoManager = manager
                manager.groupsByEvent = false
                var author: NSManagedObject!
                try child.step {
                    author = child.make("Author", "Jane")
                    child.make("Book", "Emma", ["author": author!])
                }
                try child.save()
                try expectEqual(parent.names("Book"), ["Emma"])
                expectEqual(parent.undoManager, nil)
                try child.step { child.delete(author) }
                try child.save()
                try expectEmpty(parent.names("Book"))
                child.undo()
                try expectEqual(child.names("Book"), ["Emma"])
                expectEqual(author.names("books"), ["Emma"])
                try child.save()
                try expectEqual(parent.one("Author", "Jane").names("books"), ["Emma"])
                child.undo()
                try child.save()
                try expectEmpty(parent.names("Book"))
                try expectEmpty(parent.names("Author"))
                child.redo()
                try child.save()
            }
            try parent.save()
            try inFreshContext(stack) { try expectEqual($0.one("Book", "Emma").object("author")?.text("name"), "Jane") }
        }
    }
}
