import CoreData
import Testing

@Suite("Children read from their ancestors")
struct ChildReadingTests {
    private static func fill(_ context: NSManagedObjectContext) {
        let author = context.make("Author", "Anna")
        for (index, name) in ["A", "B", "C", "D"].enumerated() {
            context.make("Book", name, ["pages": index, "author": author])
        }
    }

    @Test("a fetch finds the objects of the store", arguments: StoreKind.allCases, 1...3)
    func stored(_ kind: StoreKind, _ depth: Int) throws {
        try withHierarchy(kind, depth: depth, fill: Self.fill) { hierarchy in
            try expectEqual(hierarchy.child.names("Book"), ["A", "B", "C", "D"])
            try expectEqual(hierarchy.child.one("Book", "B").object("author")?.text("name"), "Anna")
            try expectEqual(hierarchy.child.one("Author", "Anna").names("books"), ["A", "B", "C", "D"])
            expectEmpty(hierarchy.root.registeredObjects)
        }
    }

    @Test(
        "a fetch includes the unsaved changes of every ancestor: new, changed and deleted objects",
        arguments: StoreKind.allCases, 1...3)
    func pending(_ kind: StoreKind, _ depth: Int) throws {
        try withHierarchy(kind, depth: depth, fill: Self.fill) { hierarchy in
            let root = hierarchy.root
            let child = hierarchy.child
            root.make("Book", "E", ["pages": 9])
            try root.one("Book", "A").setValue("Z", forKey: "name")
            root.delete(try root.one("Book", "B"))
            try expectEqual(child.names("Book"), ["C", "D", "E", "Z"])
            try expectEqual(child.names("Book", "pages < 3"), ["C", "Z"])
            try expectEqual(child.names("Book", "name == 'A'"), [])
            try expectEqual(
                child.all("Book", sort: [down("name")], limit: 2, offset: 1).map { $0.text("name") }, ["E", "D"])
            try expectEqual(child.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")), 4)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "pages > 1")
            request.fetchLimit = 2
            try expectEqual(child.count(for: request), 2)
            request.fetchLimit = 0
            request.includesPendingChanges = false
            try expectEqual(child.count(for: request), 2)
            expectFalse(child.hasChanges)
        }
    }

    @Test(
        "for an object that several contexts have changed, the nearest values are read", arguments: StoreKind.allCases)
    func nearest(_ kind: StoreKind) throws {
        try withHierarchy(kind, depth: 2, fill: Self.fill) { hierarchy in
            try hierarchy.root.one("Book", "A").setValue("root", forKey: "name")
            try hierarchy.parent.one("Book", "root").setValue("parent", forKey: "name")
            try expectEqual(hierarchy.child.names("Book", "name IN {'root', 'parent', 'A'}"), ["parent"])
            try hierarchy.child.one("Book", "parent").setValue("child", forKey: "name")
            try expectEqual(hierarchy.child.names("Book", "name IN {'root', 'parent', 'child', 'A'}"), ["child"])
            hierarchy.parent.delete(try hierarchy.parent.one("Book", "B"))
            try hierarchy.root.one("Book", "B").setValue("kept above", forKey: "name")
            try expectEqual(hierarchy.child.names("Book"), ["C", "D", "child"])
            try expectEqual(hierarchy.parent.names("Book"), ["C", "D", "parent"])
            try expectEqual(hierarchy.root.names("Book"), ["C", "D", "kept above", "root"])
        }
    }

    @Test("predicates compare with objects of the child, new ones of the parent too", arguments: StoreKind.allCases)
    func objectsInPredicates(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            let bea = hierarchy.parent.make("Author", "Bea")
            hierarchy.parent.make("Book", "E", ["author": bea])
            try hierarchy.parent.one("Book", "A").setValue(bea, forKey: "author")
            let mine = try hierarchy.child.one("Author", "Bea")
            let anna = try hierarchy.child.one("Author", "Anna")
            try expectEqual(hierarchy.child.names("Book", "author == %@", [mine]), ["A", "E"])
            try expectEqual(hierarchy.child.names("Book", "author == %@", [anna]), ["B", "C", "D"])
            try expectEqual(hierarchy.child.names("Author", "ANY books.name == 'E'"), ["Bea"])
            expectTrue(mine.objectID.isTemporaryID)
            expectEqual(mine.objectID, bea.objectID)
            #expect(mine !== bea)
            expectFalse(mine.isInserted)
            expectFalse(mine.hasChanges)
            expectFalse(mine.isFault)
        }
    }

    @Test("relationships of every kind have the contents of the nearest context", arguments: StoreKind.allCases, 1...3)
    func relationships(_ kind: StoreKind, _ depth: Int) throws {
        func fill(_ context: NSManagedObjectContext) {
            Self.fill(context)
            let tags = ["s", "t"].map { context.make("Tag", $0) }
            let book = context.make("Book", "X")
            book.setValue(Set(tags), forKey: "tags")
            for name in ["one", "two", "three"] { context.make("Chapter", name, ["book": book]) }
            let shelf = context.make("Shelf", "top")
            shelf.mutableOrderedSetValue(forKey: "items").addObjects(from: [book, context.make("Book", "Y")])
            context.make("Reader", "R", ["favourite": book]).setValue(NSSet(object: book), forKey: "wishes")
        }
        try withHierarchy(kind, depth: depth, fill: fill) { hierarchy in
            let root = hierarchy.root
            let child = hierarchy.child
            let book = try root.one("Book", "X")
            root.make("Chapter", "four", ["book": book])
            book.mutableOrderedSetValue(forKey: "chapters").moveObjects(at: IndexSet(integer: 0), to: 2)
            book.mutableSetValue(forKey: "tags").remove(try root.one("Tag", "s"))
            book.mutableSetValue(forKey: "tags").add(root.make("Tag", "u"))
            book.setValue(root.make("Cover", "red"), forKey: "cover")
            try root.one("Shelf", "top").mutableOrderedSetValue(forKey: "items").insert(root.make("Book", "W"), at: 0)
            try root.one("Reader", "R").mutableSetValue(forKey: "wishes").add(try root.one("Book", "A"))
            try root.one("Book", "B").setValue(nil, forKey: "author")

            let mine = try child.one("Book", "X")
            expectEqual(mine.names("chapters"), ["two", "three", "one", "four"])
            expectEqual(mine.names("tags"), ["t", "u"])
            expectEqual(mine.object("cover")?.text("name"), "red")
            #expect(mine.object("cover")?.object("book") === mine)
            try expectEqual(child.one("Shelf", "top").names("items"), ["W", "X", "Y"])
            let wishes = try child.one("Reader", "R").names("wishes")
            expectEqual(wishes, ["A", "X"])
            try expectEqual(child.one("Author", "Anna").names("books"), ["A", "C", "D"])
            try expectEqual(child.one("Tag", "u").names("books"), ["X"])
            try expectEqual(child.one("Tag", "s").names("books"), [])
            expectFalse(child.hasChanges)
        }
    }

    @Test(
        "contents that the parent has changed but not loaded are the store's with the changes",
        arguments: StoreKind.allCases)
    func unloaded(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            // Only the to-many side is changed.
            let author = try hierarchy.parent.one("Author", "Anna")
            try hierarchy.parent.one("Book", "A").setValue(nil, forKey: "author")
            hierarchy.parent.make("Book", "E", ["author": author])
            expectTrue(author.hasFault(forRelationshipNamed: "books"))
            try expectEqual(hierarchy.child.one("Author", "Anna").names("books"), ["B", "C", "D", "E"])
            expectTrue(author.hasFault(forRelationshipNamed: "books"))
        }
    }

    @Test(
        "a fault reads the parent's current values, also if the fetch preceded the change",
        arguments: StoreKind.allCases, 1...2)
    func faults(_ kind: StoreKind, _ depth: Int) throws {
        try withHierarchy(kind, depth: depth, fill: Self.fill) { hierarchy in
            let books = try hierarchy.child.all("Book", sort: [up("name")])
            let areFaults = books.allSatisfy { $0.isFault }
            expectTrue(areFaults)
            let changed = try hierarchy.root.one("Book", "A")
            changed.setValue("later", forKey: "name")
            expectEqual(books[0].text("name"), "later")
            changed.setValue("too late", forKey: "name")
            expectEqual(books[0].text("name"), "later")
            expectEqual(books[1].text("name"), "B")
            hierarchy.root.delete(try hierarchy.root.one("Book", "C"))
            hierarchy.root.processPendingChanges()
            expectEqual(books[2].text("name"), nil)
            expectTrue(books[2].isDeleted)
        }
    }

    @Test(
        "an object is found by its ID, a new one of the parent by its temporary ID", arguments: StoreKind.allCases,
        1...2)
    func identifiers(_ kind: StoreKind, _ depth: Int) throws {
        try withHierarchy(kind, depth: depth, fill: Self.fill) { hierarchy in
            let new = hierarchy.root.make("Book", "new")
            let id = new.objectID
            let mine = try hierarchy.child.existingObject(with: id)
            expectEqual(mine.text("name"), "new")
            expectEqual(mine.objectID, id)
            expectTrue(id.isTemporaryID)
            let again = hierarchy.child.object(with: id)
            #expect(again === mine)
            hierarchy.root.delete(new)
            hierarchy.root.processPendingChanges()
            #expect(hierarchy.child.registeredObject(for: id) === mine)
            let other = hierarchy.root.child()
            try on(other) { expectEqual(thrownError { _ = try other.existingObject(with: id) }?.code, 133000) }
        }
    }

    @Test("every result type, and an asynchronous fetch, includes the parent's changes", arguments: StoreKind.allCases)
    func kinds(_ kind: StoreKind) async throws {
        let stack = try TestStack(kind)
        let child = stack.context.child()
        try on(stack.context) {
            Self.fill(stack.context)
            try stack.context.save()
            stack.context.make("Book", "E")
            stack.context.delete(try stack.context.one("Book", "A"))
        }
        try on(child) {
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            ids.resultType = .managedObjectIDResultType
            try expectEqual(
                child.fetch(ids).map { child.object(with: $0).text("name") ?? "" }.sorted(), ["B", "C", "D", "E"])
            let count = NSFetchRequest<NSNumber>(entityName: "Book")
            count.resultType = .countResultType
            try expectEqual(child.fetch(count), [4])
            // Dictionaries contain the store's values, as in every context.
            try expectEqual(
                child.texts(dictionaryRequest("Book", ["name"], sort: [up("name")])),
                [
                    "name=A", "name=B", "name=C", "name=D",
                ])
            let batches = NSFetchRequest<NSManagedObject>(entityName: "Book")
            batches.fetchBatchSize = 2
            batches.sortDescriptors = [up("name")]
            try expectEqual(child.fetch(batches).map { $0.text("name") }, ["B", "C", "D", "E"])
            let partial = NSFetchRequest<NSManagedObject>(entityName: "Book")
            partial.propertiesToFetch = ["name"]
            partial.sortDescriptors = [up("name")]
            try expectEqual(child.fetch(partial).map { $0.text("name") }, ["B", "C", "D", "E"])
        }
        let names = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<[String], any Error>) in
            child.perform {
                let request = NSAsynchronousFetchRequest<NSManagedObject>(
                    fetchRequest: NSFetchRequest(entityName: "Book")
                ) { result in
                    if let error = result.operationError { return continuation.resume(throwing: error) }
                    continuation.resume(returning: (result.finalResult ?? []).map { $0.text("name") ?? "" }.sorted())
                }
                do { try child.execute(request) } catch { continuation.resume(throwing: error) }
            }
        }
        expectEqual(names, ["B", "C", "D", "E"])
    }

    @Test(
        "prefetching reads contents and values that the parent has changed from the parent",
        arguments: StoreKind.allCases
    )
    func prefetching(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            let parent = hierarchy.parent
            let child = hierarchy.child
            let author = try parent.one("Author", "Anna")
            try parent.one("Book", "A").setValue("A changed", forKey: "name")
            try parent.one("Book", "B").setValue(nil, forKey: "author")
            parent.make("Book", "E", ["author": author])
            parent.make("Book", "F", ["author": parent.make("Author", "Bea")])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.relationshipKeyPathsForPrefetching = ["books"]
            request.sortDescriptors = [up("name")]
            let found = try child.fetch(request)
            expectEqual(found.map { $0.names("books") }, [["A changed", "C", "D", "E"], ["F"]])
            let books = NSFetchRequest<NSManagedObject>(entityName: "Book")
            books.relationshipKeyPathsForPrefetching = ["author"]
            books.sortDescriptors = [up("name")]
            try expectEqual(
                child.fetch(books).map { $0.object("author")?.text("name") },
                [
                    "Anna", nil, "Anna", "Anna", "Anna", "Bea",
                ])
        }
    }

    @Test("fetched properties and fetches in predicates include the parent's changes", arguments: StoreKind.allCases)
    func innerFetches(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            hierarchy.parent.make("Book", "E", ["pages": 7])
            try hierarchy.parent.one("Book", "A").setValue(7, forKey: "pages")
            let inner = NSFetchRequest<NSManagedObject>(entityName: "Author")
            let expression = NSFetchRequestExpression.expression(
                forFetch: NSExpression(forConstantValue: inner),
                context: NSExpression(forConstantValue: hierarchy.child),
                countOnly: false)
            let predicate = NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: "author"), rightExpression: expression, modifier: .direct,
                type: .in)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
                predicate, NSPredicate(format: "pages == 7"),
            ])
            try expectEqual(hierarchy.child.fetch(request).map { $0.text("name") }, ["A"])
        }
    }

    @Test(
        "a child reads values that the parent has read, even if the store has newer ones",
        arguments: StoreKind.allCases)
    func parentsValues(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            let book = try hierarchy.parent.one("Book", "A")
            expectEqual(book.number("pages"), 0)
            let other = hierarchy.stack.newContext()
            try on(other) {
                try other.one("Book", "A").setValue(50, forKey: "pages")
                try other.one("Book", "B").setValue(51, forKey: "pages")
                try other.save()
            }
            try expectEqual(hierarchy.child.one("Book", "A").number("pages"), 0)
            try expectEqual(hierarchy.child.one("Book", "B").number("pages"), 51)
        }
    }

    @Test("a predicate that can't be evaluated throws an error", arguments: StoreKind.allCases)
    func badPredicate(_ kind: StoreKind) throws {
        try withHierarchy(kind, fill: Self.fill) { hierarchy in
            hierarchy.parent.make("Book", "E")
            let error = thrownError { _ = try hierarchy.child.names("Book", "colour == 1") }
            #expect(error != nil)
        }
    }
}
