import CoreData
import Testing

@Suite("Rows that a conflict inserts again")
struct ReinsertedRowConflictTests {
    static let policies = DeletionConflictTests.policies

    // MARK: References without inverse

    /// A reader with a favourite book, which has no inverse. The other context deletes both.
    private func withDeletedReader(
        _ saver: OtherSaver, _ type: NSMergePolicyType,
        _ body: (TwoContexts, _ reader: NSManagedObject, _ deletion: () throws -> Void) throws -> Void
    ) throws {
        try withTwoContexts(saver, policy: NSMergePolicy(merge: type)) { context in
            context.make("Reader", "reader", ["favourite": context.make("Book", "book")])
        } _: { contexts in
            let readers = try contexts.both("Reader", "reader")
            try body(contexts, readers.mine) {
                contexts.theirs.delete(try contexts.theirs.one("Book", "book"))
                contexts.theirs.delete(readers.theirs)
                try contexts.theirs.save()
            }
        }
    }

    @Test("have no reference to a deleted object", arguments: OtherSaver.allCases, policies)
    func missingDestination(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withDeletedReader(saver, type) { contexts, reader, delete in
            let book = reader.object("favourite")
            expectTrue(book != nil)
            reader.setValue(1, forKey: "card")
            try delete()
            try contexts.mine.save()
            expectEqual(reader.object("favourite"), nil)
            expectFalse(contexts.mine.hasChanges)
            try contexts.stored { try expectEqual($0.one("Reader", "reader").object("favourite"), nil) }
        }
    }

    @Test("have a reference to an object that is inserted again, too", arguments: OtherSaver.allCases, policies)
    func changedDestination(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withDeletedReader(saver, type) { contexts, reader, delete in
            let book = try requireValue(reader.object("favourite"))
            // No change, though the book counts as updated.
            book.setValue("book", forKey: "name")
            reader.setValue(1, forKey: "card")
            try delete()
            try contexts.mine.save()
            #expect(reader.object("favourite") === book)
            try contexts.stored { fresh in
                try #expect(fresh.one("Reader", "reader").object("favourite") === fresh.one("Book", "book"))
            }
        }
    }

    @Test("leave the deleted row as other contexts have it", arguments: OtherSaver.allCases, policies)
    func sharedRow(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withDeletedReader(saver, type) { contexts, reader, delete in
            let third = contexts.stack.newContext()
            try on(third) {
                let same = try third.one("Reader", "reader")
                expectEqual(same.text("name"), "reader")
                // A pupil is no value of the row.
                contexts.mine.refresh(reader, mergeChanges: false)
                contexts.mine.make("Author", "pupil", ["mentor": reader])
                try delete()
                try contexts.mine.save()
                expectTrue(same.object("favourite") != nil)
            }
        }
    }

    // MARK: Relationships to many

    @Test("have only the members that the context has added", arguments: OtherSaver.allCases, policies)
    func members(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withTwoContexts(saver, policy: NSMergePolicy(merge: type)) { context in
            let book = context.make("Book", "book")
            book.mutableSetValue(forKey: "tags").add(context.make("Tag", "old"))
            context.make("Tag", "new")
        } _: { contexts in
            let books = try contexts.both("Book", "book")
            expectEqual(books.mine.names("tags"), ["old"])
            books.mine.mutableSetValue(forKey: "tags").add(try contexts.mine.one("Tag", "new"))
            contexts.theirs.delete(books.theirs)
            try contexts.theirs.save()
            try contexts.mine.save()
            expectEqual(books.mine.names("tags"), ["new"])
            try contexts.stored { try expectEqual($0.one("Book", "book").names("tags"), ["new"]) }
        }
    }

    // MARK: Notifications

    @Test("are in the change notification of the conflict", arguments: OtherSaver.allCases, policies)
    func notification(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withTwoContexts(saver, policy: NSMergePolicy(merge: type)) {
            $0.make("Tag", "tag")
        } _: { contexts in
            let tags = try contexts.both("Tag", "tag")
            tags.mine.setValue("mine", forKey: "name")
            contexts.mine.processPendingChanges()
            contexts.theirs.delete(tags.theirs)
            try contexts.theirs.save()
            let log = NotificationLog(.NSManagedObjectContextObjectsDidChange, of: contexts.mine)
            try contexts.mine.save()
            expectEqual(log.names(NSUpdatedObjectsKey), ["mine"])
        }
    }

    // MARK: Objects without changes

    @Test(
        "are not those of unchanged objects: these leave the context", arguments: OtherSaver.allCases, policies)
    func unchanged(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withTwoContexts(saver, policy: NSMergePolicy(merge: type)) {
            $0.make("Tag", "checked")
            $0.make("Tag", "changed")
        } _: { contexts in
            let tags = try contexts.both("Tag", "checked")
            contexts.mine.detectConflicts(for: tags.mine)
            try contexts.mine.one("Tag", "changed").setValue("new", forKey: "name")
            contexts.theirs.delete(tags.theirs)
            try contexts.theirs.save()
            try contexts.mine.save()
            expectEqual(tags.mine.managedObjectContext, nil)
            try contexts.stored { try expectEqual($0.names("Tag"), ["new"]) }
        }
    }

    @Test("are not those of checked owners: references to these end", arguments: OtherSaver.allCases)
    func checkedOwner(_ saver: OtherSaver) throws {
        try withTwoContexts(saver, policy: .overwrite) { context in
            context.make("Book", "book", ["author": context.make("Author", "author")])
        } _: { contexts in
            let (authors, books) = (try contexts.both("Author", "author"), try contexts.both("Book", "book"))
            contexts.mine.detectConflicts(for: authors.mine)
            #expect(books.mine.object("author") === authors.mine)
            books.mine.setValue(3, forKey: "pages")
            books.theirs.setValue(nil, forKey: "author")
            contexts.theirs.delete(authors.theirs)
            try contexts.theirs.save()
            try contexts.mine.save()
            expectEqual(authors.mine.managedObjectContext, nil)
            try contexts.stored { fresh in
                let stored = try fresh.one("Book", "book")
                expectEqual(stored.object("author"), nil)
                expectEqual(stored.number("pages"), 3)
            }
        }
    }

    // MARK: Rows that are there again

    /// This context has deleted a book with a row of the other context, and inserts it again by an undo. The other
    /// context has changed the row, and its save inserts it again, too.
    private func withRowThereAgain(
        _ saver: OtherSaver, _ type: NSMergePolicyType,
        _ body: (TwoContexts, _ mine: NSManagedObject, _ save: () throws -> Void, _ theirs: NSManagedObject) throws
            -> Void
    ) throws {
        try withTwoContexts(saver, policy: NSMergePolicy(merge: type)) { context in
            for name in ["Jane", "Ann"] { context.make("Author", name) }
            for name in ["a", "b", "c"] { context.make("Tag", name) }
            let book = context.make("Book", "book", ["pages": 1, "author": try context.one("Author", "Jane")])
            book.mutableSetValue(forKey: "tags").add(try context.one("Tag", "a"))
        } _: { contexts in
            let books = try contexts.both("Book", "book")
            let kept = (try contexts.mine.all("Author"), try contexts.mine.all("Tag"))
            _ = (books.theirs.names("tags"), books.mine.names("tags"), books.mine.object("author"))
            let manager = UndoManager()
            manager.groupsByEvent = false
            contexts.mine.undoManager = manager
            try contexts.mine.step {
                contexts.mine.delete(books.mine)
                contexts.mine.processPendingChanges()
            }
            try contexts.mine.save()
            contexts.mine.undo()
            contexts.mine.undoManager = nil
            contexts.theirs.mergePolicy = NSMergePolicy.overwrite
            try body(contexts, books.mine, contexts.theirs.save, books.theirs)
            try contexts.stored { try expectEqual(GraphDefects.of($0, ["Author", "Book", "Tag"]), []) }
            withExtendedLifetime(kept) {}
        }
    }

    @Test(
        "and that others have inserted again, too, get the values of the context", arguments: OtherSaver.allCases,
        policies)
    func winningOverRow(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withRowThereAgain(saver, type) { contexts, book, save, theirs in
            theirs.setValue(2, forKey: "pages")
            try save()
            book.setValue("mine", forKey: "name")
            try contexts.mine.save()
            expectEqual(book.number("pages"), 1)
            try contexts.stored { fresh in
                let stored = try fresh.one("Book", "mine")
                expectEqual(stored.number("pages"), 1)
                expectEqual(stored.object("author")?.text("name"), "Jane")
            }
        }
    }

    @Test(
        "and that others have inserted again, too, get the later changes of others if those win",
        arguments: OtherSaver.allCases)
    func mergingAfterRollback(_ saver: OtherSaver) throws {
        try withRowThereAgain(saver, .rollbackMergePolicyType) { contexts, book, save, theirs in
            theirs.setValue(2, forKey: "pages")
            try save()
            try contexts.mine.save()
            expectEqual(book.number("pages"), 2)
            book.setValue(1.5, forKey: "price")
            theirs.setValue("theirs", forKey: "name")
            try save()
            contexts.mine.refresh(book, mergeChanges: true)
            expectEqual(book.text("name"), "theirs")
            expectEqual(book.value(forKey: "price") as? Double, 1.5)
            try contexts.mine.save()
        }
    }

    @Test(
        "and that others have inserted again, too, have the relationships of others if those win",
        arguments: OtherSaver.allCases,
        [NSMergePolicyType.rollbackMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType])
    func relationshipsOfRow(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withRowThereAgain(saver, type) { contexts, book, save, theirs in
            theirs.setValue(try contexts.theirs.one("Author", "Ann"), forKey: "author")
            theirs.mutableSetValue(forKey: "tags").add(try contexts.theirs.one("Tag", "b"))
            try save()
            book.mutableSetValue(forKey: "tags").add(try contexts.mine.one("Tag", "c"))
            try contexts.mine.save()
            expectEqual(book.object("author")?.text("name"), "Ann")
            expectEqual(book.names("tags"), ["b"])
            try expectEqual(contexts.mine.one("Author", "Jane").names("books"), [])
            try expectEqual(contexts.mine.one("Tag", "c").names("books"), [])
            try contexts.stored { fresh in
                let stored = try fresh.one("Book", "book")
                expectEqual(stored.object("author")?.text("name"), "Ann")
                expectEqual(stored.names("tags"), ["b"])
            }
        }
    }

    @Test(
        "and that others have inserted again, too, have the same members in the context and in the store",
        arguments: OtherSaver.allCases, policies)
    func membersOfRow(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withRowThereAgain(saver, type) { contexts, book, save, theirs in
            theirs.mutableSetValue(forKey: "tags").add(try contexts.theirs.one("Tag", "b"))
            try save()
            book.mutableSetValue(forKey: "tags").add(try contexts.mine.one("Tag", "c"))
            try contexts.mine.save()
            let names = type == .overwriteMergePolicyType ? ["a", "c"] : ["a", "b", "c"]
            expectEqual(book.names("tags"), names)
            try contexts.stored { try expectEqual($0.one("Book", "book").names("tags"), names) }
        }
    }
}
