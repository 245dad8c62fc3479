import CoreData
import Testing

@Suite("Children delete")
struct ChildDeletingTests {
    private static func fill(_ context: NSManagedObjectContext) {
        let author = context.make("Author", "Anna")
        let publisher = context.make("Publisher", "P")
        for name in ["A", "B"] {
            let book = context.make(
                "Book", name, ["author": author, "publisher": publisher, "cover": context.make("Cover", name)])
            for chapter in ["1", "2"] { context.make("Chapter", name + chapter, ["book": book]) }
            book.mutableSetValue(forKey: "tags").add(context.make("Tag", name))
        }
    }

    private func expectOneBook(_ context: NSManagedObjectContext) throws {
        try #expect(
            context.names("Book") == ["B"] && context.names("Cover") == ["B"]
                && context.names("Chapter") == ["B1", "B2"])
        try #expect(context.names("Tag") == ["A", "B"] && context.one("Tag", "A").names("books") == [])
        try #expect(
            context.one("Author", "Anna").names("books") == ["B"]
                && context.one("Publisher", "P").names("books") == ["B"])
    }

    @Test("delete rules are followed in the child, and their effects go up", arguments: StoreKind.allCases, 1...2)
    func rules(_ kind: StoreKind, _ depth: Int) throws {
        try withFamily(kind, depth: depth, fill: Self.fill) { family in
            family.child.delete(try family.child.one("Book", "A"))
            family.child.processPendingChanges()
            try expectOneBook(family.child)
            try family.saveAll()
            for context in family.contexts { try expectOneBook(context) }
            try inFreshContext(family.stack, expectOneBook)
        }
    }

    @Test("rules reach objects that only the parent has", arguments: StoreKind.allCases, 1...2)
    func unsaved(_ kind: StoreKind, _ depth: Int) throws {
        try withFamily(kind, depth: depth, fill: Self.fill) { family in
            let root = family.root
            let book = try root.one("Book", "A")
            root.make("Chapter", "A3", ["book": book])
            root.make("Book", "C", ["author": try root.one("Author", "Anna"), "cover": root.make("Cover", "C")])
            let child = family.child
            child.delete(try child.one("Book", "A"))
            child.delete(try child.one("Book", "C"))
            try child.save()
            try expectOneBook(family.parent)
            try family.saveAll()
            try expectOneBook(root)
            #expect(root.insertedObjects.isEmpty && !root.hasChanges)
            try inFreshContext(family.stack, expectOneBook)
        }
    }

    @Test("a denied deletion keeps the child from saving, for the parent's objects too", arguments: StoreKind.allCases)
    func deny(_ kind: StoreKind) throws {
        try withFamily(kind, fill: Self.fill) { family in
            family.parent.make("Book", "C", ["publisher": family.parent.make("Publisher", "Q")])
            for name in ["P", "Q"] {
                let publisher = try family.child.one("Publisher", name)
                family.child.delete(publisher)
                #expect(thrownError { try family.child.save() }?.code == 1600)
                family.child.rollback()
                #expect(!family.child.hasChanges && publisher.text("name") == name)
            }
            #expect(family.parent.deletedObjects.isEmpty)
        }
    }

    @Test("what the parent deletes is gone from the child's fetches and relationships", arguments: StoreKind.allCases)
    func parentDeletes(_ kind: StoreKind) throws {
        try withFamily(kind, fill: Self.fill) { family in
            family.parent.delete(try family.parent.one("Book", "A"))
            try expectOneBook(family.child)
            try family.parent.save()
            try expectOneBook(family.child)
        }
    }

    @Test("both delete the same: no conflict", arguments: StoreKind.allCases, [true, false])
    func both(_ kind: StoreKind, _ isSaved: Bool) throws {
        try withFamily(kind, fill: Self.fill) { family in
            family.child.delete(try family.child.one("Book", "A"))
            family.parent.delete(try family.parent.one("Book", "A"))
            if isSaved { try family.parent.save() }
            try family.child.save()
            try family.parent.save()
            for context in family.contexts { try expectOneBook(context) }
        }
    }

    @Test("a deleted new object of the parent is nobody's after the save", arguments: StoreKind.allCases)
    func newOnes(_ kind: StoreKind) throws {
        try withFamily(kind) { family in
            let above = family.parent.make("Book", "new")
            let mine = try family.child.one("Book", "new")
            family.child.delete(mine)
            try #expect(family.child.names("Book") == [])
            #expect(mine.isDeleted && !above.isDeleted)
            try family.child.save()
            #expect(above.managedObjectContext == nil && mine.managedObjectContext == nil)
            #expect(!family.parent.hasChanges)
        }
    }

    @Test("a rollback of the child brings back what it has deleted and changed", arguments: StoreKind.allCases)
    func rollback(_ kind: StoreKind) throws {
        try withFamily(kind, fill: Self.fill) { family in
            let above = family.parent.make("Book", "new", ["author": try family.parent.one("Author", "Anna")])
            let mine = try family.child.one("Book", "new")
            mine.setValue("mine", forKey: "name")
            mine.setValue(nil, forKey: "author")
            family.child.delete(try family.child.one("Book", "A"))
            family.child.make("Book", "only mine")
            family.child.rollback()
            #expect(
                !family.child.hasChanges && mine.text("name") == "new" && mine.object("author")?.text("name") == "Anna")
            try #expect(family.child.names("Book") == ["A", "B", "new"])
            #expect(above.isInserted)
        }
    }
}
