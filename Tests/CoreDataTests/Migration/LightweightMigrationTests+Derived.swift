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
}
