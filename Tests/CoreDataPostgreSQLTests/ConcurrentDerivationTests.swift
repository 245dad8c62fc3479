import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Two transactions that change what one derived value comes from. Neither sees the changes of the other one.
@Suite("Derived attributes of transactions at once", .enabled(if: TestServer.isPresent))
struct ConcurrentDerivationTests {
    private let database: TestDatabase

    init() throws { database = try TestDatabase() }

    /// A store with one derived attribute.
    private func open(_ derived: String) throws -> NSPersistentStoreCoordinator {
        let model = ClusterStatementTests.derivedModel()
        for entity in model.entities {
            entity.properties.removeAll {
                $0 is NSDerivedAttributeDescription && "\(entity.name ?? "").\($0.name)" != derived
            }
        }
        return try database.coordinator(at: database.url(), model: model)
    }

    /// Saves an author with two books of ten pages, another author, and a tag.
    private func fill(_ coordinator: NSPersistentStoreCoordinator) throws -> [String: NSManagedObjectID] {
        try database.use(coordinator) { context in
            let ada = context.make("Author", "Ada")
            let books = ["b1", "b2"].map { context.make("Book", $0, ["author": ada, "pages": 10]) }
            let objects = books + [ada, context.make("Author", "Bob"), context.make("Tag", "red")]
            try context.save()
            return Dictionary(uniqueKeysWithValues: objects.map { ($0.text("name") ?? "", $0.objectID) })
        }
    }

    /// Runs a statement in a transaction, and commits it when a block on another thread waits for the transaction.
    private func holding(
        _ statement: String, _ coordinator: NSPersistentStoreCoordinator,
        _ body: @escaping (NSManagedObjectContext) throws -> Void
    ) throws {
        let connection = try TestServer.connect()
        defer { connection.close() }
        try connection.begin()
        try connection.execute(statement.replacingOccurrences(of: "$", with: "\"\(database.schema("store"))\""))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let signals = Signals()
        context.perform { signals.add(thrownError { try body(context) }.map { "\($0)" } ?? "saved") }
        try TestServer.waitForLocks(of: connection)
        expectEmpty(signals.all)
        try connection.commit()
        #expect(signals.wait { !$0.isEmpty })
        expectEqual(signals.all, ["saved"])
    }

    /// The values of a column in the order of the names, as the server has them.
    private func values(_ table: String, _ column: String) throws -> [String] {
        let connection = try TestServer.connect()
        defer { connection.close() }
        return try connection.execute(
            "SELECT \(column)::text FROM \"\(database.schema("store"))\".\(table) ORDER BY zname"
        ).map { $0.text(0) }
    }

    @Test("A sum has the values of both")
    func sum() throws {
        let coordinator = try open("Author.pages")
        let ids = try fill(coordinator)
        let book = try requireValue(ids["b2"])
        try holding("UPDATE $.zbook SET zpages = 20 WHERE zname = 'b1'", coordinator) { context in
            context.object(with: book).setValue(50, forKey: "pages")
            try context.save()
        }
        try expectEqual(values("zauthor", "zpages"), ["70", "0"])
    }

    @Test("A number has the members of both")
    func count() throws {
        let coordinator = try open("Author.bookCount")
        let ids = try fill(coordinator)
        let book = try requireValue(ids["b2"])
        try holding("UPDATE $.zbook SET zauthor = NULL WHERE zname = 'b1'", coordinator) { context in
            context.object(with: book).setValue(nil, forKey: "author")
            try context.save()
        }
        try expectEqual(values("zauthor", "zbookcount"), ["0", "0"])
    }

    @Test("The sum of a new member in a many-to-many relationship has the member's new value")
    func member() throws {
        let coordinator = try open("Tag.pages")
        let ids = try fill(coordinator)
        let (book, tag) = (try requireValue(ids["b1"]), try requireValue(ids["red"]))
        try holding("UPDATE $.zbook SET zpages = 20 WHERE zname = 'b1'", coordinator) { context in
            context.object(with: tag).setValue(NSSet(object: context.object(with: book)), forKey: "books")
            try context.save()
        }
        try expectEqual(values("ztag", "zpages"), ["20"])
    }

    @Test("An object that begins to refer to another one has the other's new value")
    func value() throws {
        let coordinator = try open("Book.authorName")
        let ids = try fill(coordinator)
        let author = try requireValue(ids["Ada"])
        try holding("UPDATE $.zauthor SET zname = 'Eve' WHERE zname = 'Ada'", coordinator) { context in
            context.make("Book", "b3", ["author": context.object(with: author)])
            try context.save()
        }
        try expectEqual(values("zbook", "zauthorname"), ["Eve", "Eve", "Eve"])
    }

    @Test("An object that another transaction makes refer to one has the new value of that one")
    func referring() throws {
        let coordinator = try open("Book.authorName")
        let ids = try fill(coordinator)
        let author = try requireValue(ids["Bob"])
        let key = try requireValue(Int64(author.uriRepresentation().lastPathComponent.dropFirst()))
        try holding("UPDATE $.zbook SET zauthor = \(key) WHERE zname = 'b1'", coordinator) { context in
            context.object(with: author).setValue("Rob", forKey: "name")
            try context.save()
        }
        try expectEqual(values("zbook", "zauthorname"), ["Rob", "Ada"])
    }
}
