import CoreData
import Testing

@Suite("Ordered relationships that a child saves")
struct ChildOrderTests {
    /// Shelves and books, each with an order of the others.
    private static func makeModel() -> NSManagedObjectModel {
        let shelf = entity("Shelf")
        let book = entity("Book")
        let books = toMany("books", book, ordered: true)
        let shelves = toMany("shelves", shelf, ordered: true)
        pair(books, shelves)
        shelf.properties = [attribute("name", .stringAttributeType), books]
        book.properties = [attribute("name", .stringAttributeType), shelves]
        return model([shelf, book])
    }

    @Test("have the child's order in the parent, whichever side made the relation", arguments: StoreKind.allCases)
    func order(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            for name in ["a", "b", "c", "d"] {
                stack.context.make("Shelf", name)
                stack.context.make("Book", name)
            }
            try stack.context.save()
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = stack.context
            try on(child) {
                let shelves = try ["a", "b", "c", "d"].map { try child.one("Shelf", $0) }
                let books = try ["a", "b", "c", "d"].map { try child.one("Book", $0) }
                // By the other side, whose content isn't loaded, and as a whole.
                for index in [2, 0, 3, 1] { shelves[index].mutableOrderedSetValue(forKey: "books").add(books[0]) }
                shelves[1].setValue(NSOrderedSet(array: [books[3], books[0], books[2]]), forKey: "books")
                try child.save()
            }
            let book = try stack.context.one("Book", "a")
            let shelf = try stack.context.one("Shelf", "b")
            #expect(book.names("shelves") == ["c", "a", "d", "b"])
            #expect(shelf.names("books") == ["d", "a", "c"])
            try stack.context.save()
            try inFreshContext(stack) { context in
                try #expect(context.one("Book", "a").names("shelves") == ["c", "a", "d", "b"])
                try #expect(context.one("Shelf", "b").names("books") == ["d", "a", "c"])
            }
        }
    }

    @Test(
        "have it also where the members are unsaved and not read between the child and the root",
        arguments: StoreKind.allCases)
    func unreadMembers(_ kind: StoreKind) throws {
        try withFamily(kind, depth: 2, fill: { $0.make("Book", "A") }) { family in
            let book = try family.root.one("Book", "A")
            book.setValue(NSOrderedSet(array: ["1", "2"].map { family.root.make("Chapter", $0) }), forKey: "chapters")
            family.root.processPendingChanges()
            let above = try family.parent.one("Book", "A")
            try family.child.one("Book", "A").mutableOrderedSetValue(forKey: "chapters").insert(
                family.child.make("Chapter", "between"), at: 1)
            try family.child.save()
            #expect(above.names("chapters") == ["1", "between", "2"])
            try family.parent.save()
            #expect(book.names("chapters") == ["1", "between", "2"])
        }
    }
}
