import CoreData
import Testing

@Suite("Children merge and refresh")
struct ChildMergingTests {
    private static func fill(_ context: NSManagedObjectContext) {
        for (index, name) in ["A", "B", "C"].enumerated() { context.make("Book", name, ["pages": index]) }
    }

    @Test(
        "a refreshed object has the parent's values, and keeps unsaved changes with mergeChanges",
        arguments: StoreKind.allCases, 1...2)
    func refreshing(_ kind: StoreKind, _ depth: Int) throws {
        try withHierarchy(kind, depth: depth, fill: Self.fill) { hierarchy in
            let mine = try hierarchy.child.one("Book", "A")
            let above = try hierarchy.root.one("Book", "A")
            mine.setValue("mine", forKey: "name")
            above.setValue(10, forKey: "pages")
            above.setValue("above", forKey: "name")
            let new = hierarchy.root.make("Tag", "t")
            above.mutableSetValue(forKey: "tags").add(new)
            hierarchy.child.refresh(mine, mergeChanges: true)
            expectEqual(mine.text("name"), "mine")
            expectEqual(mine.number("pages"), 10)
            expectEqual(mine.names("tags"), ["t"])
            expectTrue(mine.isUpdated)
            expectEqual(mine.changedValues().keys.sorted(), ["name"])
            hierarchy.child.refresh(mine, mergeChanges: false)
            expectTrue(mine.isFault)
            expectFalse(hierarchy.child.hasChanges)
            expectEqual(mine.text("name"), "above")
            let tag = try hierarchy.child.one("Tag", "t")
            expectEqual(tag.text("name"), "t")
            new.setValue("u", forKey: "name")
            expectEqual(tag.text("name"), "t")
            hierarchy.child.refreshAllObjects()
            expectEqual(tag.text("name"), "u")
            expectEqual(tag.names("books"), ["above"])
        }
    }

    @Test("shouldRefreshRefetchedObjects reads the parent's values", arguments: StoreKind.allCases)
    func refetching(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            let mine = try hierarchy.child.all("Book", sort: [up("pages")])
            for book in mine { _ = book.text("name") }
            for book in try hierarchy.parent.all("Book") { book.setValue(book.text("name")! + "!", forKey: "name") }
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.sortDescriptors = [up("pages")]
            try expectEqual(hierarchy.child.fetch(request).map { $0.text("name") }, ["A", "B", "C"])
            request.shouldRefreshRefetchedObjects = true
            try expectEqual(hierarchy.child.fetch(request).map { $0.text("name") }, ["A!", "B!", "C!"])
        }
    }

    @Test(
        "shouldRefreshRefetchedObjects includes objects that match only by the parent's unsaved changes",
        arguments: StoreKind.allCases)
    func refetchingMatches(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            let new = hierarchy.parent.make("Book", "new", ["pages": 0])
            let above = try hierarchy.parent.one("Book", "A")
            let mine = try hierarchy.child.all("Book")
            for book in mine { _ = book.text("name") }
            new.setValue("x", forKey: "name")
            above.setValue("x", forKey: "name")
            above.setValue(9, forKey: "pages")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "name == 'x'")
            request.sortDescriptors = [up("pages")]
            request.shouldRefreshRefetchedObjects = true
            let found = try hierarchy.child.fetch(request)
            expectEqual(found.map(\.objectID), [new.objectID, above.objectID])
            #expect(found.allSatisfy { $0.text("name") == "x" && !$0.hasChanges })
        }
    }

    @Test(
        "a child merges its siblings' saves, its parent's saves and the parent's merges automatically",
        arguments: StoreKind.allCases)
    func automatic(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let parent = stack.context
        let child = parent.child()
        let sibling = parent.child()
        let other = stack.newContext()
        child.automaticallyMergesChangesFromParent = true
        var books: [NSManagedObject] = []
        var new: NSManagedObjectID!
        try on(parent) {
            Self.fill(parent)
            try parent.save()
        }
        try on(child) {
            books = try child.all("Book", sort: [up("pages")])
            expectEqual(books.map { $0.text("name") }, ["A", "B", "C"])
            books[2].setValue("mine", forKey: "name")
        }
        // A sibling saves into the parent.
        try on(sibling) {
            try sibling.one("Book", "A").setValue("sibling", forKey: "name")
            try sibling.one("Book", "C").setValue(22, forKey: "pages")
            sibling.delete(try sibling.one("Book", "B"))
            new = sibling.make("Book", "N").objectID
            try sibling.save()
        }
        try on(child) {
            expectEqual(books[0].text("name"), "sibling")
            expectEqual(books[1].managedObjectContext, nil)
            expectEqual(books[2].text("name"), "mine")
            expectEqual(books[2].number("pages"), 22)
            try expectEqual(child.existingObject(with: new).text("name"), "N")
        }
        // The parent saves its changes.
        try on(parent) {
            try parent.one("Book", "sibling").setValue("parent", forKey: "name")
            try parent.save()
        }
        try on(child) {
            expectEqual(books[0].text("name"), "parent")
            expectFalse(child.object(with: new).objectID.isTemporaryID)
        }
        // The parent merges another context's save.
        parent.automaticallyMergesChangesFromParent = true
        try on(other) {
            try other.one("Book", "parent").setValue("other", forKey: "name")
            try other.save()
        }
        try on(parent) {}
        try on(child) { expectEqual(books[0].text("name"), "other") }
        child.automaticallyMergesChangesFromParent = false
        try on(sibling) {
            try sibling.one("Book", "other").setValue("last", forKey: "name")
            try sibling.save()
        }
        try on(child) { expectEqual(books[0].text("name"), "other") }
    }

    @Test("a merge reaches several levels of children", arguments: StoreKind.allCases)
    func deep(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let root = stack.context
        let middle = root.child()
        let child = middle.child()
        let other = stack.newContext()
        for context in [root, middle, child] { context.automaticallyMergesChangesFromParent = true }
        try on(other) {
            Self.fill(other)
            try other.save()
        }
        var book: NSManagedObject!
        try on(child) {
            book = try child.one("Book", "A")
            expectEqual(book.number("pages"), 0)
        }
        try on(other) {
            try other.one("Book", "A").setValue(5, forKey: "pages")
            try other.save()
        }
        for context in [root, middle] { try on(context) {} }
        try on(child) { expectEqual(book.number("pages"), 5) }
    }

    @Test("a child merges its parent's and its sibling's save by notification", arguments: StoreKind.allCases)
    func byHand(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            let sibling = hierarchy.parent.child()
            try on(sibling) {
                let books = try hierarchy.child.all("Book", sort: [up("pages")])
                expectEqual(books.map { $0.text("name") }, ["A", "B", "C"])
                let saves = NotificationLog(.NSManagedObjectContextDidSave, of: sibling)
                try sibling.one("Book", "A").setValue("X", forKey: "name")
                sibling.delete(try sibling.one("Book", "B"))
                sibling.make("Book", "new")
                try sibling.save()
                let changes = NotificationLog(.NSManagedObjectContextObjectsDidChange, of: hierarchy.child)
                hierarchy.child.mergeChanges(fromContextDidSave: saves.entries[0])
                expectEqual(books[0].text("name"), "X")
                expectEqual(books[1].managedObjectContext, nil)
                expectEqual(changes.entries.count, 1)
                expectEqual(changes.names(NSInsertedObjectsKey), ["new"])
                // The parent has all these changes already.
                hierarchy.parent.mergeChanges(fromContextDidSave: saves.entries[0])
                try expectEqual(hierarchy.parent.names("Book"), ["C", "X", "new"])
            }
        }
    }

    @Test("a fetched results controller reports changes of a child", arguments: StoreKind.allCases)
    func controller(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let parent = stack.context
        let child = parent.child()
        let sibling = parent.child()
        child.automaticallyMergesChangesFromParent = true
        try on(parent) { Self.fill(parent) }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [up("name")]
        var controller: NSFetchedResultsController<NSManagedObject>!
        let recorder = CountingDelegate()
        try on(child) {
            controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: child, sectionNameKeyPath: nil, cacheName: nil)
            controller.delegate = recorder
            try controller.performFetch()
            expectEqual(controller.fetchedObjects?.map { $0.text("name") }, ["A", "B", "C"])
        }
        try on(sibling) {
            sibling.make("Book", "AA")
            try sibling.one("Book", "C").setValue("0", forKey: "name")
            sibling.delete(try sibling.one("Book", "B"))
            try sibling.save()
        }
        try on(child) {
            expectEqual(controller.fetchedObjects?.map { $0.text("name") }, ["0", "A", "AA"])
            expectEqual(recorder.count, 1)
        }
        try on(parent) { try parent.save() }
        try on(child) {
            expectEqual(controller.fetchedObjects?.map { $0.text("name") }, ["0", "A", "AA"])
            child.make("Book", "D")
            child.processPendingChanges()
            expectEqual(controller.fetchedObjects?.map { $0.text("name") }, ["0", "A", "AA", "D"])
            controller = nil
        }
    }
}

private final class CountingDelegate: NSObject, NSFetchedResultsControllerDelegate {
    var count = 0

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) { count += 1 }
}
