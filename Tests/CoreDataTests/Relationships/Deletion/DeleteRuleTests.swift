import CoreData
import Testing

@Suite("Delete rules")
struct DeleteRuleTests {
    @Test(
        "cascade deletes what belongs to the object, to any depth, without loading it first",
        arguments: StoreKind.everyKind)
    func cascade(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let jane = stack.context.make("Author", "Jane")
            for name in ["A", "B"] {
                let book = stack.context.make(
                    "Book", name, ["author": jane, "cover": stack.context.make("Cover", name)])
                book.setValue(
                    NSOrderedSet(array: [stack.context.make("Chapter", "1"), stack.context.make("Chapter", "2")]),
                    forKey: "chapters")
            }
            stack.context.make("Book", "Other")
            try stack.context.save()
            try inFreshContext(stack) { context in
                context.delete(try context.one("Author", "Jane"))
                context.processPendingChanges()
                expectEqual(context.deletedObjects.count, 9)
                try context.save()
            }
            try inFreshContext(stack) { context in
                try expectEqual(context.names("Book"), ["Other"])
                try expectEmpty(context.all("Cover"))
                try expectEmpty(context.all("Chapter"))
            }
        }
    }

    @Test("nullify lets go of the object on the other side", arguments: StoreKind.everyKind)
    func nullify(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "A")
            let tag = stack.context.make("Tag", "x")
            let shelf = stack.context.make("Shelf", "s")
            let friend = stack.context.make("Reader", "f")
            let person = stack.context.make("Reader", "p")
            book.mutableSetValue(forKey: "tags").add(tag)
            book.mutableSetValue(forKey: "shelves").add(shelf)
            person.mutableSetValue(forKey: "friends").add(friend)
            person.setValue(friend, forKey: "spouse")
            person.setValue(friend, forKey: "mentor")
            try stack.context.save()
            try inFreshContext(stack) { context in
                context.delete(try context.one("Tag", "x"))
                context.delete(try context.one("Shelf", "s"))
                context.delete(try context.one("Person", "f"))
                try context.save()
                try expectEmpty(context.one("Book", "A").objects("tags"))
            }
            try inFreshContext(stack) { context in
                let book = try context.one("Book", "A")
                let person = try context.one("Person", "p")
                expectEmpty(book.objects("tags"))
                expectEmpty(book.objects("shelves"))
                expectEmpty(person.objects("friends"))
                expectEqual(person.object("spouse"), nil)
                expectEqual(person.object("mentor"), nil)
            }
        }
    }

    @Test("deny stops the save as long as the relationship holds objects", arguments: StoreKind.everyKind)
    func deny(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let publisher = stack.context.make("Publisher", "P")
            let book = stack.context.make("Book", "A", ["publisher": publisher])
            try stack.context.save()
            stack.context.delete(publisher)
            let error = thrownError { try stack.context.save() }
            expectEqual(error?.domain, NSCocoaErrorDomain)
            expectEqual(error?.code, 1600)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "books")
            #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === publisher)
            expectTrue(publisher.isDeleted)
            try inFreshContext(stack) { try expectEqual($0.names("Publisher"), ["P"]) }
            stack.context.delete(book)
            try stack.context.save()
            try inFreshContext(stack) {
                try expectEmpty($0.all("Publisher"))
                try expectEmpty($0.all("Book"))
            }
        }
    }

    @Test("no action leaves the other side as it is", arguments: StoreKind.everyKind)
    func noAction(_ kind: StoreKind) throws {
        let owner = entity("Owner")
        let item = entity("Item")
        let items = toMany("items", item, rule: .noActionDeleteRule)
        let itemOwner = toOne("owner", owner)
        pair(items, itemOwner)
        owner.properties = [attribute("name", .stringAttributeType), items]
        item.properties = [attribute("name", .stringAttributeType), itemOwner]
        try withStack(kind, model: model([owner, item])) { stack in
            let owner = stack.context.make("Owner", "o")
            let item = stack.context.make("Item", "i", ["owner": owner])
            try stack.context.save()
            stack.context.delete(owner)
            stack.context.processPendingChanges()
            expectFalse(item.hasChanges)
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.names("Item"), ["i"]) }
        }
    }

    @Test("a cascade that goes round ends", arguments: StoreKind.everyKind)
    func cycle(_ kind: StoreKind) throws {
        let node = entity("Node")
        let next = toOne("next", node, rule: .cascadeDeleteRule)
        let previous = toOne("previous", node, rule: .cascadeDeleteRule)
        pair(next, previous)
        node.properties = [attribute("name", .stringAttributeType), next, previous]
        try withStack(kind, model: model([node])) { stack in
            let nodes = (0..<50).map { stack.context.make("Node", "\($0)") }
            for index in nodes.indices { nodes[index].setValue(nodes[(index + 1) % nodes.count], forKey: "next") }
            stack.context.make("Node", "alone")
            try stack.context.save()
            try inFreshContext(stack) { context in
                context.delete(try context.one("Node", "17"))
                try context.save()
            }
            try inFreshContext(stack) { try expectEqual($0.names("Node"), ["alone"]) }
        }
    }

    @Test("an object deleted together with its required partner is no missing value", arguments: StoreKind.everyKind)
    func required(_ kind: StoreKind) throws {
        let owner = entity("Owner")
        let item = entity("Item")
        let items = toMany("items", item)
        let itemOwner = toOne("owner", owner, optional: false)
        pair(items, itemOwner)
        owner.properties = [attribute("name", .stringAttributeType), items]
        item.properties = [attribute("name", .stringAttributeType), itemOwner]
        try withStack(kind, model: model([owner, item])) { stack in
            let owner = stack.context.make("Owner", "o")
            let item = stack.context.make("Item", "i", ["owner": owner])
            try stack.context.save()
            stack.context.delete(owner)
            expectEqual(thrownError { try stack.context.save() }?.code, 1570)
            stack.context.delete(item)
            try stack.context.save()
            try inFreshContext(stack) {
                try expectEmpty($0.all("Item"))
                try expectEmpty($0.all("Owner"))
            }
        }
    }

    @Test("with propagation only when saving, related objects stay until then", arguments: StoreKind.everyKind)
    func lateDeletes(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let jane = stack.context.make("Author", "Jane")
            let book = stack.context.make("Book", "A", ["author": jane])
            try stack.context.save()
            stack.context.propagatesDeletesAtEndOfEvent = false
            stack.context.delete(jane)
            stack.context.processPendingChanges()
            expectFalse(book.isDeleted)
            try stack.context.save()
            try inFreshContext(stack) { try expectEmpty($0.all("Book")) }
        }
    }
}
