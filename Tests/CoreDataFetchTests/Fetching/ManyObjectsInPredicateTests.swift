import CoreData
import Testing

@Suite("Lists and sets of objects in predicates")
struct ManyObjectsInPredicateTests {
    private let many = 3000

    /// Artists of whom every second one is wanted.
    private func artists(_ context: NSManagedObjectContext) throws -> (
        all: [NSManagedObject], wanted: [NSManagedObject]
    ) {
        let all = (0..<many).map { context.make("Artist", "Artist \($0)") }
        try context.save()
        return (all, all.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element))
    }

    // Each list looked through for each object would be millions of comparisons.
    @Test("thousands of objects or IDs are looked up, not searched", arguments: StoreKind.allCases)
    func thousands(_ kind: StoreKind) throws {
        let seconds = try TestRun.processorSeconds { try filterAndFetch(kind) }
        #expect(seconds < 60)
    }

    private func filterAndFetch(_ kind: StoreKind) throws {
        try withStack(kind, model: AlbumModel.make()) { stack in
            let (all, wanted) = try artists(stack.context)
            let lists: [Any] = [wanted, wanted.map(\.objectID), Set(wanted), NSSet(array: wanted), wanted as NSArray]
            for list in lists {
                let predicate = NSPredicate(format: "SELF IN %@", argumentArray: [list])
                expectEqual((all as NSArray).filtered(using: predicate).count, wanted.count)
                try expectEqual(stack.context.all("Artist", "SELF IN %@", [list]).count, wanted.count)
                try expectEqual(stack.context.all("Artist", "NOT (SELF IN %@)", [list]).count, all.count - wanted.count)
            }
        }
    }

    @Test("objects that are saved after a predicate was first evaluated are still found", arguments: StoreKind.allCases)
    func savedLater(_ kind: StoreKind) throws {
        try withStack(kind, model: AlbumModel.make()) { stack in
            let objects = (0..<20).map { stack.context.make("Artist", "Artist \($0)") }
            let predicate = NSPredicate(format: "SELF IN %@", objects as NSArray)
            expectEqual((objects as NSArray).filtered(using: predicate).count, 20)
            try stack.context.save()
            expectEqual((objects as NSArray).filtered(using: predicate).count, 20)
        }
    }

    @Test("an array that changes after a predicate was evaluated is read again")
    func mutableArray() {
        let list = NSMutableArray(array: (0..<20).map { NSNumber(value: $0) })
        let predicate = NSPredicate(format: "SELF IN %@", list)
        expectFalse(predicate.evaluate(with: NSNumber(value: 20)))
        list.add(NSNumber(value: 20))
        expectTrue(predicate.evaluate(with: NSNumber(value: 20)))
    }

    @Test("an object's entity and ID have keys")
    func keysOfEntitiesAndIDs() throws {
        try withAlbums(.sqlite) { context in
            let albums = try context.all("Album") as NSArray
            let live = albums.filtered(using: NSPredicate(format: "entity.name == 'LiveAlbum'"))
            expectEqual(live.count, 1)
            expectEqual(
                albums.filtered(
                    using: NSPredicate(format: "objectID.entity.name == 'LiveAlbum' AND objectID.temporaryID == NO")
                ).count, 1)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "entity.name", cacheName: nil)
            request.predicate = NSPredicate(format: "title BEGINSWITH 'Ab' OR title == 'Live'")
            try controller.performFetch()
            expectEqual(controller.sections?.map(\.name), ["Album", "LiveAlbum"])
        }
    }

    @Test(
        "a SUBQUERY over a constant collection of objects reads their rows in stores in memory",
        arguments: [
            StoreKind.memory, .xml,
        ])
    func subquery(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let authors = ["Ann", "Bob"].map { stack.context.make("Author", $0) }
            let books = [10, 20, 30].map { stack.context.make("Book", "\($0)", ["pages": $0]) }
            for book in books { book.setValue(authors[book === books[0] ? 1 : 0], forKey: "author") }
            try stack.context.save()
            let format = "SUBQUERY(%@, $b, $b.author == SELF AND $b.pages > 5).@count > 1"
            for list in [books as NSArray, NSSet(array: books)] as [NSObject] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
                request.predicate = NSPredicate(format: format, argumentArray: [list])
                try expectEqual(stack.context.fetch(request), [authors[0]])
            }
        }
    }
}
