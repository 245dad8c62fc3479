import CoreData
import Testing

@Suite("After a save that failed")
struct FailedSaveTests {
    /// A model whose lists count their items by triggers and have a transient note.
    private func lists() -> NSManagedObjectModel {
        let list = entity("List")
        let item = entity("Item")
        let items = toMany("items", item)
        let owner = toOne("list", list)
        pair(items, owner)
        let count = NSDerivedAttributeDescription()
        count.name = "count"
        count.attributeType = .integer64AttributeType
        count.derivationExpression = NSExpression(forKeyPath: "items.@count")
        let note = attribute("note", .stringAttributeType)
        note.isTransient = true
        list.properties = [attribute("name", .stringAttributeType, optional: false), note, count, items]
        item.properties = [attribute("name", .stringAttributeType), owner]
        return model([list, item])
    }

    @Test(
        "objects with permanent IDs keep them, and the next save stores them under these",
        arguments: StoreKind.allCases.without(.derivedWithOwner)
    )
    func permanentIDs(_ kind: StoreKind) throws {
        try withStack(kind, model: lists()) { stack in
            let list = stack.context.make("List")
            let item = stack.context.make("Item", "i", ["list": list])
            try stack.context.obtainPermanentIDs(for: [list, item])
            let ids = [list.objectID, item.objectID]
            let error = try requireValue(thrownError { try stack.context.save() })
            expectEqual(error.code, 1570)
            expectTrue(list.isInserted)
            expectTrue(item.isInserted)
            expectEqual(ids, [list.objectID, item.objectID])
            list.setValue("l", forKey: "name")
            try stack.context.save()
            expectEqual(ids, [list.objectID, item.objectID])
            expectFalse(ids[0].isTemporaryID)
            try inFreshContext(stack) { context in
                try #expect(context.one("Item", "i").object("list") === context.one("List", "l"))
                try expectEqual(context.one("List", "l").number("count"), 1)
            }
        }
    }

    @Test("derived attributes have their former values", arguments: StoreKind.allCases.without(.noUniqueness))
    func derivedValues(_ kind: StoreKind) throws {
        let item = entity("Item")
        let lower = NSDerivedAttributeDescription()
        lower.name = "lower"
        lower.attributeType = .stringAttributeType
        lower.derivationExpression = NSExpression(format: "lowercase:(name)")
        item.properties = [attribute("name", .stringAttributeType), lower]
        item.uniquenessConstraints = [["name"]]
        try withStack(kind, model: model([item])) { stack in
            stack.context.make("Item", "A")
            let other = stack.context.make("Item", "B")
            try stack.context.save()
            other.setValue("A", forKey: "name")
            let new = stack.context.make("Item", "C")
            #expect(thrownError { try stack.context.save() } != nil)
            expectEqual(other.text("lower"), "b")
            expectEqual(other.changedValues().keys.sorted(), ["name"])
            expectEqual(new.text("lower"), nil)
            other.setValue("D", forKey: "name")
            try stack.context.save()
            expectEqual(other.text("lower"), "d")
            expectEqual(new.text("lower"), "c")
        }
    }

    @Test("a deleted object with a permanent ID that was never saved writes nothing", arguments: StoreKind.allCases)
    func deletedPermanentID(_ kind: StoreKind) throws {
        try withStack(kind, model: lists()) { stack in
            let list = stack.context.make("List", "l")
            let item = stack.context.make("Item", "i", ["list": list])
            try stack.context.obtainPermanentIDs(for: [list, item])
            stack.context.delete(list)
            try stack.context.save()
            expectEqual(list.managedObjectContext, nil)
            expectEqual(item.object("list"), nil)
            try inFreshContext(stack) { context in
                try expectEmpty(context.all("List"))
                try expectEqual(context.one("Item", "i").object("list"), nil)
            }
        }
    }

    @Test("rolling back objects with permanent IDs writes nothing", arguments: StoreKind.allCases)
    func rolledBack(_ kind: StoreKind) throws {
        try withStack(kind, model: lists()) { stack in
            let list = stack.context.make("List", "l")
            try stack.context.save()
            let item = stack.context.make("Item", "i", ["list": list])
            try stack.context.obtainPermanentIDs(for: [item])
            let id = item.objectID
            stack.context.rollback()
            expectFalse(stack.context.hasChanges)
            expectEmpty(list.objects("items"))
            expectEqual(stack.context.registeredObject(for: id), nil)
            expectEqual(thrownError { _ = try stack.context.existingObject(with: id) }?.code, 133000)
            stack.context.make("Item", "j", ["list": list])
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.one("List", "l").names("items"), ["j"]) }
        }
    }

    @Test("a reference to an object that isn't saved with it is an error, not a row", arguments: StoreKind.allCases)
    func strayReference(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let reader = stack.context.make("Reader", "r")
            let book = NSManagedObject(entity: try requireValue(stack.model.entitiesByName["Book"]), insertInto: nil)
            reader.setValue(book, forKey: "favourite")
            let error = try requireValue(thrownError { try stack.context.save() })
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, 1550)
            expectTrue(reader.isInserted)
            stack.context.insert(book)
            try stack.context.save()
            try inFreshContext(stack) {
                try expectEqual($0.one("Reader", "r").object("favourite")?.objectID, book.objectID)
            }
        }
    }

    @Test("changes by triggers don't clear transient values")
    func touched() throws {
        try withStack(.sqlite, model: lists()) { stack in
            let list = stack.context.make("List", "l")
            list.setValue("first", forKey: "note")
            try stack.context.save()
            expectEqual(list.number("count"), 0)
            expectEqual(list.text("note"), "first")
            list.setValue("second", forKey: "note")
            stack.context.make("Item", "i", ["list": list])
            try stack.context.save()
            expectEqual(list.number("count"), 1)
            expectEqual(list.text("note"), "second")
            expectFalse(stack.context.hasChanges)
            list.setValue("renamed", forKey: "name")
            try stack.context.save()
            expectEqual(list.number("count"), 1)
            expectEqual(list.text("name"), "renamed")
            expectEqual(list.text("note"), "second")
        }
    }
}
