import CoreData
import Testing

@Suite("Inserting, saving and deleting")
struct InsertingTests {
    @Test("an inserted object is new until it is saved, and then found by others", arguments: StoreKind.everyKind)
    func insertAndSave(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            expectTrue(book.isInserted)
            expectTrue(book.hasChanges)
            expectFalse(book.isUpdated)
            expectFalse(book.isDeleted)
            expectFalse(book.isFault)
            expectTrue(stack.context.hasChanges)
            expectEqual(stack.context.insertedObjects, [book])
            expectEqual(stack.context.registeredObjects, [book])
            #expect(book.managedObjectContext === stack.context)
            try stack.context.save()
            expectFalse(book.isInserted)
            expectFalse(book.hasChanges)
            expectFalse(stack.context.hasChanges)
            expectEmpty(stack.context.insertedObjects)
            try inFreshContext(stack) { try expectEqual($0.names("Book"), ["Emma"]) }
        }
    }

    @Test("nothing reaches the store before the save", arguments: StoreKind.everyKind)
    func unsaved(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            stack.context.make("Book", "Emma")
            try inFreshContext(stack) { try expectEmpty($0.all("Book")) }
        }
    }

    @Test("a new object has the model's default values", arguments: StoreKind.everyKind)
    func defaults(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Novel", "Emma")
            expectEqual(book.number("pages"), 100)
            #expect(book.value(forKey: "price") == nil)
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.one("Novel", "Emma").number("pages"), 100) }
        }
    }

    @Test("a change is saved, and only the changed object counts as updated", arguments: StoreKind.everyKind)
    func update(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let emma = stack.context.make("Book", "Emma")
            let ivanhoe = stack.context.make("Book", "Ivanhoe")
            try stack.context.save()
            emma.setValue(7, forKey: "pages")
            expectTrue(emma.isUpdated)
            expectTrue(emma.hasChanges)
            expectFalse(ivanhoe.hasChanges)
            expectEqual(stack.context.updatedObjects, [emma])
            try stack.context.save()
            expectFalse(emma.isUpdated)
            try inFreshContext(stack) { try expectEqual($0.one("Book", "Emma").number("pages"), 7) }
        }
    }

    @Test("a deleted object is gone after the save, and belongs to no context", arguments: StoreKind.everyKind)
    func delete(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            try stack.context.save()
            stack.context.delete(book)
            expectTrue(book.isDeleted)
            expectEqual(stack.context.deletedObjects, [book])
            expectTrue(stack.context.hasChanges)
            try stack.context.save()
            expectFalse(book.isDeleted)
            expectEqual(book.managedObjectContext, nil)
            expectFalse(stack.context.hasChanges)
            expectEqual(stack.context.registeredObject(for: book.objectID), nil)
            try inFreshContext(stack) { try expectEmpty($0.all("Book")) }
        }
    }

    @Test("an object inserted and deleted before a save leaves no trace", arguments: StoreKind.everyKind)
    func insertAndDelete(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let author = stack.context.make("Author", "Jane")
            try stack.context.save()
            let book = stack.context.make("Book", "Emma", ["author": author])
            stack.context.delete(book)
            stack.context.processPendingChanges()
            expectEmpty(stack.context.insertedObjects)
            expectEmpty(stack.context.deletedObjects)
            expectEmpty(author.objects("books"))
            try stack.context.save()
            try inFreshContext(stack) { try expectEmpty($0.all("Book")) }
        }
    }

    @Test(
        "rollback brings back values, relationships and deleted objects, and forgets new ones",
        arguments: StoreKind.everyKind)
    func rollback(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let author = stack.context.make("Author", "Jane")
            let emma = stack.context.make("Book", "Emma", ["author": author])
            let tag = stack.context.make("Tag", "old")
            emma.mutableSetValue(forKey: "tags").add(tag)
            let one = stack.context.make("Chapter", "1")
            let two = stack.context.make("Chapter", "2")
            emma.setValue(NSOrderedSet(array: [one, two]), forKey: "chapters")
            try stack.context.save()

            emma.setValue("Changed", forKey: "name")
            emma.setValue(NSOrderedSet(array: [two, one]), forKey: "chapters")
            let new = stack.context.make("Book", "New", ["author": author])
            new.mutableSetValue(forKey: "tags").add(tag)
            emma.mutableSetValue(forKey: "tags").remove(tag)
            stack.context.delete(two)
            stack.context.delete(author)
            stack.context.processPendingChanges()
            expectTrue(emma.isDeleted)
            stack.context.rollback()

            expectFalse(stack.context.hasChanges)
            expectFalse(emma.isDeleted)
            expectFalse(author.isDeleted)
            expectFalse(two.isDeleted)
            expectEqual(new.managedObjectContext, nil)
            expectFalse(new.isInserted)
            expectEqual(emma.text("name"), "Emma")
            #expect(emma.object("author") === author)
            expectEqual(author.objects("books"), [emma])
            expectEqual(emma.objects("tags"), [tag])
            expectEqual(tag.objects("books"), [emma])
            expectEqual(emma.ordered("chapters"), [one, two])
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.names("Book"), ["Emma"]) }
        }
    }

    @Test("reset forgets all objects and changes", arguments: StoreKind.everyKind)
    func reset(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            try stack.context.save()
            book.setValue("Changed", forKey: "name")
            stack.context.make("Book", "New")
            stack.context.reset()
            expectFalse(stack.context.hasChanges)
            expectEmpty(stack.context.registeredObjects)
            expectEqual(book.managedObjectContext, nil)
            let again = try stack.context.one("Book", "Emma")
            #expect(again !== book)
            expectEqual(again.objectID, book.objectID)
        }
    }

    @Test("a save without changes does nothing", arguments: StoreKind.everyKind)
    func emptySave(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            try stack.context.save()
            expectEmpty(stack.context.registeredObjects)
            try inFreshContext(stack) { try expectEmpty($0.names("Book")) }
        }
    }

    @Test("an object made without a context may be filled and inserted later", arguments: StoreKind.everyKind)
    func lateInsertion(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let entity = try requireValue(stack.model.entitiesByName["Book"])
            let book = NSManagedObject(entity: entity, insertInto: nil)
            expectEqual(book.managedObjectContext, nil)
            expectFalse(book.isInserted)
            expectEqual(book.number("pages"), 100)
            book.setValue("Emma", forKey: "name")
            stack.context.insert(book)
            expectTrue(book.isInserted)
            expectEqual(book.text("name"), "Emma")
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.names("Book"), ["Emma"]) }
        }
    }

    @Test("thousands of objects of several entities are saved at once", arguments: StoreKind.everyKind)
    func many(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            for number in 0..<3000 {
                let book = stack.context.make(number % 3 == 0 ? "Novel" : "Book", "\(number)", ["pages": number])
                if number % 2 == 0 { stack.context.make("Chapter", "of \(number)", ["book": book]) }
            }
            try stack.context.save()
            try inFreshContext(stack) { context in
                try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")), 3000)
                try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Novel")), 1000)
                for chapter in try context.all("Chapter") {
                    expectEqual(chapter.text("name"), "of \(chapter.object("book")?.text("name") ?? "?")")
                }
            }
        }
    }
}

@Suite("Deleting and inserting again")
struct InsertingAgainTests {
    @Test("a deleted object may be inserted again before the save", arguments: StoreKind.everyKind)
    func undelete(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            try stack.context.save()
            stack.context.delete(book)
            stack.context.insert(book)
            expectFalse(book.isDeleted)
            expectEqual(book.text("name"), "Emma")
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.names("Book"), ["Emma"]) }
        }
    }

    @Test("an object whose deletion was saved may be inserted as a new one", arguments: StoreKind.everyKind)
    func reinsert(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            try stack.context.save()
            let id = book.objectID
            stack.context.delete(book)
            try stack.context.save()
            stack.context.insert(book)
            expectTrue(book.isInserted)
            expectTrue(book.objectID.isTemporaryID)
            expectEqual(book.text("name"), "Emma")
            try stack.context.save()
            #expect(book.objectID != id)
            try inFreshContext(stack) { try expectEqual($0.names("Book"), ["Emma"]) }
        }
    }

    @Test("deleting twice, or an object of nobody, does nothing", arguments: StoreKind.everyKind)
    func twice(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            try stack.context.save()
            stack.context.delete(book)
            stack.context.delete(book)
            expectEqual(stack.context.deletedObjects, [book])
            try stack.context.save()
            stack.context.delete(book)
            expectFalse(stack.context.hasChanges)
            stack.context.delete(NSManagedObject(entity: stack.model.entitiesByName["Book"]!, insertInto: nil))
            expectFalse(stack.context.hasChanges)
        }
    }

    @Test(
        "a refresh without merging makes a new object a fault, which fires with the default values",
        arguments: StoreKind.everyKind)
    func refreshed(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let author = stack.context.make("Author", "Jane")
            let tag = stack.context.make("Tag", "t")
            let book = stack.context.make("Book", "Emma", ["pages": 7, "author": author])
            book.setValue([tag] as Set<NSManagedObject>, forKey: "tags")
            stack.context.refresh(book, mergeChanges: false)
            expectTrue(book.isFault)
            expectTrue(book.isInserted)
            expectEmpty(author.names("books"))
            expectEmpty(tag.names("books"))
            book.willAccessValue(forKey: nil)
            expectFalse(book.isFault)
            expectEqual(book.text("name"), nil)
            expectEqual(book.number("pages"), 100)
            book.setValue("Persuasion", forKey: "name")
            stack.context.refresh(book, mergeChanges: false)
            expectTrue(book.isFault)
            expectEqual(book.text("name"), nil)
        }
    }

    @Test("a new object that was made a fault is saved with the default values", arguments: StoreKind.everyKind)
    func refreshedAndSaved(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma", ["pages": 7])
            try stack.context.obtainPermanentIDs(for: [stack.context.make("Book", "Persuasion")])
            for object in stack.context.insertedObjects { stack.context.refresh(object, mergeChanges: false) }
            try stack.context.save()
            expectFalse(book.isInserted)
            expectEqual(book.number("pages"), 100)
            try inFreshContext(stack) { context in
                let books = try context.all("Book")
                expectEqual(books.map { $0.number("pages") }, [100, 100])
                expectEqual(books.map { $0.text("name") }, [nil, nil])
            }
        }
    }

    @Test("a new object that was made a fault is deleted, or leaves with a rollback", arguments: StoreKind.everyKind)
    func refreshedAndWithdrawn(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let (first, second) = (stack.context.make("Book", "A"), stack.context.make("Book", "B"))
            for book in [first, second] { stack.context.refresh(book, mergeChanges: false) }
            stack.context.delete(first)
            expectEqual(stack.context.insertedObjects, [second])
            stack.context.rollback()
            expectFalse(stack.context.hasChanges)
            expectEqual(second.managedObjectContext, nil)
        }
    }

    @Test("a temporary ID of another context names an object without values", arguments: StoreKind.everyKind)
    func foreignTemporary(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let id = stack.context.make("Book", "Emma").objectID
            let other = stack.newContext()
            try on(other) {
                let object = other.object(with: id)
                #expect(object.value(forKey: "name") == nil)
                expectEqual(thrownError { _ = try other.existingObject(with: id) }?.code, 133000)
                try other.save()
            }
        }
    }
}
