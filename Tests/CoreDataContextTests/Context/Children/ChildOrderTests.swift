import CoreData
import Testing

@Suite("Ordered relationships that a child saves")
struct ChildOrderTests {
    /// Shelves and books with an ordered many-to-many relationship.
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

    @Test("have the child's order in the parent, whichever side was changed", arguments: StoreKind.allCases)
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
                // By the other side, whose contents are not loaded, and as a complete set.
                for index in [2, 0, 3, 1] { shelves[index].mutableOrderedSetValue(forKey: "books").add(books[0]) }
                shelves[1].setValue(NSOrderedSet(array: [books[3], books[0], books[2]]), forKey: "books")
                try child.save()
            }
            let book = try stack.context.one("Book", "a")
            let shelf = try stack.context.one("Shelf", "b")
            expectEqual(book.names("shelves"), ["c", "a", "d", "b"])
            expectEqual(shelf.names("books"), ["d", "a", "c"])
            try stack.context.save()
            try inFreshContext(stack) { context in
                try expectEqual(context.one("Book", "a").names("shelves"), ["c", "a", "d", "b"])
                try expectEqual(context.one("Shelf", "b").names("books"), ["d", "a", "c"])
            }
        }
    }

    @Test(
        "have it also if the members are unsaved and not registered in a middle context",
        arguments: StoreKind.allCases)
    func unreadMembers(_ kind: StoreKind) throws {
        try withHierarchy(kind, depth: 2, fill: { $0.make("Book", "A") }) { hierarchy in
            let book = try hierarchy.root.one("Book", "A")
            book.setValue(
                NSOrderedSet(array: ["1", "2"].map { hierarchy.root.make("Chapter", $0) }), forKey: "chapters")
            hierarchy.root.processPendingChanges()
            let above = try hierarchy.parent.one("Book", "A")
            try hierarchy.child.one("Book", "A").mutableOrderedSetValue(forKey: "chapters").insert(
                hierarchy.child.make("Chapter", "between"), at: 1)
            try hierarchy.child.save()
            expectEqual(above.names("chapters"), ["1", "between", "2"])
            try hierarchy.parent.save()
            expectEqual(book.names("chapters"), ["1", "between", "2"])
        }
    }
}
