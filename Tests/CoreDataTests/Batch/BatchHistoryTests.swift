import CoreData
import Testing

/// The records of batch requests in the history of a store.
@Suite("A batch request in a store that records its history")
struct BatchHistoryTests {
    private func delete(_ entity: String, _ format: String? = nil) -> NSBatchDeleteRequest {
        let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: entity)
        fetch.predicate = format.map { NSPredicate(format: $0) }
        return NSBatchDeleteRequest(fetchRequest: fetch)
    }

    private func update(_ entity: String, _ format: String? = nil, _ values: [AnyHashable: Any]) -> NSBatchUpdateRequest
    {
        let request = NSBatchUpdateRequest(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        request.propertiesToUpdate = values
        return request
    }

    @Test("is one transaction with the author and the name of its context")
    func origin() throws {
        let stack = try TestStack.tracking()
        try on(stack.context) {
            stack.context.transactionAuthor = "import"
            stack.context.name = "worker"
            try stack.context.execute(NSBatchInsertRequest(entityName: "Tag", objects: [["name": "a"], ["name": "b"]]))
            try stack.context.execute(update("Tag", nil, ["name": "c"]))
            try stack.context.execute(delete("Tag"))
            let transactions = try stack.context.transactions()
            expectEqual(transactions.map(\.ordinal), [1, 2, 3])
            #expect(transactions.allSatisfy { $0.author == "import" && $0.contextName == "worker" })
            let changes = transactions.flatMap { $0.changes ?? [] }
            expectEqual(changes.map(\.changeID), [1, 2, 3, 4, 5, 6])
            let types: [NSPersistentHistoryChangeType] = [.insert, .insert, .update, .update, .delete, .delete]
            expectEqual(changes.map(\.changeType), types)
        }
    }

    @Test("that a child executes is one transaction with the author and the name of its topmost parent")
    func originOfChild() throws {
        let stack = try TestStack.tracking()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        let grandchild = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        grandchild.parent = child
        stack.context.transactionAuthor = "import"
        stack.context.name = "worker"
        try on(grandchild) {
            try grandchild.execute(NSBatchInsertRequest(entityName: "Tag", objects: [["name": "a"]]))
            try grandchild.execute(update("Tag", nil, ["name": "c"]))
        }
        try on(child) {
            try child.execute(delete("Tag"))
            let transactions = try child.transactions()
            expectEqual(transactions.map(\.author), ["import", "import", "import"])
            expectEqual(transactions.map(\.contextName), ["worker", "worker", "worker"])
        }
    }

    @Test("records each inserted object by its ID")
    func insertion() throws {
        let stack = try TestStack.tracking()
        try on(stack.context) {
            var count = 0
            let request = NSBatchInsertRequest(
                entityName: "Novel",
                dictionaryHandler: { (dictionary: NSMutableDictionary) -> Bool in
                    dictionary["name"] = "novel \(count)"
                    count += 1
                    return count > 10_000
                })
            try stack.context.execute(request)
            let changes = try requireValue(try stack.context.transactions().last?.changes)
            let objects = try stack.context.all("Novel")
            expectEqual(objects.count, 10_000)
            expectEqual(changes.count, 10_000)
            expectEqual(Set(changes.map(\.changedObjectID)), Set(objects.map(\.objectID)))
            #expect(changes.allSatisfy { $0.changeType == .insert && $0.updatedProperties == nil })
        }
    }

    @Test("records an existing object that an insertion updates, with the given properties")
    func upsert() throws {
        let item = entity(
            "Item",
            [
                attribute("name", .stringAttributeType), attribute("count", .integer32AttributeType),
                attribute("note", .stringAttributeType),
            ])
        item.uniquenessConstraints = [["name"]]
        let stack = try TestStack.tracking(model: model([item]))
        try on(stack.context) {
            stack.context.make("Item", "a")
            try stack.context.save()
            let objects: [[String: Any]] = [["name": "a", "count": 1], ["name": "b", "count": 2]]
            stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try stack.context.execute(NSBatchInsertRequest(entityName: "Item", objects: objects))
            try expectEqual(stack.context.lastChanges(), ["insert Item", "update Item: count name"])
            stack.context.mergePolicy = NSMergePolicy.overwrite
            try stack.context.execute(NSBatchInsertRequest(entityName: "Item", objects: objects))
            try expectEqual(
                stack.context.lastChanges(), ["update Item: count name note", "update Item: count name note"])
            stack.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            try stack.context.execute(NSBatchInsertRequest(entityName: "Item", objects: objects))
            try expectEqual(stack.context.transactions().count, 3)
        }
    }

    @Test("records the updated objects, of subentities too, with the updated properties", arguments: [false, true])
    func updates(_ wantsIDs: Bool) throws {
        let stack = try TestStack.tracking()
        try on(stack.context) {
            let author = stack.context.make("Author", "author")
            for (entity, name) in [("Book", "a"), ("Novel", "b"), ("Novel", "c")] { stack.context.make(entity, name) }
            try stack.context.save()
            let request = update(
                "Book", "name != 'c'",
                ["name": "x", "pages": NSExpression(format: "pages + 1"), "author": author.objectID])
            if wantsIDs { request.resultType = .updatedObjectIDsResultType }
            try stack.context.execute(request)
            try expectEqual(
                stack.context.lastChanges(), ["update Book: author name pages", "update Novel: author name pages"])
            let changed = try stack.context.transactions().last?.changes?.map(\.changedObjectID)
            let expected = try stack.context.all("Book", "name == 'x'").map(\.objectID)
            expectEqual(changed.map(Set.init), Set(expected))
            expectEqual(expected.count, 2)
        }
    }

    @Test("leaves the preserved values of a deleted object", arguments: [false, true])
    func tombstones(_ wantsIDs: Bool) throws {
        let stack = try TestStack.tracking(model: NoteModel.make())
        try on(stack.context) {
            stack.context.make("Note", nil, ["title": "Milk", "text": "2 l"])
            try stack.context.save()
            let request = delete("Note")
            if wantsIDs { request.resultType = .resultTypeObjectIDs }
            try stack.context.execute(request)
            let change = try requireValue(try stack.context.transactions().last?.changes?.first)
            expectEqual(change.changeType, .delete)
            #expect(change.tombstone?["title"] as? String == "Milk")
            #expect(change.tombstone?["text"] == nil)
        }
    }

    @Test("records what delete rules delete, and the objects that lose a relationship")
    func rules() throws {
        let stack = try TestStack.tracking()
        try on(stack.context) {
            let context = stack.context
            let author = context.make("Author", "author")
            let book = context.make("Book", "book", ["author": author])
            context.make("Chapter", "chapter", ["book": book])
            context.make("Tag", "tag", ["books": Set([book])])
            context.make("Shelf", "shelf", ["items": NSOrderedSet(array: [book])])
            context.make("Author", "pupil", ["mentor": author])
            try context.save()
            try context.execute(delete("Author", "name == 'author'"))
            try expectEqual(
                context.lastChanges(),
                [
                    "delete Author", "delete Book", "delete Chapter", "update Author: mentor", "update Shelf: items",
                    "update Tag: books",
                ])
        }
    }

    @Test("records an object whose derived attribute changes with it, once", arguments: ["insert", "update", "delete"])
    func derivations(_ kind: String) throws {
        let box = entity("Box", [attribute("name", .stringAttributeType)])
        let thing = entity("Thing", [attribute("name", .stringAttributeType)])
        let count = NSDerivedAttributeDescription()
        count.name = "count"
        count.attributeType = .integer64AttributeType
        count.derivationExpression = NSExpression(forKeyPath: "things.@count")
        let (things, owner) = (toMany("things", thing), toOne("box", box))
        pair(things, owner)
        box.properties += [count, things]
        thing.properties.append(owner)
        let stack = try TestStack.tracking(model: model([box, thing]))
        try on(stack.context) {
            let box = stack.context.make("Box", "box")
            for name in ["a", "b"] { stack.context.make("Thing", name, kind == "delete" ? ["box": box] : [:]) }
            try stack.context.save()
            switch kind {
            case "insert":
                try stack.context.execute(
                    NSBatchInsertRequest(
                        entityName: "Thing",
                        objects: ["c", "d"].map { ["name": $0, "box": box.objectID] }))
                try expectEqual(stack.context.lastChanges(), ["insert Thing", "insert Thing", "update Box: count"])
            case "update":
                try stack.context.execute(update("Thing", nil, ["box": box.objectID]))
                try expectEqual(
                    stack.context.lastChanges(), ["update Box: count", "update Thing: box", "update Thing: box"])
            default:
                try stack.context.execute(delete("Thing"))
                try expectEqual(stack.context.lastChanges(), ["delete Thing", "delete Thing", "update Box: count"])
            }
        }
    }

    @Test("that fails or changes nothing leaves no transaction")
    func nothing() throws {
        let stack = try TestStack.tracking()
        try on(stack.context) {
            let request = NSBatchInsertRequest(entityName: "Book", objects: [["name": "good"], ["pages": "bad"]])
            #expect(throws: (any Error).self) { try stack.context.execute(request) }
            try stack.context.execute(update("Book", "name == 'a'", ["pages": 1]))
            try stack.context.execute(delete("Book"))
            try expectEmpty(stack.context.transactions())
            let publisher = stack.context.make("Publisher", "full")
            stack.context.make("Book", "book", ["publisher": publisher])
            try stack.context.save()
            #expect(throws: (any Error).self) { try stack.context.execute(delete("Publisher")) }
            try expectEqual(stack.context.transactions().count, 1)
        }
    }

    @Test("is merged by another context from the history")
    func merging() throws {
        let stack = try TestStack.tracking()
        let other = stack.newContext()
        try on(stack.context) {
            stack.context.make("Book", "a", ["pages": 1])
            try stack.context.save()
        }
        let object = try other.performAndWait { try other.one("Book", "a") }
        try on(other) { expectEqual(object.number("pages"), 1) }
        try on(stack.context) { try stack.context.execute(update("Book", nil, ["pages": 2])) }
        try on(other) {
            let transaction = try requireValue(try other.transactions().last)
            other.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
            expectEqual(object.number("pages"), 2)
        }
    }
}
