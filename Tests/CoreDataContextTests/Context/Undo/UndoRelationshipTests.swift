import CoreData
import Testing

@Suite("Undo of relationships")
struct UndoRelationshipTests {
    private typealias Find = (String) throws -> NSManagedObject

    /// Saves two authors and three books of the first one. No relationship is loaded in the context.
    private func withBooks(
        _ kind: StoreKind, _ body: (NSManagedObjectContext, TestStack, @escaping Find) throws -> Void
    ) throws {
        try withUndo(kind) { context, _, stack in
            try stack.inAnotherContext { other in
                let author = other.make("Author", "Jane")
                other.make("Author", "Anne")
                let shelf = other.make("Shelf", "top")
                other.make("Tag", "good")
                for name in ["A", "B", "C"] {
                    let book = other.make("Book", name, ["author": author])
                    for chapter in 1...3 { other.make("Chapter", "\(name)\(chapter)", ["book": book]) }
                    shelf.mutableOrderedSetValue(forKey: "items").add(book)
                }
                try other.save()
            }
            try body(context, stack) { name in
                for entity in ["Author", "Book", "Shelf", "Tag", "Chapter"] {
                    if let found = try context.all(entity, "name == %@", [name]).first { return found }
                }
                throw TestFailure("nothing is named \(name)")
            }
        }
    }

    /// Makes a change, undoes and redoes it, with and without saves between, and compares the graph and the store each
    /// time.
    private func check(_ kind: StoreKind, _ change: (NSManagedObjectContext, @escaping Find) throws -> Void) throws {
        for saves in [false, true] {
            for readsFirst in TestRun.quick([saves], long: [false, true]) {
                try withBooks(kind) { context, stack, find in
                    let before = try GraphText.storedLines(stack)
                    // Relationships are loaded before the change, or not.
                    let held = readsFirst ? try GraphText.objects(context) : []
                    if readsFirst { try expectEqual(GraphText.lines(context), before) }
                    try context.step { try change(context, find) }
                    if saves { try context.save() }
                    context.undo()
                    if saves { try context.save() } else { expectFalse(context.hasChanges) }
                    try expectEqual(GraphText.lines(context), before)
                    try expectEqual(GraphText.storedLines(stack), before)
                    context.redo()
                    if saves { try context.save() }
                    let after = try GraphText.lines(context)
                    #expect(after != before)
                    if saves { try expectEqual(GraphText.storedLines(stack), after) }
                    context.undo()
                    try expectEqual(GraphText.lines(context), before)
                    try context.save()
                    try expectEqual(GraphText.storedLines(stack), before)
                    withExtendedLifetime(held) {}
                }
            }
        }
    }

    @Test("a to-one relationship and its inverse", arguments: StoreKind.allCases)
    func toOne(_ kind: StoreKind) throws {
        try check(kind) { _, find in try find("A").setValue(find("Anne"), forKey: "author") }
        try check(kind) { _, find in try find("A").setValue(nil, forKey: "author") }
    }

    @Test("a to-many relationship that was changed directly", arguments: StoreKind.allCases)
    func toMany(_ kind: StoreKind) throws {
        try check(kind) { _, find in try find("Anne").mutableSetValue(forKey: "books").add(find("B")) }
        try check(kind) { _, find in try find("Jane").mutableSetValue(forKey: "books").remove(find("B")) }
        try check(kind) { _, find in try find("Anne").setValue(NSSet(array: [find("A"), find("C")]), forKey: "books") }
    }

    @Test("a many-to-many relationship, from either side", arguments: StoreKind.allCases)
    func manyToMany(_ kind: StoreKind) throws {
        try check(kind) { _, find in try find("good").mutableSetValue(forKey: "books").add(find("B")) }
        try check(kind) { _, find in try find("B").mutableSetValue(forKey: "tags").add(find("good")) }
    }

    @Test("the order of an ordered relationship: moves, insertions and removals", arguments: StoreKind.allCases)
    func ordered(_ kind: StoreKind) throws {
        try check(kind) { _, find in
            try find("A").mutableOrderedSetValue(forKey: "chapters").moveObjects(at: [0], to: 2)
        }
        try check(kind) { _, find in try find("A").mutableOrderedSetValue(forKey: "chapters").removeObject(at: 1) }
        try check(kind) { _, find in try find("A").mutableOrderedSetValue(forKey: "chapters").insert(find("B2"), at: 1)
        }
        try check(kind) { _, find in
            let chapters = try find("A").ordered("chapters")
            try find("A").setValue(NSOrderedSet(array: Array(chapters.reversed())), forKey: "chapters")
        }
        try check(kind) { _, find in try find("top").mutableOrderedSetValue(forKey: "items").moveObjects(at: [2], to: 0)
        }
        try check(kind) { _, find in try find("B").mutableSetValue(forKey: "shelves").remove(find("top")) }
    }

    @Test("relationships of an entity with itself, in both directions", arguments: StoreKind.everyKind)
    func reflexive(_ kind: StoreKind) throws {
        try check(kind) { _, find in try find("Jane").mutableSetValue(forKey: "friends").add(find("Anne")) }
        try check(kind) { _, find in try find("Jane").mutableSetValue(forKey: "friends").add(find("Jane")) }
        try check(kind) { _, find in try find("Jane").setValue(find("Anne"), forKey: "spouse") }
        try check(kind) { _, find in try find("Jane").setValue(find("Anne"), forKey: "mentor") }
        try check(kind) { _, find in try find("Jane").setValue(find("Jane"), forKey: "mentor") }
    }

    @Test("a swap of one-to-one partners", arguments: StoreKind.allCases)
    func oneToOne(_ kind: StoreKind) throws {
        try withUndo(kind) { context, _, _ in
            let books = ["A", "B"].map { context.make("Book", $0, ["cover": context.make("Cover", "of " + $0)]) }
            context.processPendingChangesWithoutUndo()
            let covers = books.map { $0.object("cover") }
            try context.step { books[0].setValue(covers[1], forKey: "cover") }
            expectEqual(books[1].object("cover"), nil)
            expectEqual(covers[0]?.object("book"), nil)
            context.undo()
            expectEqual(books.map { $0.object("cover") }, covers)
            expectEqual(covers.map { $0?.object("book") }, books)
            context.redo()
            #expect(books[0].object("cover") === covers[1])
            expectEqual(books[1].object("cover"), nil)
        }
    }

    @Test("relationships without inverse", arguments: StoreKind.allCases)
    func withoutInverse(_ kind: StoreKind) throws {
        try withUndo(kind) { context, _, stack in
            let reader = context.make("Reader", "Tom")
            let book = context.make("Book", "A")
            let other = context.make("Book", "B")
            context.processPendingChangesWithoutUndo()
            try context.save()
            try context.step {
                reader.setValue(book, forKey: "favourite")
                reader.mutableSetValue(forKey: "wishes").add(book)
                reader.mutableSetValue(forKey: "wishes").add(other)
            }
            try context.save()
            try context.step { reader.mutableSetValue(forKey: "wishes").remove(other) }
            context.undo()
            expectEqual(reader.names("wishes"), ["A", "B"])
            context.undo()
            expectEqual(reader.object("favourite"), nil)
            expectEmpty(reader.names("wishes"))
            try context.save()
            try inFreshContext(stack) { try expectEmpty($0.one("Reader", "Tom").names("wishes")) }
            context.redo()
            try context.save()
            try inFreshContext(stack) { try expectEqual($0.one("Reader", "Tom").names("wishes"), ["A", "B"]) }
        }
    }

    @Test("undoing earlier changes keeps later unregistered changes consistent", arguments: StoreKind.allCases)
    func unnoticed(_ kind: StoreKind) throws {
        try withBooks(kind) { context, _, find in
            let book = try find("A")
            let third = context.make("Author", "Emily")
            context.processPendingChangesWithoutUndo()
            try context.step { book.setValue(try find("Anne"), forKey: "author") }
            book.setValue(third, forKey: "author")
            context.processPendingChangesWithoutUndo()
            context.undo()
            try expectEqual(book.object("author"), find("Jane"))
            try expectEqual(find("Jane").names("books"), ["A", "B", "C"])
            try expectEmpty(find("Anne").names("books"))
            expectEmpty(third.names("books"))
        }
    }

    @Test("an object that was deleted meanwhile is omitted", arguments: StoreKind.allCases)
    func deletedMeanwhile(_ kind: StoreKind) throws {
        try withBooks(kind) { context, stack, find in
            let book = try find("A")
            let jane = try find("Jane")
            try context.step { book.setValue(try find("Anne"), forKey: "author") }
            // This change is not registered with the undo manager.
            context.undoManager?.disableUndoRegistration()
            for other in jane.objects("books") { other.setValue(nil, forKey: "author") }
            context.delete(jane)
            try context.save()
            context.undoManager?.enableUndoRegistration()
            context.undo()
            expectEqual(book.object("author"), nil)
            try expectEmpty(find("Anne").names("books"))
            try context.save()
            try inFreshContext(stack) { try expectEqual($0.one("Book", "A").object("author"), nil) }
        }
    }

    @Test(
        "removing an object that is no member leaves no record for the next event",
        arguments: StoreKind.allCases)
    func nothingRemoved(_ kind: StoreKind) throws {
        try withUndo(kind) { context, _, _ in
            let book = context.make("Book", "A")
            let stranger = context.make("Chapter", "x")
            book.setValue(NSOrderedSet(array: [context.make("Chapter", "1")]), forKey: "chapters")
            try context.step { try context.save() }
            try context.step { book.setValue("B", forKey: "name") }
            book.mutableOrderedSetValue(forKey: "chapters").remove(stranger)
            try context.step { try context.save() }
            try context.step {
                book.setValue("C", forKey: "name")
                context.processPendingChanges()
            }
            context.undo()
            expectEqual(book.text("name"), "B")
            expectFalse(book.isUpdated)
            expectFalse(context.hasChanges)
        }
    }
}
