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
        "each side's attributes are kept, and the policy decides on those that both have changed",
        arguments: Rivalry.allCases, Trump.allCases)
    func attributes(_ rivalry: Rivalry, _ trump: Trump) throws {
        try withRivals(rivalry, policy: trump.policy) {
            $0.make("Book", "A", ["pages": 1, "price": 1.0])
        } _: { rivals in
            let (book, theirs) = try rivals.both("Book", "A")
            theirs.setValue("Theirs", forKey: "name")
            theirs.setValue(2, forKey: "pages")
            try rivals.theirs.save()
            book.setValue(3, forKey: "pages")
            book.setValue(3.0, forKey: "price")
            book.setValue("kept", forKey: "note")
            try rivals.mine.save()
            let pages: Int64 = trump == .object ? 3 : 2
            #expect(book.text("name") == "Theirs" && book.number("pages") == pages && !rivals.mine.hasChanges)
            #expect(book.text("note") == "kept")
            try rivals.stored {
                let stored = try $0.one("Book", "Theirs")
                #expect(stored.number("pages") == pages && (stored.value(forKey: "price") as? Double) == 3)
            }
            book.setValue(9, forKey: "pages")
            try rivals.mine.save()
        }
    }

    @Test(
        "a to-one relationship that both have changed leads where the policy says, and the other sides follow",
        arguments: Rivalry.allCases, Trump.allCases)
    func toOne(_ rivalry: Rivalry, _ trump: Trump) throws {
        try withRivals(rivalry, policy: trump.policy) {
            for name in ["Old", "Mine", "Theirs"] { $0.make("Author", name) }
            $0.make("Book", "A", ["author": try $0.one("Author", "Old")])
        } _: { rivals in
            let (book, theirs) = try rivals.both("Book", "A")
            let old = try rivals.mine.one("Author", "Old")
            let own = try rivals.mine.one("Author", "Mine")
            let other = try rivals.mine.one("Author", "Theirs")
            #expect(old.names("books") == ["A"] && own.names("books").isEmpty && other.names("books").isEmpty)
            theirs.setValue(try rivals.theirs.one("Author", "Theirs"), forKey: "author")
            try rivals.theirs.save()
            book.setValue(own, forKey: "author")
            try rivals.mine.save()
            let expected = trump == .object ? own : other
            #expect(book.object("author") === expected)
            #expect(own.names("books") == (trump == .object ? ["A"] : []))
            try rivals.stored { fresh in
                try #expect(fresh.one("Book", "A").object("author")?.text("name") == expected.text("name"))
                for name in ["Old", "Mine", "Theirs"] {
                    try #expect(
                        fresh.one("Author", name).names("books") == (name == expected.text("name") ? ["A"] : []))
                }
            }
            rivals.mine.refreshAllObjects()
            #expect(old.names("books").isEmpty && expected.names("books") == ["A"])
            #expect(!rivals.mine.hasChanges)
        }
    }

    @Test("what both have added to and removed from a set is merged", arguments: Rivalry.allCases, Trump.allCases)
    func toMany(_ rivalry: Rivalry, _ trump: Trump) throws {
        try withRivals(rivalry, policy: trump.policy) { context in
            let book = context.make("Book", "A")
            for name in ["a", "b", "c", "d"] { context.make("Tag", name) }
            for name in ["a", "b"] { book.mutableSetValue(forKey: "tags").add(try context.one("Tag", name)) }
        } _: { rivals in
            let (book, theirs) = try rivals.both("Book", "A")
            #expect(book.names("tags") == ["a", "b"])
            let theirTags = theirs.mutableSetValue(forKey: "tags")
            let tags = book.mutableSetValue(forKey: "tags")
            theirTags.add(try rivals.theirs.one("Tag", "c"))
            theirTags.remove(try rivals.theirs.one("Tag", "a"))
            try rivals.theirs.save()
            tags.add(try rivals.mine.one("Tag", "d"))
            tags.remove(try rivals.mine.one("Tag", "b"))
            try rivals.mine.save()
            #expect(book.names("tags") == ["c", "d"])
            try rivals.stored { try #expect($0.one("Book", "A").names("tags") == ["c", "d"]) }
        }
    }

    @Test("children that both have added are all there", arguments: Rivalry.allCases, Trump.allCases)
    func children(_ rivalry: Rivalry, _ trump: Trump) throws {
        try withRivals(rivalry, policy: trump.policy) {
            $0.make("Author", "Jane")
        } _: { rivals in
            let (jane, theirJane) = try rivals.both("Author", "Jane")
            rivals.theirs.make("Book", "Theirs", ["author": theirJane])
            theirJane.setValue("novels", forKey: "genre")
            try rivals.theirs.save()
            rivals.mine.make("Book", "Mine", ["author": jane])
            jane.setValue(40, forKey: "age")
            try rivals.mine.save()
            #expect(jane.names("books") == ["Mine", "Theirs"] && jane.text("genre") == "novels")
            try rivals.stored {
                try #expect(
                    $0.one("Author", "Jane").names("books") == ["Mine", "Theirs"]
                        && $0.one("Author", "Jane").number("age") == 40)
            }
        }
    }

    @Test(
        "an ordered relationship keeps the order of the side that the policy favours", arguments: Rivalry.allCases,
        Trump.allCases)
    func ordered(_ rivalry: Rivalry, _ trump: Trump) throws {
        try withRivals(rivalry, policy: trump.policy) { context in
            let shelf = context.make("Shelf", "S")
            shelf.setValue(NSOrderedSet(array: ["a", "b", "c"].map { context.make("Book", $0) }), forKey: "items")
        } _: { rivals in
            let (shelf, theirs) = try rivals.both("Shelf", "S")
            #expect(shelf.names("items") == ["a", "b", "c"])
            theirs.mutableOrderedSetValue(forKey: "items").add(rivals.theirs.make("Book", "x"))
            theirs.mutableOrderedSetValue(forKey: "items").remove(try rivals.theirs.one("Book", "b"))
            try rivals.theirs.save()
            let items = shelf.mutableOrderedSetValue(forKey: "items")
            items.moveObjects(at: IndexSet(integer: 2), to: 0)
            items.insert(rivals.mine.make("Book", "y"), at: 1)
            #expect(shelf.names("items") == ["c", "y", "a", "b"])
            try rivals.mine.save()
            let expected = trump == .object ? ["c", "y", "a", "x"] : ["a", "c", "x", "y"]
            #expect(shelf.names("items") == expected)
            try rivals.stored { try #expect($0.one("Shelf", "S").names("items") == expected) }
        }
    }

    @Test("an order that only this context has changed is kept", arguments: Rivalry.allCases, Trump.allCases)
    func ownOrder(_ rivalry: Rivalry, _ trump: Trump) throws {
        try withRivals(
            rivalry, policy: trump.policy,
            given: { context in
                let book = context.make("Book", "A")
                for name in ["1", "2"] { context.make("Chapter", name, ["book": book]) }
            }
        ) { rivals in
            let books = try rivals.both("Book", "A")
            books.theirs.setValue(7, forKey: "pages")
            try rivals.theirs.save()
            let chapters = books.mine.mutableOrderedSetValue(forKey: "chapters")
            chapters.insert(rivals.mine.make("Chapter", "new"), at: 0)
            chapters.exchangeObject(at: 1, withObjectAt: 2)
            try rivals.mine.save()
            #expect(books.mine.names("chapters") == ["new", "2", "1"] && books.mine.number("pages") == 7)
            try rivals.stored { try #expect($0.one("Book", "A").names("chapters") == ["new", "2", "1"]) }
        }
    }

    @Test(
        "an object that is gone from the store is inserted again, or leaves", arguments: Rivalry.allCases,
        Trump.allCases)
    func deletedThere(_ rivalry: Rivalry, _ trump: Trump) throws {
        try withRivals(rivalry, policy: trump.policy) { context in
            let book = context.make("Book", "A", ["author": context.make("Author", "Jane")])
            book.mutableSetValue(forKey: "tags").add(context.make("Tag", "t"))
        } _: { rivals in
            let (book, theirs) = try rivals.both("Book", "A")
            let jane = try rivals.mine.one("Author", "Jane")
            #expect(jane.names("books") == ["A"] && book.names("tags") == ["t"])
            rivals.theirs.delete(theirs)
            try rivals.theirs.save()
            let id = book.objectID
            book.setValue(7, forKey: "pages")
            let note = NotificationRecorder(rivals.mine)
            defer { note.stop() }
            try rivals.mine.save()
            #expect(!rivals.mine.hasChanges)
            if trump == .object {
                #expect(book.objectID == id && book.managedObjectContext === rivals.mine && !book.isInserted)
                book.setValue(8, forKey: "pages")
                try rivals.mine.save()
                try rivals.stored { fresh in
                    let stored = try fresh.one("Book", "A")
                    #expect(
                        stored.number("pages") == 8 && stored.object("author")?.text("name") == "Jane"
                            && stored.objectID == id)
                    #expect(stored.names("tags").isEmpty)
                }
            } else {
                #expect(book.managedObjectContext == nil && jane.names("books").isEmpty)
                #expect(
                    note.notifications.contains {
                        ($0.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject>)?.contains(book) == true
                    })
                try rivals.stored { try #expect($0.all("Book").isEmpty) }
            }
        }
    }

    @Test(
        "an object that the context deletes is deleted, or kept with the other's changes", arguments: Rivalry.allCases,
        Trump.allCases)
    func deletedHere(_ rivalry: Rivalry, _ trump: Trump) throws {
        try withRivals(rivalry, policy: trump.policy) {
            $0.make("Book", "A", ["author": $0.make("Author", "Jane")])
        } _: { rivals in
            let (book, theirs) = try rivals.both("Book", "A")
            let jane = try rivals.mine.one("Author", "Jane")
            #expect(jane.names("books") == ["A"])
            theirs.setValue(2, forKey: "pages")
            try rivals.theirs.save()
            rivals.mine.delete(book)
            try rivals.mine.save()
            #expect(!rivals.mine.hasChanges)
            if trump == .object {
                #expect(book.managedObjectContext == nil)
                try rivals.stored { try #expect($0.all("Book").isEmpty) }
            } else {
                #expect(!book.isDeleted && book.number("pages") == 2 && jane.names("books") == ["A"])
                try rivals.stored {
                    try #expect(
                        $0.one("Book", "A").number("pages") == 2 && $0.one("Author", "Jane").names("books") == ["A"])
                }
                book.setValue(3, forKey: "pages")
                try rivals.mine.save()
            }
        }
    }
}
