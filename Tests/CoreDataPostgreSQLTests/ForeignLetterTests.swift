import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Names with letters outside of ASCII, which the server has in upper case.
@Suite("A store whose relationships have names with umlauts", .enabled(if: TestServer.isPresent))
struct ForeignLetterTests {
    /// One join table has an umlaut in its name, another one only in a column.
    private func makeModel() -> NSManagedObjectModel {
        let (author, book) = (entity("Autor"), entity("Buch"))
        let (books, authors) = (toMany("bücher", book), toMany("autoren", author))
        let (works, writers) = (toMany("werke", book), toMany("verfässer", author))
        let siblings = toMany("nächste", author)
        pair(books, authors)
        pair(works, writers)
        siblings.inverseRelationship = siblings
        author.properties = [attribute("name", .stringAttributeType), books, works, siblings]
        book.properties = [attribute("titel", .stringAttributeType), authors, writers]
        return model([author, book])
    }

    private func fill(_ database: TestDatabase, _ coordinator: NSPersistentStoreCoordinator) throws {
        try database.use(coordinator) { context in
            func insert(_ entity: String) -> NSManagedObject {
                NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            }
            let (author, other, book) = (insert("Autor"), insert("Autor"), insert("Buch"))
            for key in ["bücher", "werke"] { author.setValue(NSSet(array: [book]), forKey: key) }
            author.setValue(NSSet(array: [other]), forKey: "nächste")
            try context.save()
        }
    }

    /// The numbers of members of all authors' relationships.
    private func counts(_ database: TestDatabase, _ coordinator: NSPersistentStoreCoordinator) throws -> [Int] {
        try database.use(coordinator) { context in
            let authors = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Autor"))
            return ["bücher", "werke", "nächste"].map { key in
                authors.reduce(0) { $0 + (($1.value(forKey: key) as? NSSet)?.count ?? 0) }
            }
        }
    }

    private func tables(_ schema: String) throws -> [String] {
        let connection = try TestServer.connect()
        defer { connection.close() }
        return try connection.execute(
            """
            SELECT relname::text FROM pg_class WHERE relnamespace = '\(schema)'::regnamespace AND relkind = 'r' \
            ORDER BY relname
            """
        ).map { $0.text(0) }
    }

    @Test("is destroyed and made again, and replaced")
    func removal() throws {
        let database = try TestDatabase()
        let model = makeModel()
        let first = try database.coordinator(at: database.url(), model: model)
        try fill(database, first)
        let schema = database.schema("store")
        try #expect(tables(schema).contains { !$0.allSatisfy(\.isASCII) })
        try database.execute(
            """
            CREATE TABLE \(schema)."Z_1FREMDE" ("Z_1FREMDE" bigint, betrag integer);
            CREATE TABLE \(schema)."Z_Bücher" ("Z_1BÜCHER" bigint)
            """)
        let foreign = ["Z_1FREMDE", "Z_Bücher"]
        try first.destroyPersistentStore(at: database.url(), type: .postgreSQL)
        try expectEqual(tables(schema), foreign)

        let second = try database.coordinator(at: database.url(), model: model)
        try fill(database, second)
        let source = try database.coordinator(at: database.url("source"), model: model)
        for _ in 0..<2 { try fill(database, source) }
        try second.replacePersistentStore(
            at: database.url(), withPersistentStoreFrom: database.url("source"), type: .postgreSQL)
        let third = try database.coordinator(at: database.url(), model: model)
        // A relationship that is its own inverse has both sides.
        try expectEqual(counts(database, third), [2, 2, 4])
        try third.destroyPersistentStore(at: database.url(), type: .postgreSQL)
        try expectEqual(tables(schema), foreign)
    }
}
