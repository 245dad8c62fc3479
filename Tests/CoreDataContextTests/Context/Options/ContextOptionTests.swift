import CoreData
import Testing

@Suite("Options of a context")
struct ContextOptionTests {
    @Test("have Core Data's defaults")
    func defaults() {
        let context = NSManagedObjectContext(.privateQueue)
        expectEqual(context.name, nil)
        expectEqual(context.transactionAuthor, nil)
        expectEqual(context.userInfo.count, 0)
        expectTrue(context.propagatesDeletesAtEndOfEvent)
        expectTrue(context.shouldDeleteInaccessibleFaults)
        expectFalse(context.retainsRegisteredObjects)
        expectFalse(context.automaticallyMergesChangesFromParent)
        #expect(context.stalenessInterval < 0)
        expectEqual(context.queryGenerationToken, nil)
        expectFalse(context.hasChanges)
        expectEmpty(context.registeredObjects)
    }

    @Test("name, author and userInfo keep what they are given")
    func texts() {
        let context = NSManagedObjectContext(.privateQueue)
        context.name = "import"
        context.transactionAuthor = "app"
        context.userInfo["run"] = 3
        expectEqual(context.name, "import")
        expectEqual(context.transactionAuthor, "app")
        #expect(context.userInfo["run"] as? Int == 3)
    }

    @Test(
        "refreshing all objects keeps unsaved changes and takes everything else from the store",
        arguments: StoreKind.allCases)
    func refreshAll(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let other = stack.newContext()
        let ids = try other.performAndWait {
            let books = ["a", "b"].map { other.make("Book", $0) }
            try other.save()
            return books.map(\.objectID)
        }
        try on(stack.context) {
            let books = ids.map { stack.context.object(with: $0) }
            expectEqual(books.map { $0.number("pages") }, [100, 100])
            try on(other) {
                for id in ids { other.object(with: id).setValue(7, forKey: "pages") }
                try other.save()
            }
            books[0].setValue("mine", forKey: "name")
            let new = stack.context.make("Book", "c")
            expectEqual(books[1].number("pages"), 100)
            stack.context.refreshAllObjects()
            expectEqual(books.map { $0.number("pages") }, [7, 7])
            expectEqual(books[0].text("name"), "mine")
            expectTrue(books[0].isUpdated)
            expectTrue(new.isInserted)
        }
    }

    @Test("objects are registered as soon as the context knows them, faults too", arguments: StoreKind.allCases)
    func registered(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let context = stack.context
            let tag = context.make("Tag", "a")
            expectEqual(context.registeredObjects, [tag])
            try context.save()
            let id = tag.objectID
            context.reset()
            expectEmpty(context.registeredObjects)
            expectEqual(context.registeredObject(for: id), nil)
            let fault = context.object(with: id)
            expectTrue(fault.isFault)
            expectEqual(context.registeredObjects, [fault])
            let isSame = context.registeredObject(for: id) === fault
            expectTrue(isSame)
        }
    }

    @Test("deletes that don't propagate at the end of events do so in the save", arguments: StoreKind.allCases)
    func propagation(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let context = stack.context
            let jane = context.make("Author", "Jane")
            let book = context.make("Book", "Emma", ["author": jane])
            try context.save()
            context.propagatesDeletesAtEndOfEvent = false
            context.delete(jane)
            context.processPendingChanges()
            expectEqual(context.deletedObjects, [jane])
            expectFalse(book.isDeleted)
            try context.save()
            try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")), 0)
        }
    }
}
