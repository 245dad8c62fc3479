import CoreData
import Testing

@Suite("Permanent IDs come down to children")
struct ChildIdentityTests {
    @Test("the root's save gives the objects of all children their permanent IDs", arguments: StoreKind.allCases, 1...3)
    func saving(_ kind: StoreKind, _ depth: Int) throws {
        try withFamily(kind, depth: depth) { family in
            let author = family.child.make("Author", "Anna")
            let book = family.child.make("Book", "A", ["author": author])
            let old = book.objectID
            try family.saveAll()
            // What the child asks next brings the IDs.
            try #expect(family.child.names("Book") == ["A"])
            #expect(!book.objectID.isTemporaryID && !author.objectID.isTemporaryID)
            for context in family.contexts {
                let found = context.registeredObject(for: old) ?? context.object(with: old)
                #expect(found.objectID == book.objectID && found.text("name") == "A")
                try #expect(context.existingObject(with: old) === found)
                let again = context.object(with: book.objectID)
                #expect(again === found)
            }
            #expect(book.object("author") === author && author.names("books") == ["A"])
            #expect(!book.hasChanges && book.changedValues().isEmpty)
            // The reference names the permanent ID now: setting it again is no change.
            book.setValue(author, forKey: "author")
            #expect(!book.hasPersistentChangedValues)
        }
    }

    @Test("children are told, also if they ask nothing", arguments: StoreKind.allCases)
    func told(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let child = stack.context.child()
        var book: NSManagedObject!
        try on(child) {
            book = child.make("Book", "A")
            try child.save()
        }
        try on(stack.context) { try stack.context.save() }
        // The children's part was put on their queues before the save returned.
        try on(child) { #expect(!book.objectID.isTemporaryID) }
    }

    @Test(
        "an unsaved change of the child survives its object's permanent ID, and is saved under it",
        arguments: StoreKind.allCases)
    func changes(_ kind: StoreKind) throws {
        try withFamily(kind) { family in
            let author = family.child.make("Author", "Anna")
            let book = family.child.make("Book", "A")
            try family.child.save()
            book.setValue(author, forKey: "author")
            book.setValue("B", forKey: "name")
            let new = family.child.make("Chapter", "1", ["book": book])
            try family.parent.save()
            try family.child.save()
            #expect(!book.objectID.isTemporaryID && new.objectID.isTemporaryID)
            try family.parent.save()
            try inFreshContext(family.stack) { fresh in
                let found = try fresh.one("Book", "B")
                #expect(found.object("author")?.text("name") == "Anna" && found.names("chapters") == ["1"])
            }
        }
    }

    @Test(
        "a child obtains permanent IDs for its own new objects and for the parent's", arguments: StoreKind.allCases,
        1...2)
    func obtaining(_ kind: StoreKind, _ depth: Int) throws {
        try withFamily(kind, depth: depth) { family in
            let above = family.root.make("Book", "above")
            let mine = family.child.make("Book", "mine")
            let seen = try family.child.one("Book", "above")
            try family.child.obtainPermanentIDs(for: [mine, seen])
            #expect(!mine.objectID.isTemporaryID && !seen.objectID.isTemporaryID && above.objectID == seen.objectID)
            #expect(mine.isInserted && above.isInserted && !seen.isInserted)
            try #expect(family.child.names("Book") == ["above", "mine"] && family.parent.names("Book") == ["above"])
            try family.child.save()
            let id = mine.objectID
            try #expect(family.parent.one("Book", "mine").objectID == id)
            try family.saveAll()
            #expect(mine.objectID == id && mine.text("name") == "mine")
            try inFreshContext(family.stack) {
                try #expect(
                    $0.names("Book") == ["above", "mine"] && $0.existingObject(with: id).text("name") == "mine")
            }
        }
    }

    @Test("siblings and later children know the objects by their IDs", arguments: StoreKind.allCases)
    func siblings(_ kind: StoreKind) throws {
        try withFamily(kind) { family in
            let book = family.child.make("Book", "A")
            let old = book.objectID
            try family.child.save()
            let sibling = family.parent.child()
            try on(sibling) {
                let seen = try sibling.one("Book", "A")
                #expect(seen.objectID == old)
                try family.parent.save()
                let late = family.parent.child()
                try on(late) {
                    try #expect(late.existingObject(with: family.parent.object(with: old).objectID).text("name") == "A")
                }
                #expect(sibling.object(with: old) === seen && !seen.objectID.isTemporaryID)
            }
        }
    }

    @Test("a child that came later knows an object by its old ID as the one it has", arguments: StoreKind.allCases)
    func lateChild(_ kind: StoreKind) throws {
        try withFamily(kind, depth: 1) { family in
            let book = family.root.make("Book", "A")
            let old = book.objectID
            try family.root.save()
            let late = family.root.child()
            try on(late) {
                let found = late.object(with: old)
                let fetched = try late.one("Book", "A")
                #expect(ObjectIdentifier(found) == ObjectIdentifier(fetched) && found.objectID == book.objectID)
            }
        }
    }
}
