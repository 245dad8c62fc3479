import CoreData
import Testing

@Suite("Rows that a save writes or checks")
struct WrittenRowTests {
    // MARK: Changes that no row has

    /// One context changes an object and saves, and the other one saves a change of it afterwards. Both have read the
    /// same row.
    private func expectNoNewVersion(
        _ kind: StoreKind, _ model: NSManagedObjectModel, _ change: (NSManagedObject) throws -> Void
    ) throws {
        try withStack(kind, model: model) { stack in
            stack.context.make("Item", "item")
            try stack.context.save()
            let other = stack.newContext()
            try on(other) {
                let same = try other.one("Item", "item")
                expectEqual(same.text("name"), "item")
                let item = try stack.context.one("Item", "item")
                try change(item)
                expectTrue(stack.context.hasChanges)
                try stack.context.save()
                same.setValue("new", forKey: "name")
                try other.save()
            }
        }
    }

    @Test("a change of a transient attribute is no new version of the row", arguments: StoreKind.allCases)
    func transientAttribute(_ kind: StoreKind) throws {
        let note = attribute("note", .stringAttributeType)
        note.isTransient = true
        try expectNoNewVersion(kind, model([entity("Item", [attribute("name", .stringAttributeType), note])])) {
            $0.setValue("note", forKey: "note")
        }
    }

    @Test("a change of a transient relationship is no new version of the row", arguments: StoreKind.allCases)
    func transientRelationship(_ kind: StoreKind) throws {
        let item = entity("Item")
        let related = toMany("related", item)
        related.isTransient = true
        item.properties = [attribute("name", .stringAttributeType), related]
        try expectNoNewVersion(kind, model([item])) { $0.mutableSetValue(forKey: "related").add($0) }
    }

    @Test(
        "a value that a program gives a derived attribute is no new version of the row", arguments: StoreKind.allCases)
    func derivedAttribute(_ kind: StoreKind) throws {
        let derived = NSDerivedAttributeDescription()
        derived.name = "saved"
        derived.attributeType = .dateAttributeType
        derived.derivationExpression = NSExpression(format: "now()")
        try expectNoNewVersion(kind, model([entity("Item", [attribute("name", .stringAttributeType), derived])])) {
            $0.setValue(Date(timeIntervalSinceReferenceDate: 0), forKey: "saved")
        }
    }

    // MARK: Checked objects

    @Test("a checked object that has left the context is not checked", arguments: StoreKind.allCases)
    func checkedAndDeleted(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            for name in ["a", "b"] { stack.context.make("Tag", name) }
            try stack.context.save()
            let (a, b) = (try stack.context.one("Tag", "a"), try stack.context.one("Tag", "b"))
            stack.context.detectConflicts(for: a)
            let other = stack.newContext()
            try on(other) {
                other.delete(try other.one("Tag", "a"))
                try other.save()
            }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectsKey: [a.objectID]], into: [stack.context])
            expectEqual(a.managedObjectContext, nil)
            b.setValue("new", forKey: "name")
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.names("Tag"), ["new"]) }
        }
    }

    /// This context gives a book an author. The other context has done the same, and this one has read the book again,
    /// so that only the author has a change.
    private func withMemberThatIsThere(
        _ kind: StoreKind, _ body: (TestStack, NSManagedObjectContext, NSManagedObject) throws -> Void
    ) throws {
        try withStack(kind) { stack in
            for name in ["author", "other"] { stack.context.make("Author", name) }
            stack.context.make("Book", "book")
            try stack.context.save()
            let (author, book) = (try stack.context.one("Author", "author"), try stack.context.one("Book", "book"))
            expectEqual(author.names("books"), [])
            let other = stack.newContext()
            try on(other) {
                let same = try other.one("Book", "book")
                book.setValue(author, forKey: "author")
                same.setValue(try other.one("Author", "author"), forKey: "author")
                try other.save()
                stack.context.refresh(book, mergeChanges: true)
                try body(stack, other, same)
            }
        }
    }

    @Test(
        "an added member that refers to its owner already, and was moved since, is a conflict",
        arguments: StoreKind.allCases)
    func movedMember(_ kind: StoreKind) throws {
        try withMemberThatIsThere(kind) { stack, other, book in
            book.setValue(try other.one("Author", "other"), forKey: "author")
            try other.save()
            stack.context.refresh(try stack.context.one("Author", "author"), mergeChanges: true)
            expectEqual(thrownError { try stack.context.save() }?.code, NSManagedObjectMergeError)
            try inFreshContext(stack) {
                try expectEqual($0.one("Book", "book").object("author")?.text("name"), "other")
            }
        }
    }

    @Test("an added member whose own side to many has no change is not checked", arguments: StoreKind.allCases)
    func renamedMember(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            stack.context.make("Book", "book")
            stack.context.make("Tag", "tag")
            try stack.context.save()
            let (book, tag) = (try stack.context.one("Book", "book"), try stack.context.one("Tag", "tag"))
            let other = stack.newContext()
            try on(other) {
                let (same, theirs) = (try other.one("Book", "book"), try other.one("Tag", "tag"))
                book.mutableSetValue(forKey: "tags").add(tag)
                same.mutableSetValue(forKey: "tags").add(theirs)
                try other.save()
                stack.context.refresh(tag, mergeChanges: true)
                theirs.setValue("new", forKey: "name")
                try other.save()
                let error = thrownError { try stack.context.save() }
                expectEqual(error?.mergeConflicts.map(\.sourceObject), [book])
            }
        }
    }

    // MARK: Deleted objects

    @Test("an object is deleted whose row was never read", arguments: StoreKind.everyKind)
    func deletedFault(_ kind: StoreKind) throws {
        let item = entity("Item", [attribute("name", .stringAttributeType)])
        try withStack(kind, model: model([item])) { stack in
            let id = stack.context.make("Item", "item")
            try stack.context.save()
            let other = stack.newContext()
            try on(other) {
                let fault = other.object(with: id.objectID)
                other.delete(fault)
                try other.save()
            }
            try inFreshContext(stack) { try expectEqual($0.names("Item"), []) }
        }
    }

    // MARK: Order

    @Test(
        "new objects of an entity get ascending keys in the order of their insertion",
        arguments: StoreKind.allCases.without(.otherKeys))
    func ascendingKeys(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            var tags: [NSManagedObject] = []
            for number in 0..<20 {
                tags.append(stack.context.make("Tag", "\(number)"))
                stack.context.make("Shelf", "\(number)")
            }
            try stack.context.save()
            let keys = tags.map { Int($0.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0 }
            expectEqual(keys, keys.sorted())
            expectEqual(Set(keys).count, 20)
        }
    }

    // MARK: Stores of other coordinators

    @Test("an object of a store of another coordinator can't be deleted", arguments: StoreKind.allCases)
    func foreignObject(_ kind: StoreKind) throws {
        let other = try TestStack(kind)
        var id: NSManagedObjectID?
        try on(other.context) {
            let tag = other.context.make("Tag", "tag")
            try other.context.save()
            id = tag.objectID
        }
        try withStack(kind) { stack in
            stack.context.delete(stack.context.object(with: try requireValue(id)))
            expectEqual(thrownError { try stack.context.save() }?.code, NSPersistentStoreSaveError)
        }
        try inFreshContext(other) { try expectEqual($0.names("Tag"), ["tag"]) }
    }
}
