import CoreData
import Testing

@Suite("Object IDs, faults and uniquing")
struct IdentityTests {
    @Test("an ID is temporary before the save and permanent after it", arguments: StoreKind.allCases)
    func temporaryAndPermanent(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            let temporary = book.objectID
            expectTrue(temporary.isTemporaryID)
            expectEqual(temporary.persistentStore, nil)
            expectTrue(temporary.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Book/t"))
            #expect(stack.context.registeredObject(for: temporary) === book)
            #expect(stack.context.object(with: temporary) === book)
            try stack.context.save()
            expectFalse(book.objectID.isTemporaryID)
            #expect(book.objectID != temporary)
            #expect(book.objectID.persistentStore === stack.store)
            expectEqual(book.objectID.entity.name, "Book")
            #expect(stack.context.registeredObject(for: book.objectID) === book)
        }
    }

    @Test(
        "a permanent ID's URI names store, entity and key, and leads back to the ID",
        arguments: StoreKind.allCases.without(.otherKeys))
    func uris(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Novel", "Emma")
            try stack.context.save()
            let uri = book.objectID.uriRepresentation()
            expectEqual(uri.absoluteString, "x-coredata://\(stack.store.identifier!)/Novel/p1")
            let found = try requireValue(stack.coordinator.managedObjectID(forURIRepresentation: uri))
            expectEqual(stack.coordinator.managedObjectID(for: uri.absoluteString), found)
            expectEqual(found, book.objectID)
            expectEqual(found.hash, book.objectID.hash)
            #expect(stack.context.object(with: found) === book)
        }
    }

    @Test("a URI leads back to the ID of an entity whose name has a slash, a space or a percent sign")
    func entityNames() throws {
        for name in ["A/B", "A B", "A%2FB", "Größe"] {
            let entity = NSEntityDescription()
            entity.name = name
            let model = NSManagedObjectModel()
            model.entities = [entity]
            try withStack(.sqlite, model: model) { stack in
                let object = NSEntityDescription.insertNewObject(forEntityName: name, into: stack.context)
                try stack.context.save()
                let uri = object.objectID.uriRepresentation()
                expectEqual(stack.coordinator.managedObjectID(forURIRepresentation: uri), object.objectID, "\(name)")
            }
        }
    }

    @Test(
        "a URI that names no store, entity or key of the coordinator gives no ID",
        arguments: StoreKind.allCases.without(.otherKeys))
    func badURIs(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let store = stack.store.identifier!
            for text in [
                "x-coredata://\(UUID().uuidString)/Book/p1", "x-coredata://\(store)/Nothing/p1",
                "x-coredata://\(store)/Book/p",
                "x-coredata://\(store)/Book/p0", "x-coredata://\(store)/Book/p-3",
                "x-coredata://\(store)/Book/p99999999999999999999",
                "x-coredata://\(store)/Book", "x-coredata://\(store)", "https://\(store)/Book/p1",
                "x-coredata:///Book/tABC1", "file:///tmp/x",
            ] {
                expectEqual(stack.coordinator.managedObjectID(forURIRepresentation: URL(string: text)!), nil, "\(text)")
            }
        }
    }

    @Test("permanent IDs can be had before the save, and stay", arguments: StoreKind.allCases)
    func obtaining(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let author = stack.context.make("Author", "Jane")
            let book = stack.context.make("Book", "Emma", ["author": author])
            try stack.context.obtainPermanentIDs(for: [author, book])
            let (authorID, bookID) = (author.objectID, book.objectID)
            expectFalse(authorID.isTemporaryID)
            expectFalse(bookID.isTemporaryID)
            expectTrue(book.isInserted)
            try inFreshContext(stack) { try expectEmpty($0.all("Book")) }
            try stack.context.save()
            expectEqual(author.objectID, authorID)
            expectEqual(book.objectID, bookID)
            try inFreshContext(stack) { context in
                try expectEqual(context.one("Book", "Emma").object("author")?.text("name"), "Jane")
            }
        }
    }

    @Test("a permanent ID that was rolled back is not given again", arguments: StoreKind.allCases)
    func obtainedAndRolledBack(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let lost = stack.context.make("Book", "Lost")
            try stack.context.obtainPermanentIDs(for: [lost])
            let id = lost.objectID
            stack.context.rollback()
            let kept = stack.context.make("Book", "Kept")
            try stack.context.save()
            #expect(kept.objectID != id)
            expectEqual(thrownError { _ = try stack.context.existingObject(with: id) }?.code, 133000)
        }
    }

    @Test("one row is one object in one context", arguments: StoreKind.allCases)
    func uniquing(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let author = stack.context.make("Author", "Jane")
            stack.context.make("Book", "Emma", ["author": author])
            try stack.context.save()
            try inFreshContext(stack) { context in
                let emma = try context.one("Book", "Emma")
                try #expect(context.one("Book", "Emma") === emma)
                let jane = try requireValue(emma.object("author"))
                try #expect(context.one("Person", "Jane") === jane)
                expectEqual(jane.objects("books"), [emma])
                #expect(context.object(with: emma.objectID) === emma)
            }
        }
    }

    @Test("a fetched object is a fault until a value is read", arguments: StoreKind.allCases)
    func faults(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            stack.context.make("Book", "Emma")
            try stack.context.save()
            try inFreshContext(stack) { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                let book = try requireValue(try context.fetch(request).first)
                expectTrue(book.isFault)
                #expect(book.faultingState != 0)
                expectEqual(book.text("name"), "Emma")
                expectFalse(book.isFault)
                expectEqual(book.faultingState, 0)
                context.refresh(book, mergeChanges: false)
                expectTrue(book.isFault)
                expectEqual(book.number("pages"), 100)
                expectFalse(book.hasChanges)
            }
        }
    }

    @Test("a request may ask for objects with their values", arguments: StoreKind.allCases)
    func withoutFaults(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            stack.context.make("Book", "Emma")
            try stack.context.save()
            try inFreshContext(stack) { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.returnsObjectsAsFaults = false
                try expectEqual(context.fetch(request).map(\.isFault), [false])
            }
        }
    }

    @Test(
        "an object by ID is a fault without asking the store; an existing object is asked for",
        arguments: StoreKind.allCases)
    func objectByID(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            try stack.context.save()
            let id = book.objectID
            let other = stack.newContext()
            try on(other) {
                expectEqual(other.registeredObject(for: id), nil)
                let object = other.object(with: id)
                expectTrue(object.isFault)
                expectEqual(object.objectID, id)
                #expect(other.registeredObject(for: id) === object)
                try #expect(other.existingObject(with: id) === object)
                expectEqual(object.text("name"), "Emma")
            }
            stack.context.delete(book)
            try stack.context.save()
            let third = stack.newContext()
            try on(third) {
                let error = thrownError { _ = try third.existingObject(with: id) }
                expectEqual(error?.domain, NSCocoaErrorDomain)
                expectEqual(error?.code, 133000)
            }
        }
    }

    @Test("a fault whose row is gone counts as deleted and has no values", arguments: StoreKind.allCases)
    func inaccessible(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            try stack.context.save()
            let other = stack.newContext()
            let id = book.objectID
            let object = other.performAndWait { UnsafeSender(other.object(with: id)) }
            stack.context.delete(book)
            try stack.context.save()
            try on(other) {
                #expect(object.value.value(forKey: "name") == nil)
                expectTrue(object.value.isDeleted)
                expectEmpty(object.value.objects("tags"))
                expectEqual(object.value.object("author"), nil)
            }
        }
    }

    @Test("objects that outlive their context have no context and don't crash", arguments: StoreKind.allCases)
    func outliving(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let author = stack.context.make("Author", "Jane")
            stack.context.make("Book", "Emma", ["author": author])
            try stack.context.save()
            var kept: [NSManagedObject] = []
            do {
                let context = try stack.afresh()
                try on(context) {
                    let read = try context.one("Book", "Emma")
                    kept = [read, context.object(with: author.objectID), context.make("Tag", "new")]
                    _ = read.object("author")
                }
            }
            #expect(kept.allSatisfy { $0.managedObjectContext == nil })
            expectEqual(kept[0].text("name"), "Emma")
            _ = (kept[0].object("author"), kept[0].objects("tags"), kept[1].value(forKey: "name"), kept[2].text("name"))
            kept[0].setValue("Changed", forKey: "name")
            expectEqual(kept[0].text("name"), "Changed")
        }
    }

    @Test("the context holds changed objects and lets others go", arguments: StoreKind.allCases)
    func holding(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            weak var weakBook: NSManagedObject?
            do {
                let book = stack.context.make("Book", "Emma")
                weakBook = book
            }
            #expect(weakBook != nil)
            try stack.context.save()
            expectEqual(weakBook, nil)
            expectEmpty(stack.context.registeredObjects)
        }
    }
}
