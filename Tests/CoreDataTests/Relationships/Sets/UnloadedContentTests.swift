import CoreData
import Testing

/// Contents that weren't read follow changes of the other side alone.
@Suite("Changes of relationships that aren't loaded")
struct UnloadedContentTests {
    /// A book with a tag, on a shelf behind another, by an author; in a context that has fetched them and read no
    /// relationship.
    private func withBook(_ kind: StoreKind, _ body: (TestStack, NSManagedObjectContext) throws -> Void) throws {
        try withStack(kind) { stack in
            let context = stack.context
            let book = context.make("Book", "A", ["author": context.make("Author", "Jane")])
            book.mutableSetValue(forKey: "tags").add(context.make("Tag", "x"))
            context.make("Tag", "y")
            context.make("Author", "Walter")
            context.make("Shelf", "s").setValue(
                NSOrderedSet(array: [book, context.make("Book", "B"), context.make("Book", "C")]), forKey: "items")
            try context.save()
            try inFreshContext(stack) { try body(stack, $0) }
        }
    }

    @Test(
        "a link that was made and undone leaves alone what somebody else has linked meanwhile",
        arguments: StoreKind.allCases)
    func addedAndRemoved(_ kind: StoreKind) throws {
        try withBook(kind) { stack, context in
            let book = try context.one("Book", "A")
            let y = try context.one("Tag", "y")
            let tags = book.mutableSetValue(forKey: "tags")
            tags.add(y)
            tags.remove(y)
            expectTrue(y.hasFault(forRelationshipNamed: "books"))
            try inFreshContext(stack) { other in
                try other.one("Book", "A").mutableSetValue(forKey: "tags").add(try other.one("Tag", "y"))
                try other.save()
            }
            try context.save()
            try inFreshContext(stack) { try expectEqual($0.one("Tag", "y").names("books"), ["A"]) }
        }
    }

    @Test(
        "a link that was cut and made again stays cut if somebody else has cut it meanwhile",
        arguments: StoreKind.allCases)
    func removedAndAdded(_ kind: StoreKind) throws {
        try withBook(kind) { stack, context in
            let book = try context.one("Book", "A")
            let x = try context.one("Tag", "x")
            let tags = book.mutableSetValue(forKey: "tags")
            tags.remove(x)
            context.processPendingChanges()
            tags.add(x)
            expectTrue(x.hasFault(forRelationshipNamed: "books"))
            try inFreshContext(stack) { other in
                try other.one("Book", "A").mutableSetValue(forKey: "tags").remove(try other.one("Tag", "x"))
                try other.save()
            }
            try context.save()
            try inFreshContext(stack) { try expectEqual($0.one("Tag", "x").names("books"), []) }
        }
    }

    @Test("what is as it was is not written: the rows keep their versions")
    func versions() throws {
        try withBook(.sqlite) { stack, context in
            let versions = {
                try SQLiteFile(stack.url).rows(
                    """
                    SELECT ZNAME, Z_OPT FROM ZPERSON UNION ALL SELECT ZNAME, Z_OPT FROM ZBOOK UNION ALL SELECT \
                    ZNAME, Z_OPT FROM ZTAG
                    """
                )
            }
            let before = try versions()
            let book = try context.one("Book", "A")
            let jane = try context.one("Author", "Jane")
            let walter = try context.one("Author", "Walter")
            let x = try context.one("Tag", "x")
            let y = try context.one("Tag", "y")
            book.setValue(walter, forKey: "author")
            book.setValue(jane, forKey: "author")
            for tag in [y, x] { book.mutableSetValue(forKey: "tags").add(tag) }
            book.mutableSetValue(forKey: "tags").remove(y)
            expectTrue(jane.hasFault(forRelationshipNamed: "books"))
            expectTrue(walter.hasFault(forRelationshipNamed: "books"))
            expectFalse(book.hasPersistentChangedValues)
            try context.save()
            try expectEqual(versions(), before)
        }
    }

    @Test("content that is read after such changes has each member once", arguments: StoreKind.allCases)
    func reading(_ kind: StoreKind) throws {
        try withBook(kind) { stack, context in
            let book = try context.one("Book", "A")
            let jane = try context.one("Author", "Jane")
            let walter = try context.one("Author", "Walter")
            book.setValue(walter, forKey: "author")
            book.setValue(jane, forKey: "author")
            expectEqual(jane.objects("books"), [book])
            expectEmpty(walter.objects("books"))
            let x = try context.one("Tag", "x")
            let y = try context.one("Tag", "y")
            book.setValue(NSSet(), forKey: "tags")
            book.setValue(NSSet(array: [x, y]), forKey: "tags")
            expectEqual(x.objects("books"), [book])
            expectEqual(y.objects("books"), [book])
            context.rollback()
            expectEqual(x.objects("books"), [book])
            expectEmpty(y.objects("books"))
            expectEqual(jane.objects("books"), [book])
        }
    }

    @Test(
        "an object that leaves an ordered relationship and comes back is its last, also in the store",
        arguments: StoreKind.allCases, [true, false])
    func ordered(_ kind: StoreKind, _ isRead: Bool) throws {
        try withBook(kind) { stack, context in
            let book = try context.one("Book", "A")
            let shelf = try context.one("Shelf", "s")
            let shelves = book.mutableSetValue(forKey: "shelves")
            shelves.remove(shelf)
            shelves.add(shelf)
            if isRead { expectEqual(shelf.names("items"), ["B", "C", "A"]) }
            try context.save()
            expectEqual(shelf.names("items"), ["B", "C", "A"])
            try inFreshContext(stack) { try expectEqual($0.one("Shelf", "s").names("items"), ["B", "C", "A"]) }
        }
    }

    @Test("an object leaves a set that nobody has read", arguments: StoreKind.allCases)
    func removing(_ kind: StoreKind) throws {
        try withBook(kind) { stack, context in
            let book = try context.one("Book", "A")
            let jane = try context.one("Author", "Jane")
            _ = book.text("name")
            jane.mutableSetValue(forKey: "books").remove(book)
            expectEqual(book.object("author"), nil)
            try context.save()
            expectEmpty(jane.objects("books"))
            try inFreshContext(stack) { try expectEmpty($0.one("Author", "Jane").objects("books")) }
        }
    }
}
