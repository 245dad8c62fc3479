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
        try expectEqual(context.names("Book"), ["B"])
        try expectEqual(context.names("Cover"), ["B"])
        try expectEqual(context.names("Chapter"), ["B1", "B2"])
        try expectEqual(context.names("Tag"), ["A", "B"])
        try expectEqual(context.one("Tag", "A").names("books"), [])
        try expectEqual(context.one("Author", "Anna").names("books"), ["B"])
        try expectEqual(context.one("Publisher", "P").names("books"), ["B"])
    }

    @Test(
        "delete rules apply in the child, and its save applies their effects to the parent",
        arguments: StoreKind.allCases, 1...2)
    func rules(_ kind: StoreKind, _ depth: Int) throws {
        try withHierarchy(kind, depth: depth, fill: Self.fill) { hierarchy in
            hierarchy.child.delete(try hierarchy.child.one("Book", "A"))
            hierarchy.child.processPendingChanges()
            try expectOneBook(hierarchy.child)
            try hierarchy.saveAll()
            for context in hierarchy.contexts { try expectOneBook(context) }
            try inFreshContext(hierarchy.stack, expectOneBook)
        }
    }

    @Test("rules reach objects that only the parent has", arguments: StoreKind.allCases, 1...2)
    func unsaved(_ kind: StoreKind, _ depth: Int) throws {
        try withHierarchy(kind, depth: depth, fill: Self.fill) { hierarchy in
            let root = hierarchy.root
            let book = try root.one("Book", "A")
            root.make("Chapter", "A3", ["book": book])
            root.make("Book", "C", ["author": try root.one("Author", "Anna"), "cover": root.make("Cover", "C")])
            let child = hierarchy.child
            child.delete(try child.one("Book", "A"))
            child.delete(try child.one("Book", "C"))
            try child.save()
            try expectOneBook(hierarchy.parent)
            try hierarchy.saveAll()
            try expectOneBook(root)
            expectEmpty(root.insertedObjects)
            expectFalse(root.hasChanges)
            try inFreshContext(hierarchy.stack, expectOneBook)
        }
    }

    @Test("a denied deletion prevents the child's save, for the parent's objects too", arguments: StoreKind.allCases)
    func deny(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            hierarchy.parent.make("Book", "C", ["publisher": hierarchy.parent.make("Publisher", "Q")])
            for name in ["P", "Q"] {
                let publisher = try hierarchy.child.one("Publisher", name)
                hierarchy.child.delete(publisher)
                expectEqual(thrownError { try hierarchy.child.save() }?.code, 1600)
                hierarchy.child.rollback()
                expectFalse(hierarchy.child.hasChanges)
                expectEqual(publisher.text("name"), name)
            }
            expectEmpty(hierarchy.parent.deletedObjects)
        }
    }

    @Test(
        "objects that the parent deletes are not in the child's fetches and relationships",
        arguments: StoreKind.allCases)
    func parentDeletes(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            hierarchy.parent.delete(try hierarchy.parent.one("Book", "A"))
            try expectOneBook(hierarchy.child)
            try hierarchy.parent.save()
            try expectOneBook(hierarchy.child)
        }
    }

    @Test("a deletion in both contexts is no conflict", arguments: StoreKind.allCases, [true, false])
    func both(_ kind: StoreKind, _ isSaved: Bool) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            hierarchy.child.delete(try hierarchy.child.one("Book", "A"))
            hierarchy.parent.delete(try hierarchy.parent.one("Book", "A"))
            if isSaved { try hierarchy.parent.save() }
            try hierarchy.child.save()
            try hierarchy.parent.save()
            for context in hierarchy.contexts { try expectOneBook(context) }
        }
    }

    @Test(
        "a new object of the parent that the child deletes does not exist after the save", arguments: StoreKind.allCases
    )
    func newOnes(_ kind: StoreKind) throws {
        try withHierarchy(kind) { hierarchy in
            let above = hierarchy.parent.make("Book", "new")
            let mine = try hierarchy.child.one("Book", "new")
            hierarchy.child.delete(mine)
            try expectEqual(hierarchy.child.names("Book"), [])
            expectTrue(mine.isDeleted)
            expectFalse(above.isDeleted)
            try hierarchy.child.save()
            expectEqual(above.managedObjectContext, nil)
            expectEqual(mine.managedObjectContext, nil)
            expectFalse(hierarchy.parent.hasChanges)
        }
    }

    @Test("a rollback of the child restores deleted and changed objects", arguments: StoreKind.allCases)
    func rollback(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            let above = hierarchy.parent.make("Book", "new", ["author": try hierarchy.parent.one("Author", "Anna")])
            let mine = try hierarchy.child.one("Book", "new")
            mine.setValue("mine", forKey: "name")
            mine.setValue(nil, forKey: "author")
            hierarchy.child.delete(try hierarchy.child.one("Book", "A"))
            hierarchy.child.make("Book", "only mine")
            hierarchy.child.rollback()
            expectFalse(hierarchy.child.hasChanges)
            expectEqual(mine.text("name"), "new")
            expectEqual(mine.object("author")?.text("name"), "Anna")
            try expectEqual(hierarchy.child.names("Book"), ["A", "B", "new"])
            expectTrue(above.isInserted)
        }
    }
}
