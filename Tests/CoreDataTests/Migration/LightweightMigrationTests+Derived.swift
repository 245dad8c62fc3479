import CoreData
import Testing

/// Derived attributes that a new version adds.
extension LightweightMigrationTests {
    private func derived(_ name: String, _ type: NSAttributeType, _ format: String) -> NSDerivedAttributeDescription {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.derivationExpression = NSExpression(format: format)
        return attribute
    }

    @Test("derived attributes of a new version are computed, and maintained from then on")
    func derived() throws {
        let new = bands(.toMany)
        new.entitiesByName["Band"]?.properties += [
            derived("count", .integer64AttributeType, "members.@count"),
            derived("upper", .stringAttributeType, "uppercase:(name)"),
        ]
        new.entitiesByName["Person"]?.properties += [
            derived("band", .stringAttributeType, "bands.name"),
            derived("upperBand", .stringAttributeType, "uppercase:(bands.name)"),
        ]
        try migrate(bands(.toMany), new) { context in
            let band = context.make("Band", "Duo")
            for name in ["Ann", "Bob"] { context.make("Person", name, ["bands": band]) }
            context.make("Person", "Eve")
        } checking: { context in
            let band = try context.one("Band", "Duo")
            expectEqual(band.number("count"), 2)
            expectEqual(band.text("upper"), "DUO")
            // No statement reads a related object for an update.
            let people = try context.all("Person", sort: [NSSortDescriptor(key: "name", ascending: true)])
            expectEqual(people.map { $0.text("upperBand") }, ["DUO", "DUO", nil])
            try expectEqual(context.one("Person", "Ann").text("band"), "Duo")
            context.make("Person", "Cid", ["bands": band])
            try context.save()
            context.refresh(band, mergeChanges: false)
            expectEqual(band.number("count"), 3)
        }
    }

    @Test("an attribute of a new version can be derived over two relationships")
    func derivedOverTwo() throws {
        let new = bands(.toOne)
        new.entitiesByName["Person"]?.properties.append(derived("own", .stringAttributeType, "bands.members.name"))
        try migrate(bands(.toOne), new) { context in
            context.make("Person", "Ann", ["bands": context.make("Band", "Duo")])
            context.make("Person", "Bob")
        } checking: { context in
            try expectEqual(context.one("Person", "Ann").text("own"), "Ann")
            try expectEqual(context.one("Person", "Bob").text("own"), nil)
        }
    }

    private func rated(_ type: NSAttributeType, adding property: NSPropertyDescription? = nil) -> NSManagedObjectModel {
        let model = bands(.toOne)
        model.entitiesByName["Person"]?.properties += [attribute("rate", type)] + (property.map { [$0] } ?? [])
        return model
    }

    @Test("a number derived over two relationships is rounded to the type of its attribute")
    func derivedFloat() throws {
        let new = rated(.doubleAttributeType, adding: derived("own", .floatAttributeType, "bands.members.rate"))
        try migrate(rated(.doubleAttributeType), new) { context in
            context.make("Person", "Ann", ["bands": context.make("Band", "Duo"), "rate": 0.1])
        } checking: { context in
            try expectEqual(context.one("Person", "Ann").value(forKey: "own") as? Float, 0.1)
        }
    }

    @Test("a derived number that is beyond the type of its attribute is an error that names it")
    func derivedBeyondType() throws {
        let new = rated(.integer32AttributeType, adding: derived("own", .integer16AttributeType, "bands.members.rate"))
        let error = #expect(throws: (any Error).self) {
            try migrate(rated(.integer32AttributeType), new) { context in
                context.make("Person", "Ann", ["bands": context.make("Band", "Duo"), "rate": 70_000])
            } checking: { _ in
            }
        }
        expectContains("\(String(describing: error))", "70000")
    }
}
