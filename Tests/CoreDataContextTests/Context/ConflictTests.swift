import CoreData
import Testing

@Suite("Two contexts on one store")
struct ConflictTests {
    /// Two contexts of one coordinator that have read the same book.
    private func withTwo(
        _ kind: StoreKind, _ body: (TestStack, NSManagedObject, NSManagedObjectContext, NSManagedObject) throws -> Void
    ) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            try stack.context.save()
            let other = stack.newContext()
            try on(other) {
                let same = try other.one("Book", "Emma")
                _ = same.text("name")
                try body(stack, book, other, same)
            }
        }
    }

    @Test(
        "saving over a row that another context has changed is error 133020 with the conflict",
        arguments: StoreKind.everyKind)
    func conflict(_ kind: StoreKind) throws {
        try withTwo(kind) { stack, book, other, same in
            book.setValue(1, forKey: "pages")
            try stack.context.save()
            same.setValue(2, forKey: "pages")
            let error = try requireValue(thrownError { try other.save() })
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, 133020)
            let conflicts = try requireValue(
                error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])
            try #require(conflicts.count == 1)
            #expect(conflicts[0].sourceObject === same)
            expectEqual(conflicts[0].oldVersionNumber, 1)
            expectEqual(conflicts[0].newVersionNumber, 2)
            #expect(conflicts[0].objectSnapshot?["pages"] as? NSNumber == 100)
            expectEqual((conflicts[0].cachedSnapshot?["pages"] as? NSNumber)?.intValue, 1)
            #expect(conflicts[0].persistedSnapshot == nil)
            expectTrue(same.isUpdated)
            expectEqual(same.number("pages"), 2)
            try inFreshContext(stack) { try expectEqual($0.one("Book", "Emma").number("pages"), 1) }
        }
    }

    @Test(
        "a conflict with a context of the coordinator has the newer values as cached ones after the context is gone",
        arguments: StoreKind.everyKind)
    func conflictWithFreedContext(_ kind: StoreKind) throws {
        try withTwo(kind) { stack, _, other, same in
            do {
                let writer = stack.newContext()
                try on(writer) {
                    try writer.one("Book", "Emma").setValue(1, forKey: "pages")
                    try writer.save()
                }
            }
            stack.context.reset()
            same.setValue(2, forKey: "pages")
            let error = try requireValue(thrownError { try other.save() })
            let conflict = try requireValue(
                (error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])?.first)
            expectEqual((conflict.objectSnapshot?["pages"] as? NSNumber)?.intValue, 100)
            expectEqual((conflict.cachedSnapshot?["pages"] as? NSNumber)?.intValue, 1)
            #expect(conflict.persistedSnapshot == nil)
        }
    }

    @Test(
        "an object that was let go of after its save has the saved values and their version",
        arguments: StoreKind.everyKind)
    func objectLetGoOfAfterItsSave(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            for name in ["Emma", "Persuasion"] { stack.context.make("Book", name) }
            try stack.context.save()
            let other = stack.newContext()
            try on(other) {
                var books = try other.all("Book", sort: [NSSortDescriptor(key: "name", ascending: true)])
                let id = books[0].objectID
                books.removeFirst().setValue(1, forKey: "pages")
                try other.save()
                expectEqual(other.registeredObject(for: id), nil)
                let same = other.object(with: id)
                expectEqual(same.number("pages"), 1)
                same.setValue(2, forKey: "pages")
                try other.save()
                expectEqual(books.count, 1)
            }
        }
    }

    @Test("after a conflict, a refresh that merges changes lets the save succeed", arguments: StoreKind.everyKind)
    func mergingRefresh(_ kind: StoreKind) throws {
        try withTwo(kind) { stack, book, other, same in
            book.setValue(1, forKey: "pages")
            book.setValue("Emma II", forKey: "name")
            try stack.context.save()
            same.setValue(2, forKey: "pages")
            expectEqual(thrownError { try other.save() }?.code, 133020)
            other.refresh(same, mergeChanges: true)
            expectEqual(same.number("pages"), 2)
            expectEqual(same.text("name"), "Emma II")
            expectTrue(same.isUpdated)
            try other.save()
            try inFreshContext(stack) { try expectEqual($0.one("Book", "Emma II").number("pages"), 2) }
        }
    }

    @Test("after a conflict, refreshing without the changes gives the stored values", arguments: StoreKind.everyKind)
    func plainRefresh(_ kind: StoreKind) throws {
        try withTwo(kind) { stack, book, other, same in
            book.setValue(1, forKey: "pages")
            try stack.context.save()
            same.setValue(2, forKey: "pages")
            expectEqual(thrownError { try other.save() }?.code, 133020)
            other.refresh(same, mergeChanges: false)
            expectFalse(same.hasChanges)
            expectEqual(same.number("pages"), 1)
            same.setValue(3, forKey: "pages")
            try other.save()
        }
    }

    @Test("one conflict keeps the whole save from being written", arguments: StoreKind.everyKind.without(.earlyIDs))
    func allOrNothing(_ kind: StoreKind) throws {
        try withTwo(kind) { stack, book, other, same in
            book.setValue(1, forKey: "pages")
            try stack.context.save()
            same.setValue(2, forKey: "pages")
            let new = other.make("Book", "New")
            let tag = other.make("Tag", "t")
            same.mutableSetValue(forKey: "tags").add(tag)
            expectEqual(thrownError { try other.save() }?.code, 133020)
            expectTrue(new.isInserted)
            expectTrue(new.objectID.isTemporaryID)
            expectTrue(tag.isInserted)
            try inFreshContext(stack) {
                try expectEqual($0.names("Book"), ["Emma"])
                try expectEmpty($0.all("Tag"))
            }
            other.refresh(same, mergeChanges: true)
            try other.save()
            try inFreshContext(stack) {
                try expectEqual($0.names("Book"), ["Emma", "New"])
                try expectEqual($0.one("Book", "Emma").names("tags"), ["t"])
            }
        }
    }

    @Test(
        "changing an object that another context has deleted is a conflict, and so is deleting a changed one",
        arguments: StoreKind.everyKind)
    func deletions(_ kind: StoreKind) throws {
        try withTwo(kind) { stack, book, other, same in
            stack.context.delete(book)
            try stack.context.save()
            same.setValue(2, forKey: "pages")
            let error = try requireValue(thrownError { try other.save() })
            expectEqual(error.code, 133020)
            expectEqual(
                (error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])?.first?.newVersionNumber,
                0)
        }
        try withTwo(kind) { stack, book, other, same in
            book.setValue(1, forKey: "pages")
            try stack.context.save()
            other.delete(same)
            expectEqual(thrownError { try other.save() }?.code, 133020)
            expectTrue(same.isDeleted)
            try inFreshContext(stack) { try expectEqual($0.names("Book"), ["Emma"]) }
        }
    }

    @Test("values that were read stay as they are when another context saves", arguments: StoreKind.everyKind)
    func isolation(_ kind: StoreKind) throws {
        try withTwo(kind) { stack, book, other, same in
            book.setValue("Changed", forKey: "name")
            try stack.context.save()
            expectEqual(same.text("name"), "Emma")
            try #expect(other.all("Book", "name == 'Changed'").first === same)
            expectEqual(same.text("name"), "Emma")
            other.refresh(same, mergeChanges: true)
            expectEqual(same.text("name"), "Changed")
        }
    }

    @Test("a fault that was not fired yet gets the newest values of the coordinator", arguments: StoreKind.everyKind)
    func freshFaults(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            let gone = stack.context.make("Book", "Gone")
            try stack.context.save()
            let other = stack.newContext()
            try on(other) {
                let same = other.object(with: book.objectID)
                let lost = other.object(with: gone.objectID)
                try expectEqual(Set(other.all("Book")), [same, lost])
                book.setValue("Changed", forKey: "name")
                stack.context.delete(gone)
                try stack.context.save()
                expectTrue(same.isFault)
                expectEqual(same.text("name"), "Changed")
                expectEqual(lost.text("name"), nil)
                expectTrue(lost.isDeleted)
                same.setValue("Again", forKey: "name")
                other.refresh(lost, mergeChanges: false)
                try other.save()
            }
            try inFreshContext(stack) { try expectEqual($0.names("Book"), ["Again"]) }
        }
    }

    @Test("a request may refresh unchanged objects", arguments: StoreKind.everyKind)
    func refetching(_ kind: StoreKind) throws {
        try withTwo(kind) { stack, book, other, same in
            book.setValue("Changed", forKey: "name")
            try stack.context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.shouldRefreshRefetchedObjects = true
            _ = try other.fetch(request)
            expectEqual(same.text("name"), "Changed")
        }
    }

    @Test("both contexts may add to one set without a conflict on the members", arguments: StoreKind.everyKind)
    func twoAdditions(_ kind: StoreKind) throws {
        try withTwo(kind) { stack, book, other, same in
            stack.context.make("Tag", "x").mutableSetValue(forKey: "books").add(book)
            try stack.context.save()
            other.make("Tag", "y").mutableSetValue(forKey: "books").add(same)
            let error = thrownError { try other.save() }
            expectEqual(error?.code, 133020)
            other.refresh(same, mergeChanges: true)
            expectEqual(same.names("tags"), ["x", "y"])
            try other.save()
            try inFreshContext(stack) { try expectEqual($0.one("Book", "Emma").names("tags"), ["x", "y"]) }
        }
    }

    @Test("a context may delete and insert after another has saved", arguments: StoreKind.everyKind)
    func keys(_ kind: StoreKind) throws {
        try withTwo(kind) { stack, _, other, same in
            for index in 0..<20 {
                stack.context.make("Book", "s\(index)")
                other.make("Book", "o\(index)")
                try stack.context.save()
                try other.save()
            }
            other.delete(same)
            try other.save()
            try inFreshContext(stack) { try expectEqual($0.all("Book").count, 40) }
        }
    }

    @Test("two coordinators on one file see each other's saves and conflicts")
    func twoCoordinators() throws {
        try withStack(.sqlite) { stack in
            let book = stack.context.make("Book", "Emma")
            try stack.context.save()
            let other = try stack.afresh()
            try on(other) {
                let same = try other.one("Book", "Emma")
                _ = same.text("name")
                book.setValue("Changed", forKey: "name")
                try stack.context.save()
                expectEqual(same.text("name"), "Emma")
                same.setValue(5, forKey: "pages")
                expectEqual(thrownError { try other.save() }?.code, 133020)
                other.refresh(same, mergeChanges: true)
                expectEqual(same.text("name"), "Changed")
                expectEqual(same.number("pages"), 5)
                try other.save()
            }
            stack.context.refresh(book, mergeChanges: false)
            expectEqual(book.number("pages"), 5)
            expectEqual(book.objectID, (try on(other, { try other.one("Book", "Changed").objectID })))
        }
    }
}

private func on<T>(_ context: NSManagedObjectContext, _ body: () throws -> T) throws -> T {
    try context.performAndWait { try body() }
}
