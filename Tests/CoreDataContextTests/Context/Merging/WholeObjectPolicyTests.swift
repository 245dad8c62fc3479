import CoreData
import Testing

@Suite("Overwriting and rolling back")
struct WholeObjectPolicyTests {
    @Test("overwriting saves the whole object as the context has it", arguments: OtherSaver.allCases)
    func overwriting(_ saver: OtherSaver) throws {
        try withTwoContexts(saver, policy: .overwrite) { context in
            context.make("Author", "Jane")
            context.make("Author", "Ann")
            let book = context.make("Book", "A", ["pages": 1, "author": try context.one("Author", "Jane")])
            for name in ["a", "b"] { book.mutableSetValue(forKey: "tags").add(context.make("Tag", name)) }
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            expectEqual(book.names("tags"), ["a", "b"])
            expectEqual(book.object("author")?.text("name"), "Jane")
            theirs.setValue("Theirs", forKey: "name")
            theirs.setValue(2.0, forKey: "price")
            theirs.setValue(try contexts.theirs.one("Author", "Ann"), forKey: "author")
            theirs.mutableSetValue(forKey: "tags").add(contexts.theirs.make("Tag", "x"))
            try contexts.theirs.save()
            book.setValue(3, forKey: "pages")
            book.mutableSetValue(forKey: "tags").remove(try contexts.mine.one("Tag", "b"))
            try contexts.mine.save()
            expectFalse(contexts.mine.hasChanges)
            try contexts.stored { fresh in
                let stored = try fresh.one("Book", "A")
                expectEqual(stored.number("pages"), 3)
                #expect(stored.value(forKey: "price") == nil)
                expectEqual(stored.object("author")?.text("name"), "Jane")
                expectEqual(stored.names("tags"), ["a"])
                try expectEqual(fresh.one("Author", "Jane").names("books"), ["A"])
                try expectEmpty(fresh.one("Author", "Ann").names("books"))
            }
        }
    }

    @Test("overwriting inserts a deleted row again, and deletes a changed one", arguments: OtherSaver.allCases)
    func overwritingDeletions(_ saver: OtherSaver) throws {
        try withTwoContexts(saver, policy: .overwrite) {
            $0.make("Book", "A")
            $0.make("Book", "B")
        } _: { contexts in
            let (a, theirA) = try contexts.both("Book", "A")
            let (b, theirB) = try contexts.both("Book", "B")
            contexts.theirs.delete(theirA)
            theirB.setValue(2, forKey: "pages")
            try contexts.theirs.save()
            a.setValue(3, forKey: "pages")
            contexts.mine.delete(b)
            try contexts.mine.save()
            try contexts.stored {
                try expectEqual($0.names("Book"), ["A"])
                try expectEqual($0.one("Book", "A").number("pages"), 3)
            }
        }
    }

    @Test(
        "rolling back an insertion in place of a row that is there again saves nothing", arguments: OtherSaver.allCases)
    func rollingBackInsertion(_ saver: OtherSaver) throws {
        try withTwoContexts(saver, policy: .rollback) {
            $0.make("Book", "A", ["pages": 1])
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            let manager = UndoManager()
            manager.groupsByEvent = false
            contexts.mine.undoManager = manager
            expectEqual(theirs.number("pages"), 1)
            try contexts.mine.step {
                contexts.mine.delete(book)
                contexts.mine.processPendingChanges()
            }
            try contexts.mine.save()
            contexts.mine.undo()
            contexts.theirs.mergePolicy = NSMergePolicy.overwrite
            theirs.setValue(2, forKey: "pages")
            try contexts.theirs.save()
            let log = NotificationLog(.NSManagedObjectContextDidSave, of: contexts.mine)
            try contexts.mine.save()
            expectEqual(book.number("pages"), 2)
            expectEqual(log.names(NSUpdatedObjectsKey), [])
            try contexts.stored { try expectEqual($0.one("Book", "A").number("pages"), 2) }
        }
    }

    @Test(
        "rolling back discards all changes of the object in conflict, and keeps those of others",
        arguments: OtherSaver.allCases)
    func rollingBack(_ saver: OtherSaver) throws {
        try withTwoContexts(saver, policy: .rollback) { context in
            let book = context.make("Book", "A", ["pages": 1, "author": context.make("Author", "Jane")])
            book.mutableSetValue(forKey: "tags").add(context.make("Tag", "a"))
            context.make("Author", "Ann")
            context.make("Book", "B")
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            let other = try contexts.mine.one("Book", "B")
            let ann = try contexts.mine.one("Author", "Ann")
            expectEqual(book.names("tags"), ["a"])
            theirs.setValue(2, forKey: "pages")
            try contexts.theirs.save()
            book.setValue("Mine", forKey: "name")
            book.setValue(ann, forKey: "author")
            book.mutableSetValue(forKey: "tags").add(contexts.mine.make("Tag", "new"))
            other.setValue(3, forKey: "pages")
            try contexts.mine.save()
            expectEqual(book.text("name"), "A")
            expectEqual(book.number("pages"), 2)
            expectEqual(book.object("author")?.text("name"), "Jane")
            expectEqual(book.names("tags"), ["a"])
            expectFalse(contexts.mine.hasChanges)
            expectEmpty(ann.names("books"))
            try contexts.stored { fresh in
                let stored = try fresh.one("Book", "A")
                expectEqual(stored.number("pages"), 2)
                expectEqual(stored.object("author")?.text("name"), "Jane")
                expectEqual(stored.names("tags"), ["a"])
                try expectEqual(fresh.one("Book", "B").number("pages"), 3)
                try expectEqual(fresh.names("Tag"), ["a", "new"])
            }
        }
    }

    @Test(
        "rolling back keeps an object that the context deletes, and unregisters one whose row was deleted",
        arguments: OtherSaver.allCases)
    func rollingBackDeletions(_ saver: OtherSaver) throws {
        try withTwoContexts(saver, policy: .rollback) {
            $0.make("Book", "A")
            $0.make("Book", "B")
        } _: { contexts in
            let (a, theirA) = try contexts.both("Book", "A")
            let (b, theirB) = try contexts.both("Book", "B")
            contexts.theirs.delete(theirA)
            theirB.setValue(2, forKey: "pages")
            try contexts.theirs.save()
            a.setValue(3, forKey: "pages")
            contexts.mine.delete(b)
            try contexts.mine.save()
            expectEqual(a.managedObjectContext, nil)
            expectFalse(b.isDeleted)
            expectEqual(b.number("pages"), 2)
            expectFalse(contexts.mine.hasChanges)
            try contexts.stored { try expectEqual($0.names("Book"), ["B"]) }
        }
    }
}
