import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@testable import CoreDataStores

@Suite("The triggers of a store")
struct TriggerTests {
    let folder = try! TemporaryFolder()

    /// Orders with lines (one to many) and tags (many to many), and attributes derived from them.
    private func connection() throws -> SQLiteConnection {
        let order = AlbumModel.entity("Order")
        let line = AlbumModel.entity("Line")
        let tag = AlbumModel.entity("Tag")
        let lines = AlbumModel.toMany("lines", line)
        let ofOrder = AlbumModel.toOne("order", order)
        let tags = AlbumModel.toMany("tags", tag)
        let orders = AlbumModel.toMany("orders", order)
        AlbumModel.pair(lines, ofOrder)
        AlbumModel.pair(tags, orders)
        order.properties = [
            lines, tags, derived("total", "lines.price.@sum"), derived("tagCount", "tags.@count"),
            derived("weight", "tags.weight.@sum"), AlbumModel.attribute("number", .integer64AttributeType),
        ]
        line.properties = [
            ofOrder, AlbumModel.attribute("price", .doubleAttributeType), derived("orderNumber", "order.number"),
        ]
        tag.properties = [orders, AlbumModel.attribute("weight", .integer64AttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [order, line, tag]
        return try SQLiteStoreFile.open(at: folder.path("a.sqlite"), model: model).connection
    }

    private func derived(_ name: String, _ keyPath: String) -> NSDerivedAttributeDescription {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = .integer64AttributeType
        attribute.derivationExpression = NSExpression(forKeyPath: keyPath)
        return attribute
    }

    @Test("maintain sums, counts of many-to-many relationships and values of to-one relationships")
    func derivedAttributes() throws {
        let connection = try connection()
        func run(_ statements: String...) throws { for statement in statements { try connection.run(statement) } }
        func order(_ column: String) throws -> Int64? {
            try connection.integer("SELECT \(column) FROM ZORDER WHERE Z_PK = 1")
        }
        // Numbers: Line 1, Order 2, Tag 3.
        try run(
            "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNUMBER) VALUES (1, 2, 1, 40)",
            "INSERT INTO ZLINE (Z_PK, Z_ENT, Z_OPT, ZORDER, ZPRICE) VALUES (1, 1, 1, 1, 5), (2, 1, 1, 1, 7)",
            "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZWEIGHT) VALUES (1, 3, 1, 10), (2, 3, 1, 20)",
            "INSERT INTO Z_2TAGS (Z_2ORDERS, Z_3TAGS) VALUES (1, 1), (1, 2)")
        try expectEqual(order("ZTOTAL"), 12)
        try expectEqual(order("ZTAGCOUNT"), 2)
        try expectEqual(order("ZWEIGHT"), 30)
        try expectEqual(connection.integer("SELECT ZORDERNUMBER FROM ZLINE WHERE Z_PK = 2"), 40)
        try run(
            "UPDATE ZLINE SET ZPRICE = 1 WHERE Z_PK = 1", "UPDATE ZORDER SET ZNUMBER = 41",
            "UPDATE ZTAG SET ZWEIGHT = 11 WHERE Z_PK = 1", "DELETE FROM Z_2TAGS WHERE Z_3TAGS = 2")
        try expectEqual(order("ZTOTAL"), 8)
        try expectEqual(order("ZTAGCOUNT"), 1)
        try expectEqual(order("ZWEIGHT"), 11)
        try expectEqual(connection.integer("SELECT ZORDERNUMBER FROM ZLINE WHERE Z_PK = 2"), 41)
        try run("UPDATE ZLINE SET ZORDER = NULL WHERE Z_PK = 2")
        try expectEqual(order("ZTOTAL"), 1)
    }

    /// Whether the SQLite that the tests link has R-trees. That of the trait BundledSQLite has none.
    private static let hasRTrees: Bool = {
        let folder = try! TemporaryFolder()
        let connection = try! SQLiteConnection(path: folder.path("a.sqlite"), mode: .create, timeout: 1)
        return try! connection.integer("SELECT COUNT(*) FROM pragma_module_list WHERE name = 'rtree'") == 1
    }()

    private func modelOfPlaces() -> NSManagedObjectModel {
        let place = AlbumModel.entity("Place")
        let (latitude, longitude) = (
            AlbumModel.attribute("latitude", .doubleAttributeType),
            AlbumModel.attribute("longitude", .doubleAttributeType)
        )
        place.properties = [latitude, longitude]
        place.indexes = [
            NSFetchIndexDescription(
                name: "byLocation",
                elements: [latitude, longitude].map {
                    NSFetchIndexElementDescription(property: $0, collationType: .rTree)
                })
        ]
        let model = NSManagedObjectModel()
        model.entities = [place]
        return model
    }

    @Test("need a SQLite with R-trees for an R-tree index", .disabled(if: hasRTrees, "This SQLite has R-trees."))
    func missingBoxes() throws {
        let error = try #require(throws: NSError.self) {
            try SQLiteStoreFile.open(at: folder.path("b.sqlite"), model: modelOfPlaces())
        }
        expectEqual(error.code, NSSQLiteError)
        expectTrue(error.localizedRecoverySuggestion?.contains("SQLITE_ENABLE_RTREE") == true)
    }

    @Test("maintain an R-tree index", .enabled(if: hasRTrees, "This SQLite has no R-trees."))
    func boxes() throws {
        let model = modelOfPlaces()
        let connection = try SQLiteStoreFile.open(at: folder.path("b.sqlite"), model: model).connection
        try expectEqual(
            SQLiteDefinition(SQLSchema(model: model)).statements()[1],
            "CREATE VIRTUAL TABLE Z_RT_Place_byLocation USING RTREE (Z_PK INTEGER PRIMARY KEY, "
                + "ZLATITUDE_MIN FLOAT, ZLATITUDE_MAX FLOAT, ZLONGITUDE_MIN FLOAT, ZLONGITUDE_MAX FLOAT)")
        try connection.run("INSERT INTO ZPLACE (Z_PK, Z_ENT, Z_OPT, ZLATITUDE, ZLONGITUDE) VALUES (1, 1, 1, 48, 11)")
        let near = "SELECT COUNT(*) FROM Z_RT_Place_byLocation WHERE ZLATITUDE_MIN >= 47 AND ZLATITUDE_MAX <= 49"
        try expectEqual(connection.integer(near), 1)
        try connection.run("UPDATE ZPLACE SET ZLATITUDE = 60")
        try expectEqual(connection.integer(near), 0)
        try connection.run("DELETE FROM ZPLACE")
        try expectEqual(connection.integer("SELECT COUNT(*) FROM Z_RT_Place_byLocation"), 0)
    }

    @Test("are not created for values that a save computes")
    func computedOnSave() throws {
        let entity = AlbumModel.entity("Note")
        let folded = NSDerivedAttributeDescription()
        folded.name = "folded"
        folded.attributeType = .stringAttributeType
        folded.derivationExpression = NSExpression(
            forFunction: "canonical:", arguments: [NSExpression(forKeyPath: "text")])
        entity.properties = [AlbumModel.attribute("text", .stringAttributeType), folded]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let schema = try SQLSchema(model: model)
        expectEqual(schema.entities[0].attribute("folded")?.derivation?.isMaintainedByTriggers, false)
        #expect(try !SQLiteDefinition(schema).statements().contains { $0.contains("TRIGGER") })
    }
}
