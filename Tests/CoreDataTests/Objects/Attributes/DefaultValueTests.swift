import CoreData
import Testing

@Suite("Default values")
struct DefaultValueTests {
    private static let uuid = UUID()
    private static var values: [(key: String, type: NSAttributeType, value: Any)] {
        [
            ("int16", .integer16AttributeType, NSNumber(value: -3)),
            ("int32", .integer32AttributeType, NSNumber(value: 70000)),
            ("int64", .integer64AttributeType, NSNumber(value: Int64.min)),
            ("flag", .booleanAttributeType, NSNumber(value: true)),
            ("real", .doubleAttributeType, NSNumber(value: 0.1)),
            ("single", .floatAttributeType, NSNumber(value: Float(0.5))),
            ("exact", .decimalAttributeType, NSDecimalNumber(string: "3.75")), ("text", .stringAttributeType, "näme"),
            ("date", .dateAttributeType, Date(timeIntervalSinceReferenceDate: 1234.5)),
            ("data", .binaryDataAttributeType, Data([0, 255])),
            ("uuid", .UUIDAttributeType, uuid), ("link", .URIAttributeType, URL(string: "https://a.example")!),
            ("list", .transformableAttributeType, ["a", "b"]),
        ]
    }

    private func makeModel() -> NSManagedObjectModel {
        model([entity("Value", Self.values.map { attribute($0.key, $0.type, defaultValue: $0.value) })])
    }

    @Test("of every type are what a new object has, and are saved", arguments: StoreKind.allCases)
    func all(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let object = stack.context.make("Value")
            func check(_ object: NSManagedObject) {
                for (key, _, value) in Self.values {
                    expectEqual((object.value(forKey: key) as? AnyHashable), (value as? AnyHashable), "\(key)")
                }
            }
            check(object)
            try stack.context.save()
            check(object)
            try inFreshContext(stack) { check(try $0.all("Value")[0]) }
        }
    }

    @Test("count as changed values of a new object; nil is kept where it was set", arguments: StoreKind.allCases)
    func cleared(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let object = stack.context.make("Value")
            for (key, _, _) in Self.values { object.setValue(nil, forKey: key) }
            try stack.context.save()
            try inFreshContext(stack) { context in
                let found = try context.all("Value")[0]
                for (key, _, _) in Self.values { #expect(found.value(forKey: key) == nil, "\(key)") }
            }
        }
    }

    @Test("of a subentity that declares an attribute again replace the superentity's", arguments: StoreKind.allCases)
    func redeclared(_ kind: StoreKind) throws {
        let animal = entity(
            "Animal",
            [
                attribute("legs", .integer16AttributeType, defaultValue: NSNumber(value: 4)),
                attribute("name", .stringAttributeType),
            ])
        let bird = entity("Bird", [attribute("legs", .integer16AttributeType, defaultValue: NSNumber(value: 2))])
        let fish = entity("Fish")
        animal.subentities = [bird, fish]
        try withStack(kind, model: model([animal, bird, fish])) { stack in
            for name in ["Animal", "Bird", "Fish"] { stack.context.make(name, name) }
            try stack.context.save()
            try inFreshContext(stack) { context in
                try expectEqual(context.names("Animal", "legs == 2"), ["Bird"])
                try expectEqual(context.names("Animal", "legs == 4"), ["Animal", "Fish"])
            }
        }
    }

    @Test("of objects without a context are there before they are inserted")
    func withoutContext() throws {
        try withStack(.memory, model: makeModel()) { stack in
            let object = NSManagedObject(entity: stack.model.entitiesByName["Value"]!, insertInto: nil)
            expectEqual(object.text("text"), "näme")
            expectEqual(object.number("int32"), 70000)
            object.setValue("other", forKey: "text")
            stack.context.insert(object)
            #expect(object.text("text") == "näme" || object.text("text") == "other")
        }
    }
}
