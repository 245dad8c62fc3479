import CoreData
import Testing

@Suite("Derived attributes")
struct DerivedAttributeTests {
    private func derived(_ name: String, _ type: NSAttributeType, _ expression: NSExpression)
        -> NSDerivedAttributeDescription
    {
        let derived = NSDerivedAttributeDescription()
        derived.name = name
        derived.attributeType = type
        derived.derivationExpression = expression
        return derived
    }

    private func function(_ name: String, _ keyPath: String) -> NSExpression {
        NSExpression(forFunction: name, arguments: [NSExpression(forKeyPath: keyPath)])
    }

    private func people(_ extra: [NSPropertyDescription] = []) -> NSManagedObjectModel {
        model([
            entity(
                "Person",
                [
                    attribute("name", .stringAttributeType), attribute("age", .integer64AttributeType),
                    derived("sought", .stringAttributeType, function("canonical:", "name")),
                    derived("loud", .stringAttributeType, function("uppercase:", "name")),
                    derived("soft", .stringAttributeType, function("lowercase:", "name")),
                    derived("again", .stringAttributeType, NSExpression(forKeyPath: "name")),
                    derived("changed", .dateAttributeType, NSExpression(forFunction: "now", arguments: [])),
                ] + extra)
        ])
    }

    @Test("are computed from the object's own values when it is saved", arguments: StoreKind.allCases)
    func ownValues(_ kind: StoreKind) throws {
        try withStack(kind, model: people()) { stack in
            let start = Date()
            let person = stack.context.make("Person", "Zoë Ångström")
            try stack.context.save()
            expectEqual(person.text("sought"), "zoe angstrom")
            expectEqual(person.text("loud"), "ZOË ÅNGSTRÖM")
            expectEqual(person.text("soft"), "zoë ångström")
            expectEqual(person.text("again"), "Zoë Ångström")
            let changed = try requireValue(person.value(forKey: "changed") as? Date)
            #expect(changed >= start)
            #expect(changed <= Date())
            person.setValue("Émile", forKey: "name")
            try stack.context.save()
            expectFalse(stack.context.hasChanges)
            expectFalse(person.hasPersistentChangedValues)
            try inFreshContext(stack) { context in
                let found = try requireValue(
                    try context.all("Person", "sought == 'emile' AND loud == 'ÉMILE' AND soft == 'émile'").first)
                expectEqual(found.text("again"), "Émile")
                try #expect(requireValue(found.value(forKey: "changed") as? Date) >= changed)
            }
        }
    }

    @Test("don't write an object again that hasn't changed", arguments: StoreKind.allCases)
    func unchanged(_ kind: StoreKind) throws {
        try withStack(kind, model: people()) { stack in
            let person = stack.context.make("Person", "Ada")
            try stack.context.save()
            let before = person.value(forKey: "changed") as? Date
            person.setValue("Ada", forKey: "name")
            try stack.context.save()
            #expect(before != nil)
            #expect(person.value(forKey: "changed") as? Date == before)
        }
    }

    @Test("are nil where what they come from is nil", arguments: StoreKind.allCases)
    func missing(_ kind: StoreKind) throws {
        try withStack(kind, model: people()) { stack in
            let person = stack.context.make("Person", "Ada")
            try stack.context.save()
            person.setValue(nil, forKey: "name")
            try stack.context.save()
            expectEqual(person.text("sought"), nil)
            expectEqual(person.text("loud"), nil)
            try inFreshContext(stack) { try expectEqual($0.all("Person", "sought == nil AND loud == nil").count, 1) }
        }
    }

    @Test("that can't be computed stop the save with an error", arguments: StoreKind.allCases)
    func refused(_ kind: StoreKind) throws {
        let wrong: [NSDerivedAttributeDescription] = [
            derived("wrong", .integer64AttributeType, function("uppercase:", "name")),
            derived("wrong", .stringAttributeType, function("uppercase:", "nobody")),
            derived("wrong", .stringAttributeType, NSExpression(forKeyPath: "nobody")),
            derived("wrong", .doubleAttributeType, function("sqrt:", "age")),
        ]
        for attribute in wrong {
            try withStack(kind, model: people([attribute])) { stack in
                stack.context.make("Person", "Ada", ["age": 4])
                let error = try requireValue(thrownError { try stack.context.save() })
                expectEqual(error.domain, NSCocoaErrorDomain)
                expectEqual(error.code, 134060)
                expectEqual(stack.context.insertedObjects.count, 1)
            }
        }
    }

    @Test("over a relationship follow it in memory too")
    func relationships() throws {
        let list = entity("List")
        let item = entity("Item")
        let items = toMany("items", item)
        let owner = toOne("list", list)
        pair(items, owner)
        list.properties = [
            attribute("name", .stringAttributeType), items,
            derived("count", .integer64AttributeType, NSExpression(forKeyPath: "items.@count")),
            derived("total", .doubleAttributeType, function("sum:", "items.price")),
        ]
        item.properties = [attribute("name", .stringAttributeType), attribute("price", .doubleAttributeType), owner]
        try withStack(.memory, model: model([list, item])) { stack in
            let list = stack.context.make("List", "l")
            for price in [1.5, 2, 3] { stack.context.make("Item", "i", ["list": list, "price": price]) }
            try stack.context.save()
            expectEqual(list.number("count"), 3)
            expectEqual((list.value(forKey: "total") as? NSNumber)?.doubleValue, 6.5)
        }
    }
}
