import CoreData
import Testing

@Suite("A context that retains its registered objects")
struct RetainedObjectsTests {
    @Test("off by default: objects without changes go with their last user", arguments: StoreKind.allCases)
    func off(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            expectFalse(stack.context.retainsRegisteredObjects)
            try fill(stack)
            _ = try stack.context.all("Tag").map { $0.text("name") }
            expectEmpty(stack.context.registeredObjects)
        }
    }

    @Test("fetched objects, faults and saved ones stay", arguments: StoreKind.allCases)
    func on(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let context = stack.context
            try fill(stack)
            context.retainsRegisteredObjects = true
            expectTrue(context.retainsRegisteredObjects)
            _ = try context.all("Tag")
            expectEqual(context.registeredObjects.count, 3)
            _ = try context.one("Book", "Emma").object("author")
            context.make("Cover", "new")
            try context.save()
            expectEqual(Set(context.registeredObjects.map { $0.entity.name! }), ["Tag", "Book", "Author", "Cover"])
        }
    }

    @Test("what was registered before stays too, if it is still there", arguments: StoreKind.allCases)
    func switchedOn(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            try fill(stack)
            var tags: [NSManagedObject]? = try stack.context.all("Tag")
            stack.context.retainsRegisteredObjects = true
            expectEqual(tags?.count, 3)
            tags = nil
            expectEqual(stack.context.registeredObjects.count, 3)
            stack.context.retainsRegisteredObjects = false
            expectEmpty(stack.context.registeredObjects)
        }
    }

    @Test("deleted objects are let go when the deletion is saved, all by a reset", arguments: StoreKind.allCases)
    func lettingGo(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let context = stack.context
            try fill(stack)
            context.retainsRegisteredObjects = true
            weak var deleted: NSManagedObject?
            deleted = try context.one("Tag", "a")
            context.delete(try requireValue(deleted))
            try context.save()
            expectEqual(deleted, nil)
            _ = try context.all("Tag")
            expectEqual(context.registeredObjects.count, 2)
            context.reset()
            expectEmpty(context.registeredObjects)
            expectTrue(context.retainsRegisteredObjects)
            _ = try context.all("Tag")
            expectEqual(context.registeredObjects.count, 2)
        }
    }

    @Test("the objects don't keep their context")
    func lifetime() throws {
        let stack = try TestStack(.sqlite)
        try CoreDataTestSupport.on(stack.context) { try fill(stack) }
        weak var seen: NSManagedObjectContext?
        weak var object: NSManagedObject?
        do {
            let context = stack.newContext()
            seen = context
            try CoreDataTestSupport.on(context) {
                context.retainsRegisteredObjects = true
                object = try context.one("Tag", "a")
                #expect(object != nil)
            }
        }
        expectEqual(seen, nil)
        expectEqual(object, nil)
    }

    private func fill(_ stack: TestStack) throws {
        for name in ["a", "b", "c"] { stack.context.make("Tag", name) }
        stack.context.make("Book", "Emma", ["author": stack.context.make("Author", "Jane")])
        try stack.context.save()
        stack.context.reset()
    }
}
