import CoreData
import Testing

@Suite("How long things live")
struct LifetimeTests {
    @Test("a stack is freed with its last reference", arguments: StoreKind.allCases)
    func stack(_ kind: StoreKind) throws {
        weak var context: NSManagedObjectContext?
        weak var coordinator: NSPersistentStoreCoordinator?
        weak var store: NSPersistentStore?
        weak var book: NSManagedObject?
        weak var author: NSManagedObject?
        try {
            let stack = try TestStack(kind)
            (context, coordinator, store) = (stack.context, stack.coordinator, stack.store)
            try on(stack.context) {
                let one = stack.context.make("Author", "Jane")
                let other = stack.context.make("Book", "Emma", ["author": one])
                // They retain each other.
                expectEqual(one.objects("books"), [other])
                (author, book) = (one, other)
                try stack.context.save()
                stack.context.make("Book", "unsaved").setValue(one, forKey: "author")
            }
            #expect(context != nil)
            #expect(book != nil)
        }()
        expectEqual(context, nil)
        expectEqual(coordinator, nil)
        expectEqual(store, nil)
        expectEqual(book, nil)
        expectEqual(author, nil)
    }

    @Test("an object that outlives its context keeps its values and has no context", arguments: StoreKind.allCases)
    func objectAlone(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        try on(stack.context) {
            stack.context.make("Book", "Emma")
            try stack.context.save()
        }
        let book = try {
            let context = stack.newContext()
            return try context.performAndWait {
                let book = try context.one("Book", "Emma")
                _ = book.text("name")
                return UncheckedSend(book)
            }
        }().value
        expectEqual(book.managedObjectContext, nil)
        expectEqual(book.text("name"), "Emma")
        expectEqual(book.object("author"), nil)
    }

    @Test("new objects that retain each other are freed by a rollback", arguments: StoreKind.allCases)
    func rolledBack(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            weak var author: NSManagedObject?
            weak var book: NSManagedObject?
            weak var tag: NSManagedObject?
            try {
                let saved = stack.context.make("Author", "Jane")
                try stack.context.save()
                let new = stack.context.make("Author", "new")
                let other = stack.context.make("Book", "Emma", ["author": new])
                other.setValue(
                    NSSet(array: [stack.context.make("Tag", "t", ["books": NSSet(array: [other])])]), forKey: "tags")
                saved.setValue(NSSet(array: [other]), forKey: "books")
                stack.context.delete(stack.context.make("Book", "deleted", ["author": saved]))
                (author, book, tag) = (new, other, other.objects("tags").first)
                stack.context.rollback()
                expectEqual(other.object("author"), nil)
                expectEqual(other.objects("tags"), [])
                expectEqual(saved.objects("books"), [])
            }()
            expectEqual(author, nil)
            expectEqual(book, nil)
            expectEqual(tag, nil)
        }
    }

    @Test(
        "deleted objects that refer to each other without a rule are freed, once they are saved or were never",
        arguments: StoreKind.allCases, [true, false])
    func deletedRing(_ kind: StoreKind, _ isSaved: Bool) throws {
        let node = entity("Node")
        node.properties = [attribute("name", .stringAttributeType), toOne("next", node)]
        try withStack(kind, model: model([node])) { stack in
            weak var first: NSManagedObject?
            weak var second: NSManagedObject?
            try {
                let one = stack.context.make("Node", "1")
                let two = stack.context.make("Node", "2", ["next": one])
                one.setValue(two, forKey: "next")
                (first, second) = (one, two)
                if isSaved { try stack.context.save() } else { stack.context.processPendingChanges() }
                stack.context.delete(one)
                stack.context.delete(two)
                if isSaved { try stack.context.save() } else { stack.context.processPendingChanges() }
            }()
            expectEqual(first, nil)
            expectEqual(second, nil)
        }
    }

    @Test("existingObject(with:) never gives a fault", arguments: StoreKind.allCases)
    func existing(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            try stack.context.save()
            let context = stack.newContext()
            try on(context) {
                let fault = context.object(with: book.objectID)
                expectTrue(fault.isFault)
                try #expect(context.existingObject(with: book.objectID) === fault)
                expectFalse(fault.isFault)
                let again = stack.newContext()
                try on(again) { try expectFalse(again.existingObject(with: book.objectID).isFault) }
            }
        }
    }

    @Test("existingObject(with:) gives an object whose deletion isn't saved yet", arguments: StoreKind.allCases)
    func existingDeleted(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            try stack.context.save()
            stack.context.delete(book)
            try #expect(stack.context.existingObject(with: book.objectID) === book)
            try stack.context.save()
            expectEqual(thrownError { _ = try stack.context.existingObject(with: book.objectID) }?.code, 133000)
        }
    }

    @Test("an ID of another coordinator on the same file names this one's object")
    func foreignID() throws {
        try withStack(.sqlite) { stack in
            let book = stack.context.make("Book", "Emma")
            try stack.context.save()
            try inFreshContext(stack) { context in
                let own = try context.one("Book", "Emma")
                #expect(context.object(with: book.objectID) === own)
                try #expect(context.existingObject(with: book.objectID) === own)
                #expect(context.registeredObject(for: book.objectID) === own)
                context.reset()
                let new = context.object(with: book.objectID)
                #expect(new.objectID.persistentStore === context.persistentStoreCoordinator?.persistentStores[0])
                expectEqual(new.text("name"), "Emma")
            }
        }
    }
}

/// Carries an object out of its context's queue.
private struct UncheckedSend<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
