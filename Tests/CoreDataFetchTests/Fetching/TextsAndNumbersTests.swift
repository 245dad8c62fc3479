import CoreData
import Testing

@Suite("Texts that a fetch compares with numbers")
struct TextsAndNumbersTests {
    /// Some texts and the conditions that select among them.
    private static let names = ["9", "10", "9.5", "9.0", "1.0e+20", "nine", "-1", "1"]
    private static let conditions: [(format: String, found: [String])] = [
        ("name == 9", ["9"]), ("9 == name", ["9"]), ("name != 9", names.filter { $0 != "9" }.sorted()),
        ("name IN {9, 10}", ["10", "9"]), ("name IN {9, 'nine'}", ["9", "nine"]), ("name == 9.5", ["9.5"]),
        ("name == 9.0", ["9.0"]), ("name == 1e20", ["1.0e+20"]), ("name == -1", ["-1"]), ("name == YES", ["1"]),
        ("name < 10", ["-1", "1", "1.0e+20"].sorted()), ("name BETWEEN {9, 9.2}", ["9", "9.0"]),
        ("SUBQUERY(tags, $tag, $tag.name == 7).@count > 0", ["nine"]), ("ANY tags.name IN {7, 8}", ["nine"]),
        ("ALL tags.name == 7 AND tags.@count > 0", ["nine"]),
    ]

    private static func fill(_ context: NSManagedObjectContext) {
        for name in names {
            let book = context.make("Book", name)
            if name == "nine" {
                book.setValue([context.make("Tag", "7")] as Set<NSManagedObject>, forKey: "tags")
            }
        }
    }

    private static func names(_ context: NSManagedObjectContext, _ format: String) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: format)
        let books = try context.fetch(request)
        try expectEqual(context.count(for: request), books.count)
        return books.compactMap { $0.text("name") }.sorted()
    }

    /// An incremental store gets the predicate as the program has written it.
    private static let kinds = StoreKind.everyKind.filter { $0 != .incremental }

    @Test("saved objects match as text", arguments: kinds, conditions)
    func saved(_ kind: StoreKind, _ condition: (format: String, found: [String])) throws {
        try withStack(kind) { stack in
            Self.fill(stack.context)
            try stack.context.save()
            stack.context.reset()
            try expectEqual(Self.names(stack.context, condition.format), condition.found)
        }
    }

    @Test("unsaved objects match as saved ones do", arguments: StoreKind.allCases, conditions)
    func unsaved(_ kind: StoreKind, _ condition: (format: String, found: [String])) throws {
        try withStack(kind) { stack in
            Self.fill(stack.context)
            try expectEqual(Self.names(stack.context, condition.format), condition.found)
        }
    }

    @Test("values given as arguments are converted as constants are")
    func arguments() throws {
        try withStack(.sqlite) { stack in
            Self.fill(stack.context)
            try stack.context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "name IN %@", [9, 10] as [NSNumber])
            try expectEqual(stack.context.count(for: request), 2)
            request.predicate = NSPredicate(format: "name IN %@", NSSet(array: [9, "nine"]))
            try expectEqual(stack.context.count(for: request), 2)
            request.predicate = NSPredicate(format: "pages == %@", "100")
            try expectEqual(stack.context.count(for: request), Self.names.count)
        }
    }

    @Test("a fetched results controller keeps the objects that its fetch finds")
    func fetchedResults() throws {
        try withStack(.sqlite) { stack in
            Self.fill(stack.context)
            try stack.context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "name == 9")
            request.sortDescriptors = []
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil, cacheName: nil)
            final class Delegate: NSObject, NSFetchedResultsControllerDelegate {}
            let delegate = Delegate()
            controller.delegate = delegate
            try controller.performFetch()
            let book = try requireValue(controller.fetchedObjects?.first)
            book.setValue(7, forKey: "pages")
            stack.context.make("Book", "9")
            stack.context.processPendingChanges()
            expectEqual(controller.fetchedObjects?.count, 2)
            withExtendedLifetime(delegate) {}
        }
    }
}
