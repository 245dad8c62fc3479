import CoreData
import Testing

/// The policies that merge property by property: what both sides have changed is decided by the policy, the rest is
/// kept from both.
@Suite("Merging by property")
struct PropertyMergeTests {
    enum Trump: String, CaseIterable, Sendable {
        case object, store

        var policy: NSMergePolicy { self == .object ? .mergeByPropertyObjectTrump : .mergeByPropertyStoreTrump }
    }

    @Test(
        "each side's attributes are kept, and the policy decides about those that both have changed",
        arguments: OtherSaver.allCases, Trump.allCases)
    func attributes(_ saver: OtherSaver, _ trump: Trump) throws {
        try withTwoContexts(saver, policy: trump.policy) {
            $0.make("Book", "A", ["pages": 1, "price": 1.0])
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            theirs.setValue("Theirs", forKey: "name")
            theirs.setValue(2, forKey: "pages")
            try contexts.theirs.save()
            book.setValue(3, forKey: "pages")
            book.setValue(3.0, forKey: "price")
            book.setValue("kept", forKey: "note")
            try contexts.mine.save()
            let pages: Int64 = trump == .object ? 3 : 2
            expectEqual(book.text("name"), "Theirs")
            expectEqual(book.number("pages"), pages)
            expectFalse(contexts.mine.hasChanges)
            expectEqual(book.text("note"), "kept")
            try contexts.stored {
                let stored = try $0.one("Book", "Theirs")
                expectEqual(stored.number("pages"), pages)
                expectEqual((stored.value(forKey: "price") as? Double), 3)
            }
            book.setValue(9, forKey: "pages")
            try contexts.mine.save()
        }
    }

    @Test(
        "a to-one relationship that both have changed gets the destination of the favoured side, and inverses agree",
        arguments: OtherSaver.allCases, Trump.allCases)
    func toOne(_ saver: OtherSaver, _ trump: Trump) throws {
        try withTwoContexts(saver, policy: trump.policy) {
            for name in ["Old", "Mine", "Theirs"] { $0.make("Author", name) }
            $0.make("Book", "A", ["author": try $0.one("Author", "Old")])
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            let old = try contexts.mine.one("Author", "Old")
            let own = try contexts.mine.one("Author", "Mine")
            let other = try contexts.mine.one("Author", "Theirs")
            expectEqual(old.names("books"), ["A"])
            expectEmpty(own.names("books"))
            expectEmpty(other.names("books"))
            theirs.setValue(try contexts.theirs.one("Author", "Theirs"), forKey: "author")
            try contexts.theirs.save()
            book.setValue(own, forKey: "author")
            try contexts.mine.save()
            let expected = trump == .object ? own : other
            #expect(book.object("author") === expected)
            expectEqual(own.names("books"), (trump == .object ? ["A"] : []))
            try contexts.stored { fresh in
                try expectEqual(fresh.one("Book", "A").object("author")?.text("name"), expected.text("name"))
                for name in ["Old", "Mine", "Theirs"] {
                    try expectEqual(
                        fresh.one("Author", name).names("books"), (name == expected.text("name") ? ["A"] : []))
                }
            }
            contexts.mine.refreshAllObjects()
            expectEmpty(old.names("books"))
            expectEqual(expected.names("books"), ["A"])
            expectFalse(contexts.mine.hasChanges)
        }
    }

    @Test("what both have added to and removed from a set is merged", arguments: OtherSaver.allCases, Trump.allCases)
    func toMany(_ saver: OtherSaver, _ trump: Trump) throws {
        try withTwoContexts(saver, policy: trump.policy) { context in
            let book = context.make("Book", "A")
            for name in ["a", "b", "c", "d"] { context.make("Tag", name) }
            for name in ["a", "b"] { book.mutableSetValue(forKey: "tags").add(try context.one("Tag", name)) }
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            expectEqual(book.names("tags"), ["a", "b"])
            let theirTags = theirs.mutableSetValue(forKey: "tags")
            let tags = book.mutableSetValue(forKey: "tags")
            theirTags.add(try contexts.theirs.one("Tag", "c"))
            theirTags.remove(try contexts.theirs.one("Tag", "a"))
            try contexts.theirs.save()
            tags.add(try contexts.mine.one("Tag", "d"))
            tags.remove(try contexts.mine.one("Tag", "b"))
            try contexts.mine.save()
            expectEqual(book.names("tags"), ["c", "d"])
            try contexts.stored { try expectEqual($0.one("Book", "A").names("tags"), ["c", "d"]) }
        }
    }

    @Test("children that both have added are all there", arguments: OtherSaver.allCases, Trump.allCases)
    func children(_ saver: OtherSaver, _ trump: Trump) throws {
        try withTwoContexts(saver, policy: trump.policy) {
            $0.make("Author", "Jane")
        } _: { contexts in
            let (jane, theirJane) = try contexts.both("Author", "Jane")
            contexts.theirs.make("Book", "Theirs", ["author": theirJane])
            theirJane.setValue("novels", forKey: "genre")
            try contexts.theirs.save()
            contexts.mine.make("Book", "Mine", ["author": jane])
            jane.setValue(40, forKey: "age")
            try contexts.mine.save()
            expectEqual(jane.names("books"), ["Mine", "Theirs"])
            expectEqual(jane.text("genre"), "novels")
            try contexts.stored {
                try expectEqual($0.one("Author", "Jane").names("books"), ["Mine", "Theirs"])
                try expectEqual($0.one("Author", "Jane").number("age"), 40)
            }
        }
    }

    @Test(
        "an ordered relationship keeps the order of the side that the policy favours", arguments: OtherSaver.allCases,
        Trump.allCases)
    func ordered(_ saver: OtherSaver, _ trump: Trump) throws {
        try withTwoContexts(saver, policy: trump.policy) { context in
            let shelf = context.make("Shelf", "S")
            shelf.setValue(NSOrderedSet(array: ["a", "b", "c"].map { context.make("Book", $0) }), forKey: "items")
        } _: { contexts in
            let (shelf, theirs) = try contexts.both("Shelf", "S")
            expectEqual(shelf.names("items"), ["a", "b", "c"])
            theirs.mutableOrderedSetValue(forKey: "items").add(contexts.theirs.make("Book", "x"))
            theirs.mutableOrderedSetValue(forKey: "items").remove(try contexts.theirs.one("Book", "b"))
            try contexts.theirs.save()
            let items = shelf.mutableOrderedSetValue(forKey: "items")
            items.moveObjects(at: IndexSet(integer: 2), to: 0)
            items.insert(contexts.mine.make("Book", "y"), at: 1)
            expectEqual(shelf.names("items"), ["c", "y", "a", "b"])
            try contexts.mine.save()
            let expected = trump == .object ? ["c", "y", "a", "x"] : ["a", "c", "x", "y"]
            expectEqual(shelf.names("items"), expected)
            try contexts.stored { try expectEqual($0.one("Shelf", "S").names("items"), expected) }
        }
    }

    @Test("an order that only this context has changed is kept", arguments: OtherSaver.allCases, Trump.allCases)
    func ownOrder(_ saver: OtherSaver, _ trump: Trump) throws {
        try withTwoContexts(
            saver, policy: trump.policy,
            given: { context in
                let book = context.make("Book", "A")
                for name in ["1", "2"] { context.make("Chapter", name, ["book": book]) }
            }
        ) { contexts in
            let books = try contexts.both("Book", "A")
            books.theirs.setValue(7, forKey: "pages")
            try contexts.theirs.save()
            let chapters = books.mine.mutableOrderedSetValue(forKey: "chapters")
            chapters.insert(contexts.mine.make("Chapter", "new"), at: 0)
            chapters.exchangeObject(at: 1, withObjectAt: 2)
            try contexts.mine.save()
            expectEqual(books.mine.names("chapters"), ["new", "2", "1"])
            expectEqual(books.mine.number("pages"), 7)
            try contexts.stored { try expectEqual($0.one("Book", "A").names("chapters"), ["new", "2", "1"]) }
        }
    }

    @Test(
        "an object whose row was deleted is inserted again, or unregistered", arguments: OtherSaver.allCases,
        Trump.allCases)
    func deletedThere(_ saver: OtherSaver, _ trump: Trump) throws {
        try withTwoContexts(saver, policy: trump.policy) { context in
            let book = context.make("Book", "A", ["author": context.make("Author", "Jane")])
            book.mutableSetValue(forKey: "tags").add(context.make("Tag", "t"))
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            let jane = try contexts.mine.one("Author", "Jane")
            expectEqual(jane.names("books"), ["A"])
            expectEqual(book.names("tags"), ["t"])
            contexts.theirs.delete(theirs)
            try contexts.theirs.save()
            let id = book.objectID
            book.setValue(7, forKey: "pages")
            let note = NotificationRecorder(contexts.mine)
            defer { note.stop() }
            try contexts.mine.save()
            expectFalse(contexts.mine.hasChanges)
            if trump == .object {
                expectEqual(book.objectID, id)
                #expect(book.managedObjectContext === contexts.mine)
                expectFalse(book.isInserted)
                book.setValue(8, forKey: "pages")
                try contexts.mine.save()
                try contexts.stored { fresh in
                    let stored = try fresh.one("Book", "A")
                    expectEqual(stored.number("pages"), 8)
                    expectEqual(stored.object("author")?.text("name"), "Jane")
                    expectEqual(stored.objectID, id)
                    expectEmpty(stored.names("tags"))
                }
            } else {
                expectEqual(book.managedObjectContext, nil)
                expectEmpty(jane.names("books"))
                #expect(
                    note.notifications.contains {
                        ($0.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject>)?.contains(book) == true
                    })
                try contexts.stored { try expectEmpty($0.all("Book")) }
            }
        }
    }

    @Test(
        "a row that is inserted again is another one for a context that knows the deleted row",
        arguments: OtherSaver.allCases)
    func versionOfAReplacement(_ saver: OtherSaver) throws {
        try withTwoContexts(saver, policy: .mergeByPropertyObjectTrump) {
            $0.make("Book", "A", ["pages": 1])
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            try inFreshContext(contexts.stack) { stale in
                let old = try stale.one("Book", "A")
                expectEqual(old.number("pages"), 1)
                contexts.theirs.delete(theirs)
                try contexts.theirs.save()
                book.setValue(2, forKey: "pages")
                try contexts.mine.save()
                old.setValue(3, forKey: "pages")
                let error = try requireValue(thrownError { try stale.save() })
                expectEqual(error.code, NSManagedObjectMergeError)
                expectEqual(error.mergeConflicts.map(\.oldVersionNumber), [1])
                // Higher than any version of the deleted row that a context may have.
                #expect(error.mergeConflicts.allSatisfy { $0.newVersionNumber > 2 })
            }
            book.setValue(4, forKey: "pages")
            try contexts.mine.save()
        }
    }

    @Test(
        "an object that the context deletes is deleted, or kept with the other's changes",
        arguments: OtherSaver.allCases,
        Trump.allCases)
    func deletedHere(_ saver: OtherSaver, _ trump: Trump) throws {
        try withTwoContexts(saver, policy: trump.policy) {
            $0.make("Book", "A", ["author": $0.make("Author", "Jane")])
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            let jane = try contexts.mine.one("Author", "Jane")
            expectEqual(jane.names("books"), ["A"])
            theirs.setValue(2, forKey: "pages")
            try contexts.theirs.save()
            contexts.mine.delete(book)
            try contexts.mine.save()
            expectFalse(contexts.mine.hasChanges)
            if trump == .object {
                expectEqual(book.managedObjectContext, nil)
                try contexts.stored { try expectEmpty($0.all("Book")) }
            } else {
                expectFalse(book.isDeleted)
                expectEqual(book.number("pages"), 2)
                expectEqual(jane.names("books"), ["A"])
                try contexts.stored {
                    try expectEqual($0.one("Book", "A").number("pages"), 2)
                    try expectEqual($0.one("Author", "Jane").names("books"), ["A"])
                }
                book.setValue(3, forKey: "pages")
                try contexts.mine.save()
            }
        }
    }
}
