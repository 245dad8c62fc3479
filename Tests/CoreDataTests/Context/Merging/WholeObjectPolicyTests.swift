import CoreData
import Testing

@Suite("Overwriting and rolling back")
struct WholeObjectPolicyTests {
    @Test("overwriting saves the whole object as the context has it", arguments: Rivalry.allCases)
    func overwriting(_ rivalry: Rivalry) throws {
        try withRivals(rivalry, policy: .overwrite) { context in
            context.make("Author", "Jane")
            context.make("Author", "Ann")
            let book = context.make("Book", "A", ["pages": 1, "author": try context.one("Author", "Jane")])
            for name in ["a", "b"] { book.mutableSetValue(forKey: "tags").add(context.make("Tag", name)) }
        } _: { rivals in
            let (book, theirs) = try rivals.both("Book", "A")
            #expect(book.names("tags") == ["a", "b"] && book.object("author")?.text("name") == "Jane")
            theirs.setValue("Theirs", forKey: "name")
            theirs.setValue(2.0, forKey: "price")
            theirs.setValue(try rivals.theirs.one("Author", "Ann"), forKey: "author")
            theirs.mutableSetValue(forKey: "tags").add(rivals.theirs.make("Tag", "x"))
            try rivals.theirs.save()
            book.setValue(3, forKey: "pages")
            book.mutableSetValue(forKey: "tags").remove(try rivals.mine.one("Tag", "b"))
            try rivals.mine.save()
            #expect(!rivals.mine.hasChanges)
            try rivals.stored { fresh in
                let stored = try fresh.one("Book", "A")
                #expect(
                    stored.number("pages") == 3 && stored.value(forKey: "price") == nil
                        && stored.object("author")?.text("name") == "Jane")
                #expect(stored.names("tags") == ["a"])
                try #expect(
                    fresh.one("Author", "Jane").names("books") == ["A"]
                        && fresh.one("Author", "Ann").names("books").isEmpty)
            }
        }
    }

    @Test("overwriting inserts again what is gone, and deletes what was changed", arguments: Rivalry.allCases)
    func overwritingDeletions(_ rivalry: Rivalry) throws {
        try withRivals(rivalry, policy: .overwrite) {
            $0.make("Book", "A")
            $0.make("Book", "B")
        } _: { rivals in
            let (a, theirA) = try rivals.both("Book", "A")
            let (b, theirB) = try rivals.both("Book", "B")
            rivals.theirs.delete(theirA)
            theirB.setValue(2, forKey: "pages")
            try rivals.theirs.save()
            a.setValue(3, forKey: "pages")
            rivals.mine.delete(b)
            try rivals.mine.save()
            try rivals.stored { try #expect($0.names("Book") == ["A"] && $0.one("Book", "A").number("pages") == 3) }
        }
    }

    @Test(
        "rolling back forgets all changes of the object in conflict, and keeps those of others",
        arguments: Rivalry.allCases)
    func rollingBack(_ rivalry: Rivalry) throws {
        try withRivals(rivalry, policy: .rollback) { context in
            let book = context.make("Book", "A", ["pages": 1, "author": context.make("Author", "Jane")])
            book.mutableSetValue(forKey: "tags").add(context.make("Tag", "a"))
            context.make("Author", "Ann")
            context.make("Book", "B")
        } _: { rivals in
            let (book, theirs) = try rivals.both("Book", "A")
            let other = try rivals.mine.one("Book", "B")
            let ann = try rivals.mine.one("Author", "Ann")
            #expect(book.names("tags") == ["a"])
            theirs.setValue(2, forKey: "pages")
            try rivals.theirs.save()
            book.setValue("Mine", forKey: "name")
            book.setValue(ann, forKey: "author")
            book.mutableSetValue(forKey: "tags").add(rivals.mine.make("Tag", "new"))
            other.setValue(3, forKey: "pages")
            try rivals.mine.save()
            #expect(
                book.text("name") == "A" && book.number("pages") == 2 && book.object("author")?.text("name") == "Jane"
                    && book.names("tags") == ["a"])
            #expect(!rivals.mine.hasChanges && ann.names("books").isEmpty)
            try rivals.stored { fresh in
                let stored = try fresh.one("Book", "A")
                #expect(
                    stored.number("pages") == 2 && stored.object("author")?.text("name") == "Jane"
                        && stored.names("tags") == ["a"])
                try #expect(fresh.one("Book", "B").number("pages") == 3 && fresh.names("Tag") == ["a", "new"])
            }
        }
    }

    @Test("rolling back keeps what the context deletes, and lets go of what is gone", arguments: Rivalry.allCases)
    func rollingBackDeletions(_ rivalry: Rivalry) throws {
        try withRivals(rivalry, policy: .rollback) {
            $0.make("Book", "A")
            $0.make("Book", "B")
        } _: { rivals in
            let (a, theirA) = try rivals.both("Book", "A")
            let (b, theirB) = try rivals.both("Book", "B")
            rivals.theirs.delete(theirA)
            theirB.setValue(2, forKey: "pages")
            try rivals.theirs.save()
            a.setValue(3, forKey: "pages")
            rivals.mine.delete(b)
            try rivals.mine.save()
            #expect(a.managedObjectContext == nil && !b.isDeleted && b.number("pages") == 2 && !rivals.mine.hasChanges)
            try rivals.stored { try #expect($0.names("Book") == ["B"]) }
        }
    }
}
