import CoreData
import Testing

@Suite("Fetching with unsaved changes")
struct PendingChangesTests {
    private let byName = [NSSortDescriptor(key: "name", ascending: true)]

    /// Five saved books, B to F, of 10 to 50 pages.
    private func withBooks(_ kind: StoreKind, _ body: (TestStack, NSManagedObjectContext) throws -> Void) throws {
        try withStack(kind) { stack in
            for (index, name) in ["B", "C", "D", "E", "F"].enumerated() {
                stack.context.make("Book", name, ["pages": 10 * (index + 1)])
            }
            try stack.context.save()
            let context = stack.newContext()
            try on(context) { try body(stack, context) }
        }
    }

    private func names(_ context: NSManagedObjectContext, _ format: String? = nil, limit: Int = 0, offset: Int = 0)
        throws -> String
    {
        try context.all("Book", format, sort: byName, limit: limit, offset: offset).map { $0.text("name")! }.joined()
    }

    @Test("inserted, changed and deleted objects count, in their places", arguments: StoreKind.allCases)
    func all(_ kind: StoreKind) throws {
        try withBooks(kind) { stack, context in
            context.make("Book", "A", ["pages": 1])
            context.make("Novel", "G", ["pages": 60])
            context.delete(try context.one("Book", "C"))
            try context.one("Book", "E").setValue("Z", forKey: "name")
            try expectEqual(names(context), "ABDFGZ")
            try expectEqual(names(context, "pages < 45"), "ABDZ")
            try expectEqual(names(context, "name == 'E'"), "")
            try expectEqual(names(context, "name == 'Z'"), "Z")
            try expectEqual(names(context, limit: 2), "AB")
            try expectEqual(names(context, limit: 2, offset: 3), "FG")
            try expectEqual(names(context, offset: 5), "Z")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            try expectEqual(context.count(for: request), 6)
            request.predicate = NSPredicate(format: "pages < 45")
            request.fetchLimit = 3
            try expectEqual(context.count(for: request), 3)
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            ids.resultType = .managedObjectIDResultType
            ids.sortDescriptors = byName
            try expectEqual(context.fetch(ids), context.all("Book", sort: byName).map(\.objectID))
            try context.save()
            try expectEqual(names(context), "ABDFGZ")
        }
    }

    @Test("a request may exclude unsaved changes", arguments: StoreKind.allCases)
    func without(_ kind: StoreKind) throws {
        try withBooks(kind) { stack, context in
            context.make("Book", "A")
            try context.one("Book", "E").setValue("Z", forKey: "name")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.includesPendingChanges = false
            request.predicate = NSPredicate(format: "name IN {'A', 'E', 'Z'}")
            try expectEqual(context.fetch(request).map { $0.text("name") }, ["Z"])
            try expectEqual(context.count(for: request), 1)
        }
    }

    @Test("predicates see unsaved relationships", arguments: StoreKind.allCases)
    func relationships(_ kind: StoreKind) throws {
        try withBooks(kind) { stack, context in
            let author = context.make("Author", "New")
            try context.one("Book", "D").setValue(author, forKey: "author")
            try expectEqual(names(context, "author.name == 'New'"), "D")
            try expectEqual(context.names("Book", "author == %@", [author]), ["D"])
            try expectEqual(context.names("Author", "ANY books.pages == 30"), ["New"])
            try expectEqual(context.names("Author", "books.@count == 1"), ["New"])
        }
    }

    @Test(
        "a deleted object that is not saved is not found, and found again after rollback", arguments: StoreKind.allCases
    )
    func deleted(_ kind: StoreKind) throws {
        try withBooks(kind) { stack, context in
            for book in try context.all("Book", "pages > 20") { context.delete(book) }
            try expectEqual(names(context), "BC")
            context.rollback()
            try expectEqual(names(context), "BCDEF")
        }
    }

    @Test("changes of other entities don't disturb the fetch", arguments: StoreKind.allCases)
    func others(_ kind: StoreKind) throws {
        try withBooks(kind) { stack, context in
            context.make("Author", "X")
            context.make("Tag", "Y")
            try expectEqual(names(context), "BCDEF")
            try expectEmpty(context.all("Novel"))
        }
    }

    @Test("objects with permanent IDs that are not saved yet are found once", arguments: StoreKind.allCases)
    func permanent(_ kind: StoreKind) throws {
        try withBooks(kind) { stack, context in
            let book = context.make("Book", "A")
            try context.obtainPermanentIDs(for: [book])
            try expectEqual(names(context), "ABCDEF")
            try context.save()
            try expectEqual(names(context), "ABCDEF")
        }
    }

    @Test("a key of one subentity may be used for all, with any unsaved changes", arguments: StoreKind.allCases)
    func subentityKeys(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            stack.context.make("Author", "a", ["genre": "x"])
            stack.context.make("Reader", "b")
            try stack.context.save()
            stack.context.make("Author", "c", ["genre": "x"])
            stack.context.make("Reader", "d")
            try expectEqual(stack.context.names("Person", "genre == 'x'"), ["a", "c"])
            try expectEqual(stack.context.names("Person", "genre == nil"), ["b", "d"])
            let author = try stack.context.one("Author", "c")
            try expectEqual(stack.context.names("Person", "SELF == %@ AND genre != nil", [author]), ["c"])
            let sorted = try stack.context.all(
                "Person",
                sort: [
                    NSSortDescriptor(key: "genre", ascending: false), NSSortDescriptor(key: "name", ascending: true),
                ])
            expectEqual(sorted.map { $0.text("name") }, ["a", "c", "b", "d"])
        }
    }
}
