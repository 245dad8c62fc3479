import CoreData
import Testing

/// Attributes that are derived from a related object whose row can't be read.
@Suite("Derived attributes of an object that can't be read")
struct UnreadableDerivationTests {
    /// Items have the name of their list in capitals, which no trigger computes.
    private func makeModel() -> NSManagedObjectModel {
        let list = entity("List")
        let item = entity("Item")
        let items = toMany("items", item)
        let owner = toOne("list", list)
        pair(items, owner)
        let derived = NSDerivedAttributeDescription()
        derived.name = "listName"
        derived.attributeType = .stringAttributeType
        derived.derivationExpression = NSExpression(format: "uppercase:(list.name)")
        list.properties = [attribute("name", .stringAttributeType), items]
        item.properties = [attribute("name", .stringAttributeType), owner, derived]
        return model([list, item])
    }

    /// Saves an item of a list, and runs a block while the store has no table of lists.
    private func withoutLists(_ body: (NSManagedObjectContext, _ item: NSManagedObject) throws -> Void) throws {
        try withStack(.sqlite, model: makeModel()) { stack in
            stack.context.make("Item", "item", ["list": stack.context.make("List", "list")])
            try stack.context.save()
            let file = try SQLiteFile(creating: stack.url)
            let context = try stack.afresh()
            try on(context) {
                let item = try context.one("Item", "item")
                expectEqual(item.text("listName"), "LIST")
                try file.run("ALTER TABLE ZLIST RENAME TO ZGONE")
                try body(context, item)
            }
            try file.run("ALTER TABLE ZGONE RENAME TO ZLIST")
            try inFreshContext(stack) { fresh in
                try expectEqual(fresh.one("Item", "item").text("listName"), "LIST")
            }
        }
    }

    @Test("keep a batch update from being executed")
    func batchUpdate() throws {
        try withoutLists { context, _ in
            let update = NSBatchUpdateRequest(entityName: "Item")
            update.propertiesToUpdate = ["name": "changed"]
            #expect(thrownError { try context.execute(update) } != nil)
        }
    }

    @Test("keep an object from being saved, each time")
    func save() throws {
        try withoutLists { context, item in
            item.setValue("changed", forKey: "name")
            #expect(thrownError { try context.save() } != nil)
            #expect(thrownError { try context.save() } != nil)
        }
    }

    @Test("keep an object from being saved after their values were read as nil")
    func saveAfterReading() throws {
        try withoutLists { context, item in
            expectEqual(item.object("list")?.text("name"), nil)
            item.setValue("changed", forKey: "name")
            #expect(thrownError { try context.save() } != nil)
        }
    }
}
