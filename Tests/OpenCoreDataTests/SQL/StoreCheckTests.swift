import CoreDataModel
import OpenCoreData
import Testing

@testable import CoreDataStores

@Suite("Examining the file of a store")
struct StoreCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var url: URL { folder.file("store.sqlite") }

    /// Books with an author, a sequel and tags; novels are books. An album has pages without inverse.
    private static func makeModel() -> NSManagedObjectModel {
        func entity(_ name: String) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            return entity
        }
        func attribute(_ name: String, _ type: NSAttributeType, optional: Bool = true) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, optional)
            return attribute
        }
        func relationship(_ name: String, _ destination: NSEntityDescription, many: Bool = false)
            -> NSRelationshipDescription
        {
            let relationship = NSRelationshipDescription()
            (relationship.name, relationship.destinationEntity) = (name, destination)
            (relationship.maxCount, relationship.isOptional) = (many ? 0 : 1, true)
            return relationship
        }
        func pair(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
            (one.inverseRelationship, other.inverseRelationship) = (other, one)
        }
        let (book, novel, author, tag, page) = (
            entity("Book"), entity("Novel"), entity("Author"), entity("Tag"), entity("Page")
        )
        let (writer, books) = (relationship("author", author), relationship("books", book, many: true))
        let (sequel, prequel) = (relationship("sequel", book), relationship("prequel", book))
        let (tags, tagged) = (relationship("tags", tag, many: true), relationship("books", book, many: true))
        pair(writer, books)
        pair(sequel, prequel)
        pair(tags, tagged)
        book.properties = [
            attribute("name", .stringAttributeType, optional: false), writer, sequel, prequel, tags,
        ]
        book.subentities = [novel]
        author.properties = [attribute("name", .stringAttributeType), books, relationship("pages", page, many: true)]
        tag.properties = [attribute("name", .stringAttributeType), tagged]
        page.properties = [attribute("name", .stringAttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [book, novel, author, tag, page]
        return model
    }

    /// Makes a store with two linked books, an author with a page, and a tag; then runs statements on the file.
    private func defects(after statements: String...) throws -> [StoreDefect] {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            func make(_ entity: String, _ name: String) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                object.setValue(name, forKey: "name")
                return object
            }
            let (first, second, author, tag) = (
                make("Book", "Emma"), make("Novel", "Emma 2"), make("Author", "Jane"), make("Tag", "classic")
            )
            first.setValue(second, forKey: "sequel")
            for book in [first, second] {
                book.setValue(author, forKey: "author")
                book.setValue([tag] as Set, forKey: "tags")
            }
            author.setValue([make("Page", "1")] as Set, forKey: "pages")
            try context.save()
        }
        try coordinator.remove(store)
        let connection = try SQLiteConnection(path: url.path, mode: .readWrite)
        for statement in statements { try connection.run(statement) }
        return try SQLiteStoreCheck.defects(at: url.path, model: Self.makeModel())
    }

    private func subjects(_ defects: [StoreDefect]) -> [String] {
        defects.map { "\($0.kind.rawValue) \($0.entityName ?? "").\($0.propertyName ?? "") \($0.count)" }
    }

    @Test("a sound store has no defects")
    func sound() throws {
        try expectEqual(subjects(defects()), [])
    }

    @Test("an object that is missing: every relationship to it, in rows and join tables")
    func dangling() throws {
        let defects = try defects(after: "DELETE FROM ZAUTHOR", "DELETE FROM ZTAG")
        expectEqual(
            Set(subjects(defects)),
            [
                "danglingReference Book.author 2", "danglingReference Author.pages 1",
                defects.contains { $0.entityName == "Tag" }
                    ? "danglingReference Tag.books 2" : "danglingReference Book.tags 2",
            ])
        let text = defects.first { $0.propertyName == "author" }?.text
        expectEqual(text, "Book.author: 2 objects refer to an Author that doesn't exist (Z_PK 1, 2).")
    }

    @Test("a one-to-one relationship whose sides disagree")
    func oneSided() throws {
        try expectEqual(
            subjects(defects(after: "UPDATE ZBOOK SET ZPREQUEL = NULL WHERE ZPREQUEL IS NOT NULL")),
            [
                "oneSidedReference Book.sequel 1"
            ])
    }

    @Test("a join table without its key, and a member that it has twice")
    func repeatedMembers() throws {
        _ = try defects()
        let connection = { try SQLiteConnection(path: url.path, mode: .readWrite) }
        let name = try requireValue(
            try connection().text(
                """
                SELECT name FROM sqlite_master
                WHERE name LIKE 'Z\\_%' ESCAPE '\\' AND sql LIKE '%PRIMARY KEY (%,%'
                """))
        for statement in [
            "CREATE TABLE KEYLESS AS SELECT * FROM \(name)", "DROP TABLE \(name)",
            "ALTER TABLE KEYLESS RENAME TO \(name)",
        ] { try connection().run(statement) }
        var found = try SQLiteStoreCheck.defects(at: url.path, model: Self.makeModel())
        expectEqual(found.map(\.kind), [.missingKey])
        try connection().run("INSERT INTO \(name) SELECT * FROM \(name) LIMIT 1")
        found = try SQLiteStoreCheck.defects(at: url.path, model: Self.makeModel())
        expectEqual(found.map(\.kind), [.missingKey, .repeatedMember])
        expectEqual(found.last?.count, 1)
    }

    @Test("a reference by another entity")
    func wrongEntity() throws {
        let column = "(SELECT name FROM pragma_table_info('ZBOOK') WHERE name LIKE 'Z%_SEQUEL' AND name <> 'ZSEQUEL')"
        let connection = { try SQLiteConnection(path: url.path, mode: .readWrite) }
        _ = try defects()
        let name = try requireValue(try connection().text("SELECT \(column)"))
        try connection().run("UPDATE ZBOOK SET \(name) = 1 WHERE ZSEQUEL IS NOT NULL")
        let found = try SQLiteStoreCheck.defects(at: url.path, model: Self.makeModel())
        expectEqual(found.map(\.kind), [.wrongEntity])
    }

    @Test("an entity that the model doesn't have, and a required value that is missing")
    func rows() throws {
        try expectEqual(
            subjects(
                defects(
                    after: "UPDATE ZPAGE SET Z_ENT = 77", "UPDATE ZBOOK SET ZNAME = NULL WHERE Z_PK = 1")
            ),
            ["unknownEntity Page. 1", "missingValue Book.name 1"])
    }

    @Test("a highest key that is too low, and an entity that is missing in Z_PRIMARYKEY")
    func primaryKeys() throws {
        try expectEqual(
            subjects(
                defects(
                    after: "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Book'",
                    "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Novel'")),
            [
                "entityTable Novel. 1", "lowHighestKey Book. 1",
            ])
    }

    @Test("an entity with two numbers in Z_PRIMARYKEY")
    func numbers() throws {
        let found = try defects(after: "INSERT INTO Z_PRIMARYKEY VALUES (9, 'Novel', 2, 0)")
        expectEqual(found.map(\.text), ["Novel: Z_PRIMARYKEY has two numbers for Novel, 3 and 9."])
    }

    @Test("missing tables and columns are found before anything is read from them")
    func tables() throws {
        try expectEqual(
            subjects(defects(after: "DROP TABLE ZPAGE", "ALTER TABLE ZBOOK RENAME COLUMN ZNAME TO ZOTHER")),
            [
                "missingColumn Book. 1", "missingTable Page. 1",
            ])
    }

    @Test("a model in the store that is another one than its metadata says")
    func modelCache() throws {
        try expectEqual(subjects(defects(after: "UPDATE Z_MODELCACHE SET Z_CONTENT = x'00ff'")), ["modelCache . 1"])
    }

    @Test("damage that SQLite finds")
    func damage() throws {
        _ = try defects()
        let connection = try SQLiteConnection(path: url.path, mode: .readWrite)
        let page = try requireValue(
            try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = 'ZAUTHOR'"))
        let size = try requireValue(try connection.integer("PRAGMA page_size"))
        try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try FileHandle(forUpdating: url)
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xee, count: 100))
        try file.close()
        let found = try SQLiteStoreCheck.defects(at: url.path, model: Self.makeModel())
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.kind == .damagedDatabase })
    }
}
