import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// How often a request sends something to the server and waits for the answer.
@Suite("Round trips of requests", .enabled(if: TestServer.isPresent))
struct RoundTripTests {
    /// A library whose store has one connection.
    private final class Library {
        let stack: TestStack

        init(_ options: [AnyHashable: Any] = [:]) throws {
            stack = try TestStack(
                .postgresql, options: options.merging([NSPostgreSQLPoolSizeOption: 1]) { own, _ in own })
        }

        /// The round trips of a block that runs in a new context.
        func count(_ body: (NSManagedObjectContext) throws -> Void) throws -> Int {
            let store = try requireValue(stack.store as? PostgreSQLStore).database
            let notifier = try store.requireOpen().notifier
            let context = stack.newContext()
            // A notice that is planned would count when its time comes.
            notifier.finish()
            let before = try store.read { $0.connection.roundTripCount }
            try on(context) { try body(context) }
            notifier.finish()
            return try store.read { $0.connection.roundTripCount } - before
        }
    }

    private static func insert(_ count: Int, _ context: NSManagedObjectContext) throws {
        let author = context.make("Author", "A")
        let tag = context.make("Tag", "t")
        for index in 0..<count {
            let book = context.make("Book", "\(index)", ["author": author, "pages": index])
            book.setValue(NSSet(object: tag), forKey: "tags")
            book.setValue(NSOrderedSet(array: [context.make("Chapter", "\(index)")]), forKey: "chapters")
        }
        try context.save()
    }

    private static func books(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.returnsObjectsAsFaults = false
        return try context.fetch(request)
    }

    /// Compares the round trips of a block for few and for many objects. The first run prepares the statements.
    private func compare(_ body: (NSManagedObjectContext, Int) throws -> Void) throws {
        let library = try Library()
        _ = try library.count { try Self.insert(10, $0) }
        _ = try library.count { try body($0, 10) }
        let few = try library.count { try body($0, 10) }
        let many = try library.count { try body($0, 1000) }
        // Larger lists of keys may need one more block, and saves that take longer have a notice each.
        #expect(many <= few + 5, "\(few) for 10, \(many) for 1000")
    }

    @Test("of a save don't grow with the inserted objects and their relationships")
    func inserting() throws { try compare { try Self.insert($1, $0) } }

    @Test("of a save don't grow with the changed objects")
    func updating() throws {
        try compare { context, count in
            try Self.insert(count, context)
            for book in try Self.books(context) { book.setValue((book.number("pages") ?? 0) + 1, forKey: "pages") }
            try context.save()
        }
    }

    @Test("of a save don't grow with the deleted objects")
    func deleting() throws {
        try compare { context, count in
            let tags = (0..<count).map { context.make("Tag", "\($0)") }
            try context.save()
            tags.forEach(context.delete)
            try context.save()
        }
    }

    @Test("of a fetch with prefetched relationships don't grow with the objects")
    func prefetching() throws {
        try compare { context, count in
            try Self.insert(count, context)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.relationshipKeyPathsForPrefetching = ["author", "tags", "chapters"]
            for book in try context.fetch(request) {
                _ = (book.object("author")?.text("name"), book.objects("tags").count, book.ordered("chapters").count)
            }
        }
    }

    @Test("of a batch insert don't grow with the rows")
    func batchInsert() throws {
        try compare { context, count in
            let request = NSBatchInsertRequest(
                entityName: "Tag", objects: (0..<count).map { ["name": "\($0)"] as [String: Any] })
            _ = try context.execute(request)
        }
    }

    @Test("of a save of one new object are two: its statement goes with the beginning of the transaction")
    func oneObject() throws {
        let library = try Library()
        func save() throws -> Int {
            try library.count { context in
                context.make("Tag", "t")
                try context.save()
            }
        }
        _ = try save()
        try expectEqual(save(), 2)
    }

    @Test("of a save don't grow with the conflicts of unique values")
    func uniqueValues() throws {
        let entity = NSEntityDescription()
        entity.name = "Label"
        let name = NSAttributeDescription()
        (name.name, name.attributeType) = ("name", .stringAttributeType)
        let value = NSAttributeDescription()
        (value.name, value.attributeType) = ("value", .integer64AttributeType)
        entity.properties = [name, value]
        entity.uniquenessConstraints = [["name"]]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try TestStack(.postgresql, model: model, options: [NSPostgreSQLPoolSizeOption: 1])
        let store = try requireValue(stack.store as? PostgreSQLStore).database
        func save(_ count: Int, value: Int) throws -> Int {
            let context = stack.newContext()
            let before = try store.read { $0.connection.roundTripCount }
            try on(context) {
                context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
                for index in 0..<count { context.make("Label", "\(index)", ["value": value]) }
                try context.save()
            }
            return try store.read { $0.connection.roundTripCount } - before
        }
        _ = try save(500, value: 1)
        _ = try save(10, value: 2)
        let few = try save(10, value: 3)
        let many = try save(500, value: 4)
        #expect(many <= few + 2, "\(few) for 10, \(many) for 500")
        try on(stack.context) {
            let labels = try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Label"))
            expectEqual(labels.count, 500)
            #expect(labels.allSatisfy { $0.number("value") == 4 })
        }
    }
}
