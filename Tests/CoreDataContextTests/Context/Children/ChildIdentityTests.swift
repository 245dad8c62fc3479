import CoreData
import Testing

@Suite("Permanent IDs in children")
struct ChildIdentityTests {
    @Test("the root's save gives the objects of all children their permanent IDs", arguments: StoreKind.allCases, 1...3)
    func saving(_ kind: StoreKind, _ depth: Int) throws {
        try withHierarchy(kind, depth: depth) { hierarchy in
            let author = hierarchy.child.make("Author", "Anna")
            let book = hierarchy.child.make("Book", "A", ["author": author])
            let old = book.objectID
            try hierarchy.saveAll()
            // The next read of the child applies the IDs.
            try expectEqual(hierarchy.child.names("Book"), ["A"])
            expectFalse(book.objectID.isTemporaryID)
            expectFalse(author.objectID.isTemporaryID)
            for context in hierarchy.contexts {
                let found = context.registeredObject(for: old) ?? context.object(with: old)
                expectEqual(found.objectID, book.objectID)
                expectEqual(found.text("name"), "A")
                try #expect(context.existingObject(with: old) === found)
                let again = context.object(with: book.objectID)
                #expect(again === found)
            }
            #expect(book.object("author") === author)
            expectEqual(author.names("books"), ["A"])
            expectFalse(book.hasChanges)
            expectEmpty(book.changedValues())
            // The reference has the permanent ID now: setting it again is no change.
            book.setValue(author, forKey: "author")
            expectFalse(book.hasPersistentChangedValues)
        }
    }

    @Test("children get permanent IDs without reading from the parent", arguments: StoreKind.allCases)
    func told(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let child = stack.context.child()
        var book: NSManagedObject!
        try on(child) {
            book = child.make("Book", "A")
            try child.save()
        }
        try on(stack.context) { try stack.context.save() }
        // The save has scheduled the mapping on the children's queues before it returned.
        try on(child) { expectFalse(book.objectID.isTemporaryID) }
    }

    @Test(
        "an unsaved change of the child is kept and saved with the object's permanent ID",
        arguments: StoreKind.allCases)
    func changes(_ kind: StoreKind) throws {
        try withHierarchy(kind) { hierarchy in
            let author = hierarchy.child.make("Author", "Anna")
            let book = hierarchy.child.make("Book", "A")
            try hierarchy.child.save()
            book.setValue(author, forKey: "author")
            book.setValue("B", forKey: "name")
            let new = hierarchy.child.make("Chapter", "1", ["book": book])
            try hierarchy.parent.save()
            try hierarchy.child.save()
            expectFalse(book.objectID.isTemporaryID)
            expectTrue(new.objectID.isTemporaryID)
            try hierarchy.parent.save()
            try inFreshContext(hierarchy.stack) { fresh in
                let found = try fresh.one("Book", "B")
                expectEqual(found.object("author")?.text("name"), "Anna")
                expectEqual(found.names("chapters"), ["1"])
            }
        }
    }

    @Test(
        "a child obtains permanent IDs for its own new objects and for the parent's", arguments: StoreKind.allCases,
        1...2)
    func obtaining(_ kind: StoreKind, _ depth: Int) throws {
        try withHierarchy(kind, depth: depth) { hierarchy in
            let above = hierarchy.root.make("Book", "above")
            let mine = hierarchy.child.make("Book", "mine")
            let seen = try hierarchy.child.one("Book", "above")
            try hierarchy.child.obtainPermanentIDs(for: [mine, seen])
            expectFalse(mine.objectID.isTemporaryID)
            expectFalse(seen.objectID.isTemporaryID)
            expectEqual(above.objectID, seen.objectID)
            expectTrue(mine.isInserted)
            expectTrue(above.isInserted)
            expectFalse(seen.isInserted)
            try expectEqual(hierarchy.child.names("Book"), ["above", "mine"])
            try expectEqual(hierarchy.parent.names("Book"), ["above"])
            try hierarchy.child.save()
            let id = mine.objectID
            try expectEqual(hierarchy.parent.one("Book", "mine").objectID, id)
            try hierarchy.saveAll()
            expectEqual(mine.objectID, id)
            expectEqual(mine.text("name"), "mine")
            try inFreshContext(hierarchy.stack) {
                try expectEqual($0.names("Book"), ["above", "mine"])
                try expectEqual($0.existingObject(with: id).text("name"), "mine")
            }
        }
    }

    @Test("siblings and later children find the objects by ID", arguments: StoreKind.allCases)
    func siblings(_ kind: StoreKind) throws {
        try withHierarchy(kind) { hierarchy in
            let book = hierarchy.child.make("Book", "A")
            let old = book.objectID
            try hierarchy.child.save()
            let sibling = hierarchy.parent.child()
            try on(sibling) {
                let seen = try sibling.one("Book", "A")
                expectEqual(seen.objectID, old)
                try hierarchy.parent.save()
                let late = hierarchy.parent.child()
                try on(late) {
                    try expectEqual(
                        late.existingObject(with: hierarchy.parent.object(with: old).objectID).text("name"), "A")
                }
                #expect(sibling.object(with: old) === seen)
                expectFalse(seen.objectID.isTemporaryID)
            }
        }
    }

    @Test("a later child finds a registered object by its temporary ID", arguments: StoreKind.allCases)
    func lateChild(_ kind: StoreKind) throws {
        try withHierarchy(kind, depth: 1) { hierarchy in
            let book = hierarchy.root.make("Book", "A")
            let old = book.objectID
            try hierarchy.root.save()
            let late = hierarchy.root.child()
            try on(late) {
                let found = late.object(with: old)
                let fetched = try late.one("Book", "A")
                expectEqual(ObjectIdentifier(found), ObjectIdentifier(fetched))
                expectEqual(found.objectID, book.objectID)
            }
        }
    }
}
