import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

@Suite("Indexes with a predicate", .enabled(if: TestServer.isPresent))
struct PartialIndexTests {
    private static let attributes: [(String, NSAttributeType)] = [
        ("name", .stringAttributeType), ("isOpen", .booleanAttributeType), ("size", .integer32AttributeType),
        ("weight", .doubleAttributeType), ("price", .decimalAttributeType), ("due", .dateAttributeType),
        ("data", .binaryDataAttributeType),
    ]

    /// A model with an index for each predicate.
    private func model(_ predicates: [NSPredicate]) -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Note"
        let properties = Self.attributes.map { name, type in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
            return attribute
        }
        entity.properties = properties
        entity.indexes = predicates.enumerated().map { number, predicate in
            let index = NSFetchIndexDescription(
                name: "part\(number)",
                elements: [NSFetchIndexElementDescription(property: properties[0], collationType: .binary)])
            index.partialIndexPredicate = predicate
            return index
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    @Test("have the rows for which the predicate holds")
    func rows() throws {
        let due = Date(timeIntervalSinceReferenceDate: 1000.25)
        let predicates = [
            NSPredicate(format: "name == %@", "it's \\ 'quoted'"), NSPredicate(format: "isOpen == YES"),
            NSPredicate(format: "size > 2.5 AND size <= 4"), NSPredicate(format: "weight < -0.5"),
            NSPredicate(format: "price >= %@", NSDecimalNumber(string: "1.10")),
            NSPredicate(format: "due >= %@", due as NSDate), NSPredicate(format: "name == nil OR NOT size == 1"),
            NSPredicate(value: true),
        ]
        let stack = try TestStack(.postgresql, model: model(predicates))
        let values: [[String: Any]] = [
            ["name": "it's \\ 'quoted'", "isOpen": true, "size": 1, "weight": -1.0],
            ["isOpen": false, "size": 3, "price": NSDecimalNumber(string: "1.1"), "due": due],
            ["name": "b", "size": 4, "price": NSDecimalNumber(string: "1.09"), "due": due - 0.001],
        ]
        let context = stack.newContext()
        try on(context) {
            for values in values { context.make("Note", nil, values) }
            try context.save()
        }
        let store = try requireValue(stack.store as? PostgreSQLStore).database
        try store.read { session in
            let counts = try session.execute(
                """
                SELECT c.relname, c.reltuples::bigint, pg_get_expr(i.indpred, i.indrelid) FROM pg_index i \
                JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = $1::text::regclass \
                AND c.relname LIKE 'z_note_part%' ORDER BY c.relname
                """, [.text(session.dialect.table("ZNOTE"))])
            expectEqual(counts.rowCount, predicates.count)
            for index in 0..<counts.rowCount {
                let condition = counts[index].isNull(2) ? "TRUE" : counts[index].text(2)
                let found = try session.integer(
                    "SELECT COUNT(*) FROM \(session.dialect.table("ZNOTE")) WHERE \(condition)")
                let context = stack.newContext()
                try on(context) {
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
                    request.predicate = predicates[index]
                    try expectEqual(Int(found ?? -1), context.count(for: request), "\(condition)")
                }
            }
        }
    }

    @Test("with a predicate that doesn't compare attributes with constants of their types are refused")
    func refused() throws {
        for predicate in [
            NSPredicate(format: "name BEGINSWITH 'a'"), NSPredicate(format: "size == weight"),
            NSPredicate(format: "data == %@", Data([1]) as NSData), NSPredicate(format: "name == 5"),
        ] {
            let error = #expect(throws: NSError.self) { try TestStack(.postgresql, model: model([predicate])) }
            expectEqual(error?.code, NSPersistentStoreIncompatibleSchemaError, "\(predicate)")
        }
    }
}
