import CoreData
import Testing

@Suite("Missing values in predicates")
struct MissingValueTests {
    private static let rows: [(format: String, sql: [String], memory: [String])] = [
        ("title != 'x'", ["y"], ["nil", "y"]), ("NOT title == 'x'", ["y"], ["nil", "y"]),
        ("NOT title IN {'x', 'z'}", ["y"], ["nil", "y"]), ("NOT title BEGINSWITH 'x'", ["y"], ["nil", "y"]),
        ("NOT title CONTAINS[c] 'X'", ["y"], ["nil", "y"]), ("NOT pages BETWEEN {1, 2}", ["y"], ["nil", "y"]),
        ("NOT (pages > 5 OR title == 'x')", ["y"], ["nil", "y"]), ("title != subtitle", ["x"], ["x", "y"]),
        ("title == subtitle", [], ["nil"]), ("author.name != 'Ann'", ["y"], ["nil", "y"]),
        ("author != %@", ["y"], ["nil", "y"]), ("title != nil", ["x", "y"], ["x", "y"]),
        ("NOT title == nil", ["x", "y"], ["x", "y"]), ("NOT title != nil", ["nil"], ["nil"]),
        ("NONE tags.name == 'red'", ["nil", "y"], ["nil", "y"]),
        ("ANY tags.name != 'red'", [], ["y"]), ("SUBQUERY(tags, $t, $t.name != 'red').@count == 1", [], ["y"]),
        ("NOT ANY tags.name != 'red'", ["nil", "x", "y"], ["nil", "x"]),
        ("TERNARY(title != 'x', 1, 2) == 2", ["nil", "x"], ["x"]),
    ]

    private func model() -> NSManagedObjectModel {
        let author = entity("Author", [attribute("name", .stringAttributeType)])
        let tag = entity("Tag", [attribute("name", .stringAttributeType)])
        let item = entity(
            "Item",
            [
                attribute("name", .stringAttributeType), attribute("title", .stringAttributeType),
                attribute("subtitle", .stringAttributeType), attribute("pages", .integer64AttributeType),
            ])
        for property in item.properties + tag.properties {
            property.isOptional = true
            (property as? NSAttributeDescription)?.defaultValue = nil
        }
        relate(item, "author", to: author, "items", isToMany: true)
        relate(tag, "item", to: item, "tags", isToMany: true)
        let model = NSManagedObjectModel()
        model.entities = [author, tag, item]
        return model
    }

    private func relate(
        _ one: NSEntityDescription, _ name: String, to other: NSEntityDescription, _ inverseName: String, isToMany: Bool
    ) {
        let (relationship, inverse) = (NSRelationshipDescription(), NSRelationshipDescription())
        relationship.name = name
        relationship.destinationEntity = other
        relationship.maxCount = 1
        relationship.isOptional = true
        relationship.inverseRelationship = inverse
        inverse.name = inverseName
        inverse.destinationEntity = one
        inverse.maxCount = isToMany ? 0 : 1
        inverse.isOptional = true
        inverse.inverseRelationship = relationship
        one.properties.append(relationship)
        other.properties.append(inverse)
    }

    @Test(
        "a comparison with one is unknown in SQL, and differs from each value in memory", arguments: StoreKind.allCases)
    func meaning(_ kind: StoreKind) throws {
        try withStack(kind, model: model()) { stack in
            let context = stack.context
            let (ann, bob) = (context.make("Author", "Ann"), context.make("Author", "Bob"))
            let x = context.make("Item", "x", ["title": "x", "subtitle": "s", "pages": 1])
            x.setValue(ann, forKey: "author")
            let y = context.make("Item", "y", ["title": "y", "pages": 5])
            y.setValue(bob, forKey: "author")
            let none = context.make("Item", "nil")
            let red = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            red.setValue("red", forKey: "name")
            red.setValue(x, forKey: "item")
            NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context).setValue(y, forKey: "item")
            func check(_ isSQL: Bool, _ place: String) throws {
                for row in Self.rows {
                    let predicate = NSPredicate(format: row.format, argumentArray: [ann])
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
                    request.predicate = predicate
                    let found = try context.fetch(request).map { $0.text("name")! }.sorted()
                    expectEqual(found, (isSQL ? row.sql : row.memory), "\(row.format), fetched \(place)")
                    try expectEqual(context.count(for: request), found.count, "\(row.format), counted \(place)")
                    let evaluated = [x, y, none].filter { predicate.evaluate(with: $0) }.map { $0.text("name")! }
                    expectEqual(evaluated.sorted(), row.memory, "\(row.format), evaluated \(place)")
                }
            }
            // Unsaved objects are evaluated in memory.
            try check(false, "unsaved")
            try context.save()
            try check(kind == .sqlite || kind == .postgresql, "saved")
        }
    }
}
