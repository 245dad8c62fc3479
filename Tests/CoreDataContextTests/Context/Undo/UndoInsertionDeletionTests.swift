import CoreData
import Testing

@Suite("Undo of insertions and deletions")
struct UndoInsertionDeletionTests {
    @Test(
        "an undone insertion leaves nothing, and a redone one is the same object", arguments: StoreKind.allCases)
    func insertion(_ kind: StoreKind) throws {
        try withUndo(kind) { context, _, stack in
            let author = context.make("Author", "Jane")
            context.processPendingChangesWithoutUndo()
            try context.save()
            var made: NSManagedObject?
            try context.step { made = context.make("Book", "Emma", ["author": author]) }
            let book = try requireValue(made)
            let id = book.objectID
            context.undo()
            expectFalse(context.hasChanges)
            expectEqual(book.managedObjectContext, nil)
            expectFalse(book.isInserted)
            expectEmpty(author.names("books"))
            expectEqual(context.registeredObject(for: id), nil)
            try context.save()
            try inFreshContext(stack) { try expectEmpty($0.all("Book")) }
            context.redo()
            expectTrue(book.isInserted)
            #expect(book.managedObjectContext === context)
            expectEqual(book.objectID, id)
            expectEqual(context.insertedObjects, [book])
            expectEqual(book.text("name"), "Emma")
            #expect(book.object("author") === author)
            expectEqual(author.names("books"), ["Emma"])
            #expect(context.registeredObject(for: id) === book)
            try context.save()
            try inFreshContext(stack) { try expectEqual($0.one("Book", "Emma").object("author")?.text("name"), "Jane") }
        }
    }

    @Test("the insertion of an object that was made a fault can be undone and redone", arguments: StoreKind.allCases)
    func refreshedInsertion(_ kind: StoreKind) throws {
        try withUndo(kind) { context, _, stack in
            var made: NSManagedObject?
            try context.step { made = context.make("Book", "Emma") }
            let book = try requireValue(made)
            context.refresh(book, mergeChanges: false)
            context.undo()
            expectFalse(context.hasChanges)
            expectEqual(book.managedObjectContext, nil)
            context.redo()
            expectEqual(context.insertedObjects, [book])
            expectEqual(book.number("pages"), 100)
            try context.save()
            try inFreshContext(stack) { try expectEqual($0.all("Book").count, 1) }
        }
    }

    @Test("an insertion that was saved is undone by a deletion", arguments: StoreKind.everyKind)
    func savedInsertion(_ kind: StoreKind) throws {
        try withUndo(kind) { context, _, stack in
            let author = context.make("Author", "Jane")
            context.processPendingChangesWithoutUndo()
            var made: NSManagedObject?
            try context.step {
                made = context.make("Book", "Emma", ["author": author])
                context.make("Chapter", "1", ["book": made!])
            }
            try context.save()
            let book = try requireValue(made)
            let id = book.objectID
            context.undo()
            expectTrue(book.isDeleted)
            expectEqual(context.deletedObjects.count, 2)
            expectEmpty(author.names("books"))
            try context.save()
            try inFreshContext(stack) {
                try expectEmpty($0.all("Book"))
                try expectEmpty($0.all("Chapter"))
                try expectEqual($0.all("Author").count, 1)
            }
            context.redo()
            expectTrue(book.isInserted)
            expectFalse(book.isDeleted)
            expectEqual(book.objectID, id)
            expectEqual(book.names("chapters"), ["1"])
            try context.save()
            expectEqual(book.objectID, id)
            try inFreshContext(stack) {
                let stored = try $0.one("Book", "Emma")
                expectEqual(stored.objectID.uriRepresentation(), id.uriRepresentation())
                expectEqual(stored.names("chapters"), ["1"])
                expectEqual(stored.object("author")?.text("name"), "Jane")
            }
            context.undo()
            try context.save()
            try inFreshContext(stack) { try expectEmpty($0.all("Book")) }
        }
    }

    /// A saved book with all relationships set.
    private func withLibrary(
        _ kind: StoreKind, _ body: (NSManagedObjectContext, TestStack, NSManagedObject) throws -> Void
    ) throws {
        try withUndo(kind) { context, _, stack in
            let author = context.make("Author", "Jane")
            let other = context.make("Author", "Anne")
            let tag = context.make("Tag", "good")
            let shelf = context.make("Shelf", "top")
            let publisher = context.make("Publisher", "Murray")
            author.mutableSetValue(forKey: "friends").add(other)
            for name in ["A", "B", "C"] {
                let book = context.make(
                    "Book", name,
                    ["author": author, "cover": context.make("Cover", "of \(name)"), "publisher": publisher])
                for chapter in 1...3 { context.make("Chapter", "\(name)\(chapter)", ["book": book]) }
                book.mutableSetValue(forKey: "tags").add(tag)
                shelf.mutableOrderedSetValue(forKey: "items").add(book)
                context.make("Reader", "of \(name)", ["favourite": book, "mentor": author])
            }
            context.processPendingChangesWithoutUndo()
            try context.save()
            // No relationship is loaded.
            context.refreshAllObjects()
            try body(context, stack, author)
        }
    }

    @Test(
        "a deletion with its effects: cascades, nullified references, positions in orders",
        arguments: StoreKind.allCases, [false, true])
    func deletion(_ kind: StoreKind, _ saves: Bool) throws {
        try withLibrary(kind) { context, stack, author in
            // Relationships without inverse keep deleted objects. They are not checked here.
            for reader in try context.all("Reader") { reader.setValue(nil, forKey: "favourite") }
            context.processPendingChangesWithoutUndo()
            try context.save()
            context.refreshAllObjects()
            let before = try GraphText.storedLines(stack)
            try context.step { context.delete(author) }
            if saves { try context.save() }
            #expect(author.isDeleted != saves)
            try expectEmpty(context.all("Book"))
            try expectEmpty(context.all("Chapter"))
            try expectEmpty(context.all("Cover"))
            context.undo()
            try expectEqual(GraphText.lines(context), before)
            #expect(author.managedObjectContext === context)
            expectFalse(author.isDeleted)
            expectEqual(author.isInserted, saves)
            if !saves { expectFalse(context.hasChanges) }
            try context.save()
            try expectEqual(GraphText.storedLines(stack), before)
            context.redo()
            try expectEmpty(context.all("Book"))
            try expectEmpty(context.one("Shelf", "top").names("items"))
            try context.save()
            try inFreshContext(stack) {
                try expectEmpty($0.all("Book"))
                try expectEmpty($0.all("Cover"))
                try expectEqual($0.names("Author"), ["Anne"])
            }
            context.undo()
            try expectEqual(GraphText.lines(context), before)
            try context.save()
            try expectEqual(GraphText.storedLines(stack), before)
        }
    }

    @Test(
        "a restored object has its old position in ordered relationships", arguments: StoreKind.allCases, [false, true])
    func orderedPosition(_ kind: StoreKind, _ saves: Bool) throws {
        try withLibrary(kind) { context, stack, _ in
            let book = try context.one("Book", "B")
            try context.step { context.delete(book) }
            if saves { try context.save() }
            try expectEqual(context.one("Shelf", "top").names("items"), ["A", "C"])
            context.undo()
            try expectEqual(context.one("Shelf", "top").names("items"), ["A", "B", "C"])
            expectEqual(book.names("chapters"), ["B1", "B2", "B3"])
            try context.save()
            try inFreshContext(stack) {
                try expectEqual($0.one("Shelf", "top").names("items"), ["A", "B", "C"])
                try expectEqual($0.one("Book", "B").names("chapters"), ["B1", "B2", "B3"])
            }
        }
    }

    @Test("a rollback restores the complete graph, and removes all actions", arguments: StoreKind.allCases)
    func rollback(_ kind: StoreKind) throws {
        try withLibrary(kind) { context, stack, author in
            let before = try GraphText.storedLines(stack)
            try context.step {
                context.delete(author)
                context.make("Tag", "new", ["books": NSSet()])
            }
            try context.step { try context.one("Tag", "good").setValue("bad", forKey: "name") }
            context.undo()
            context.rollback()
            expectEqual(context.undoManager?.canUndo, false)
            expectEqual(context.undoManager?.canRedo, false)
            expectFalse(context.hasChanges)
            try expectEqual(GraphText.lines(context), before)
        }
    }

    @Test(
        "an object changed and deleted in one event is restored with its previous values",
        arguments: StoreKind.allCases,
        [false, true])
    func changedAndDeleted(_ kind: StoreKind, _ saves: Bool) throws {
        try withUndo(kind) { context, _, stack in
            let author = context.make("Author", "Jane")
            let book = context.make("Book", "Emma", ["author": author, "pages": 7])
            context.processPendingChangesWithoutUndo()
            try context.save()
            try context.step {
                book.setValue(nil, forKey: "author")
                book.setValue("Other", forKey: "name")
                context.delete(book)
            }
            if saves { try context.save() }
            context.undo()
            expectEqual(book.text("name"), "Emma")
            expectEqual(book.number("pages"), 7)
            #expect(book.object("author") === author)
            expectEqual(author.names("books"), ["Emma"])
            try context.save()
            try inFreshContext(stack) { try expectEqual($0.one("Author", "Jane").names("books"), ["Emma"]) }
        }
    }

    @Test("an object inserted and deleted in one event is no action", arguments: StoreKind.allCases)
    func shortLife(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let manager = UndoManager()
            stack.context.undoManager = manager
            stack.context.delete(stack.context.make("Tag", "a"))
            stack.context.processPendingChanges()
            expectFalse(manager.canUndo)
        }
    }

    @Test(
        "a new object that was changed, then deleted, is restored changed and then removed",
        arguments: StoreKind.allCases
    )
    func changedThenDeleted(_ kind: StoreKind) throws {
        try withUndo(kind) { context, _, stack in
            var tag: NSManagedObject!
            try context.step { tag = context.make("Tag", "a") }
            try context.step { tag.setValue("b", forKey: "name") }
            try context.step { context.delete(tag) }
            expectFalse(context.hasChanges)
            context.undo()
            expectEqual(tag.text("name"), "b")
            expectTrue(tag.isInserted)
            context.undo()
            expectEqual(tag.text("name"), "a")
            expectTrue(tag.isInserted)
            context.undo()
            expectFalse(context.hasChanges)
            context.redo()
            context.redo()
            try context.save()
            try inFreshContext(stack) { try expectEqual($0.names("Tag"), ["b"]) }
            context.redo()
            try context.save()
            try inFreshContext(stack) { try expectEmpty($0.all("Tag")) }
            context.undo()
            context.undo()
            try context.save()
            try inFreshContext(stack) { try expectEqual($0.names("Tag"), ["a"]) }
        }
    }

    @Test("undo deletes an object again whose deletion insert(_:) has reverted", arguments: StoreKind.allCases)
    func undeleted(_ kind: StoreKind) throws {
        try withUndo(kind) { context, _, _ in
            let tag = context.make("Tag", "a")
            context.processPendingChangesWithoutUndo()
            try context.save()
            try context.step { context.delete(tag) }
            try context.step { context.insert(tag) }
            expectFalse(tag.isDeleted)
            context.undo()
            expectTrue(tag.isDeleted)
            context.undo()
            expectFalse(tag.isDeleted)
            expectFalse(tag.hasChanges)
        }
    }

    @Test("a redone insertion is saved to the store that it was assigned to", arguments: StoreKind.allCases)
    func assigned(_ kind: StoreKind) throws {
        try withUndo(kind) { context, _, stack in
            let second = try stack.coordinator.addPersistentStore(
                ofType: kind.type, configurationName: nil, at: kind.url("second.sqlite", in: stack.folder), options: nil
            )
            var tag: NSManagedObject!
            try context.step {
                tag = context.make("Tag", "a")
                context.assign(tag!, to: second)
            }
            context.undo()
            context.redo()
            try context.save()
            #expect(tag.objectID.persistentStore === second)
        }
    }

    @Test("undo works with delete propagation at save time, too", arguments: StoreKind.allCases)
    func lateDeletions(_ kind: StoreKind) throws {
        try withUndo(kind) { context, _, stack in
            context.propagatesDeletesAtEndOfEvent = false
            let author = context.make("Author", "Jane")
            context.make("Book", "Emma", ["author": author])
            context.processPendingChangesWithoutUndo()
            try context.save()
            try context.step { context.delete(author) }
            context.undo()
            expectFalse(context.hasChanges)
            expectEqual(author.names("books"), ["Emma"])
            context.redo()
            context.undoManager?.groupsByEvent = true
            try context.save()
            try inFreshContext(stack) {
                try expectEmpty($0.all("Book"))
                try expectEmpty($0.all("Author"))
            }
        }
    }
}
