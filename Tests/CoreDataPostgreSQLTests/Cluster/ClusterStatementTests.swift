import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// The statements of stores in a cluster. They are tested on the server of the other tests.
@Suite("Statements of a cluster", .enabled(if: TestServer.isPresent))
struct ClusterStatementTests {
    private static var single: [AnyHashable: Any] {
        [NSPostgreSQLPoolSizeOption: 1, NSPersistentHistoryTrackingKey: true]
    }

    @Test("ask for the number of a transaction without a table, after the locks and before the condition")
    func number() throws {
        let database = try ClusterTestDatabase()
        let store = try #require(database.store(of: database.coordinator(Self.single)))
        let open = try store.requireOpen()
        let texts = try store.read { PostgreSQLTransactionTexts(open, $0.dialect) }
        let number = try #require(texts.statements.last { $0.contains("pg_advisory_xact_lock") })
        let positions = [
            "pg_advisory_xact_lock_shared(1668246895", "pg_advisory_xact_lock_shared(1668246894",
            "pg_current_xact_id()",
        ].map { number.range(of: $0)?.lowerBound }
        #expect(
            positions.allSatisfy { $0 != nil } && positions.compactMap { $0 } == positions.compactMap { $0 }.sorted())
        #expect(!number.contains("FROM"))
        #expect(texts.select.contains("z_modelcache") && !texts.select.contains("pg_current"))
    }

    @Test("name the table of the rows that they insert from arrays, so that the server of the table runs them")
    func insertions() throws {
        let database = try ClusterTestDatabase()
        let coordinator = try database.coordinator(Self.single)
        let statements = try database.statements(coordinator) {
            try database.database.fill(coordinator)
            try database.database.use(coordinator) { context in
                let rows = (0..<3).map { ["name": "\($0)"] as [String: Any] }
                try context.execute(NSBatchInsertRequest(entityName: "Chapter", objects: rows))
            }
        }
        let insertions = statements.filter { $0.hasPrefix("INSERT") && $0.contains("unnest") }
        #expect(insertions.contains { $0.contains("z_change") } && insertions.contains { $0.contains("ZBOOK") })
        for text in insertions {
            let table = try #require(text.firstMatch(of: #/INSERT INTO (\S+?) ?\(/#)).output.1
            #expect(text.contains(" LEFT JOIN (SELECT FROM \(table) LIMIT 0) AS n ON TRUE"), "\(text)")
        }
        // Two servers commit the rows of a COPY one after the other.
        #expect(!statements.contains { $0.hasPrefix("COPY") && $0.contains("FROM STDIN") })
        try expectEqual(database.database.contents(coordinator), TestDatabase.expected)
    }

    @Test("of triggers join no table with the rows that have changed")
    func triggers() throws {
        let schema = try SQLSchema(postgreSQL: Self.derivedModel(), configuration: nil)
        let functions = PostgreSQLDefinition(schema, name: "shop").triggerFunctions
        #expect(functions.count > 4)
        for part in functions.flatMap({ $0.statements[0].split(separator: ";") })
        where part.contains("old_rows") || part.contains("new_rows") {
            #expect(!part.contains("shop") || part.contains(" FUNCTION "), "\(part)")
            expectEqual(part.split(separator: "BEGIN").last?.contains("shop"), false, "\(part)")
        }
    }

    static func derivedModel() -> NSManagedObjectModel {
        let author = entity("Author")
        let book = entity("Book")
        let tag = entity("Tag")
        let books = toMany("books", book)
        let writer = toOne("author", author)
        pair(books, writer)
        let tags = toMany("tags", tag)
        let tagged = toMany("books", book)
        pair(tags, tagged)
        func derived(_ name: String, _ type: NSAttributeType, _ expression: String) -> NSDerivedAttributeDescription {
            let attribute = NSDerivedAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.derivationExpression = NSExpression(format: expression)
            return attribute
        }
        author.properties = [
            attribute("name", .stringAttributeType), books,
            derived("bookCount", .integer64AttributeType, "books.@count"),
            derived("pages", .integer64AttributeType, "books.pages.@sum"),
        ]
        book.properties = [
            attribute("name", .stringAttributeType), attribute("pages", .integer64AttributeType), writer, tags,
            derived("authorName", .stringAttributeType, "author.name"),
            derived("tagCount", .integer64AttributeType, "tags.@count"),
        ]
        tag.properties = [
            attribute("name", .stringAttributeType), tagged,
            derived("pages", .integer64AttributeType, "books.pages.@sum"),
        ]
        return model([author, book, tag])
    }

    @Test("have derived values followed by triggers, and tell the context of rows that triggers have changed")
    func derivedRows() throws {
        let database = try ClusterTestDatabase()
        let coordinator = try database.coordinator(Self.single, model: Self.derivedModel())
        try database.database.use(coordinator) { context in
            let ada = context.make("Author", "Ada")
            let bob = context.make("Author", "Bob")
            let tag = context.make("Tag", "t")
            try context.save()
            let book = context.make("Book", "One", ["author": ada, "pages": 7])
            book.setValue(NSSet(object: tag), forKey: "tags")
            try context.save()
            expectEqual([ada.number("bookCount"), ada.number("pages"), tag.number("pages")], [1, 7, 7])
            #expect(book.value(forKey: "authorName") as? String == "Ada" && book.number("tagCount") == 1)
            book.setValue(bob, forKey: "author")
            book.setValue(9, forKey: "pages")
            try context.save()
            expectEqual([ada.number("bookCount"), bob.number("bookCount"), bob.number("pages")], [0, 1, 9])
            #expect(tag.number("pages") == 9 && book.value(forKey: "authorName") as? String == "Bob")
            bob.setValue("Rob", forKey: "name")
            try context.save()
            #expect(book.value(forKey: "authorName") as? String == "Rob")
            context.delete(book)
            try context.save()
            expectEqual([bob.number("bookCount"), bob.number("pages"), tag.number("pages")], [0, 0, 0])
        }
    }

    @Test("of triggers take no square of the number of rows, though the server plans them for the first rows")
    func manyRows() throws {
        // The growth for four times the rows: 4 for linear work, 16 for quadratic work. The least of several tries,
        // since the machine has other things to do.
        var growth = Double.infinity
        for _ in 0..<3 where growth > 6 {
            let few = try Self.processorTime(ofTriggersFor: 5000)
            let many = try Self.processorTime(ofTriggersFor: 20_000)
            guard let few, let many else { return }
            growth = min(growth, Double(many) / Double(max(few, 1)))
        }
        #expect(growth <= 6)
    }

    /// The processor time of the server for changes of many rows with triggers; nil where the server can't tell it.
    private static func processorTime(ofTriggersFor count: Int) throws -> Int64? {
        let database = try TestDatabase()
        let options: [AnyHashable: Any] = [NSPostgreSQLPoolSizeOption: 1]
        let url = database.url("store", "options=-cstatement_timeout%3D300000")
        let coordinator = try database.coordinator(at: url, options: options, model: derivedModel())
        let store = try #require(coordinator.persistentStores.first as? PostgreSQLStore).database
        func time() throws -> Int64? { try store.read { try $0.connection.serverProcessorTime() } }
        return try database.use(coordinator) { context -> Int64? in
            let author = context.make("Author", "Ada")
            let book = context.make("Book", "One", ["author": author, "pages": 1])
            try context.save()
            let rows = (0..<count).map { ["name": "\($0)", "pages": 1] as [String: Any] }
            let start = try time()
            try context.execute(NSBatchInsertRequest(entityName: "Book", objects: rows))
            book.setValue(2, forKey: "pages")
            try context.save()
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.propertiesToUpdate = ["pages": 3]
            try context.execute(update)
            let end = try time()
            context.reset()
            try expectEqual(context.all("Author").map { $0.number("pages") }, [3])
            guard let start, let end else { return nil }
            return end - start
        }
    }

    @Test("report a unique value that another object has, with the name of the index")
    func uniqueValue() throws {
        let database = try ClusterTestDatabase()
        let label = entity("Label")
        label.properties = [attribute("name", .stringAttributeType)]
        label.uniquenessConstraints = [["name"]]
        let coordinator = try database.coordinator(model: model([label]))
        try database.database.use(coordinator) { context in
            context.make("Label", "one")
            try context.save()
            context.make("Label", "one")
            let error = try requireError { try context.save() }
            expectEqual(error.code, NSManagedObjectConstraintMergeError)
            context.rollback()
            let request = NSBatchInsertRequest(entityName: "Label", objects: [["name": "two"], ["name": "one"]])
            let refused = try requireError { try context.execute(request) }
            expectEqual(refused.code, NSManagedObjectConstraintMergeError)
            #expect(refused.userInfo[PostgreSQLError.constraintKey] as? String == "z_label_unique_name")
            context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            try context.execute(request)
            try expectEqual(context.names("Label").sorted(), ["one", "two"])
        }
    }

    @Test("make tables that can be moved: each has a key, and a log")
    func keys() throws {
        let database = try ClusterTestDatabase()
        _ = try database.coordinator(Self.single)
        let connection = try TestServer.connect()
        defer { connection.close() }
        let found = try connection.execute(
            """
            SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = to_regnamespace('\(database.schema)') \
            AND c.relkind = 'r' AND (c.relpersistence <> 'p' OR NOT EXISTS \
            (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary))
            """)
        #expect(found.map { $0.text(0) }.isEmpty)
    }

    @Test("take a store of one server over, and give it back, with its history")
    func copies() throws {
        let database = try ClusterTestDatabase()
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        let source = try database.database.coordinator(at: database.plainURL("source"), options: options)
        try database.database.fill(source)
        func changes(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
            try database.database.use(coordinator) { context in
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
                request.resultType = .changesOnly
                let result = try context.execute(request) as? NSPersistentHistoryResult
                let changes = try #require(result?.result as? [NSPersistentHistoryChange])
                return changes.map { "\($0.changeID) \($0.changedObjectID.uriRepresentation().lastPathComponent)" }
            }
        }
        let first = try changes(source)
        #expect(first.count > 10)
        try source.replacePersistentStore(
            at: database.url, withPersistentStoreFrom: database.plainURL("source"), type: .postgreSQL)
        let copy = try database.coordinator(options)
        try expectEqual(database.database.contents(copy), TestDatabase.expected)
        try expectEqual(changes(copy), first)
        try database.database.use(copy) { context in
            for book in try context.all("Book") { context.delete(book) }
            context.make("Tag", "green")
            try context.save()
        }
        let second = try changes(copy)
        #expect(second.starts(with: first) && Set(second).count == second.count && second.count > first.count)
        try source.replacePersistentStore(
            at: database.plainURL("back"), withPersistentStoreFrom: database.url, type: .postgreSQL)
        let back = try database.database.coordinator(at: database.plainURL("back"), options: options)
        try expectEqual(changes(back), second)
        try database.database.fill(back)
        let third = try changes(back)
        #expect(third.starts(with: second) && Set(third).count == third.count)
    }

    @Test("number the changes of each transaction, in their order")
    func changes() throws {
        let database = try ClusterTestDatabase()
        let coordinator = try database.coordinator(Self.single)
        try database.database.fill(coordinator)
        try database.database.use(coordinator) { context in
            for name in ["Onea", "Oneb"] { try context.all("Chapter", "name == %@", [name]).forEach(context.delete) }
            context.make("Tag", "green")
            try context.save()
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            request.resultType = .transactionsAndChanges
            let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
            let transactions = try #require(result.result as? [NSPersistentHistoryTransaction])
            let numbers = transactions.flatMap { $0.changes ?? [] }.map(\.changeID)
            #expect(numbers.count > 10 && Set(numbers).count == numbers.count && numbers == numbers.sorted())
        }
    }
}
