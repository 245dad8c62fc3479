import CoreData
import Testing

@Suite("A pinned context reads its generation while other contexts write")
struct PinnedReadingTests {
    private func withChangedLibrary(_ writer: PinnedLibrary.Writer, _ body: (NSManagedObjectContext) throws -> Void)
        throws
    {
        let library = try PinnedLibrary()
        try library.pin()
        try library.change(writer)
        try on(library.pinned) { try body(library.pinned) }
    }

    @Test("in fetches of objects, by predicate and in order", arguments: PinnedLibrary.Writer.allCases)
    func fetches(_ writer: PinnedLibrary.Writer) throws {
        try withChangedLibrary(writer) { context in
            try expectEqual(context.names("Book"), ["Emma", "Persuasion"])
            try expectEqual(context.names("Book", "author.name == 'Jane' AND pages < 250"), ["Persuasion"])
            try expectEqual(context.names("Book", "author.name == 'Austen'"), [])
            let sorted = try context.all("Book", sort: [NSSortDescriptor(key: "pages", ascending: false)])
            expectEqual(sorted.map { $0.text("name") }, ["Emma", "Persuasion"])
            expectEqual(sorted.map { $0.number("pages") }, [300, 200])
        }
    }

    @Test("in faults and to-one relationships", arguments: PinnedLibrary.Writer.allCases)
    func faults(_ writer: PinnedLibrary.Writer) throws {
        let library = try PinnedLibrary()
        let context = library.pinned
        try library.pin()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.includesPropertyValues = false
        let books = try context.performAndWait { UnsafeSender(try context.fetch(request)) }.value
        try library.change(writer)
        try on(context) {
            #expect(books.allSatisfy { $0.isFault })
            expectEqual(Set(books.map { $0.text("name") }), ["Emma", "Persuasion"])
            let emma = try context.one("Book", "Emma")
            expectEqual(emma.object("author")?.text("name"), "Jane")
            expectEqual(emma.object("cover")?.text("name"), "red")
        }
    }

    @Test("in to-many relationships", arguments: PinnedLibrary.Writer.allCases)
    func toMany(_ writer: PinnedLibrary.Writer) throws {
        try withChangedLibrary(writer) { context in
            let emma = try context.one("Book", "Emma")
            expectEqual(emma.names("chapters"), ["one", "two"])
            expectEqual(emma.names("tags"), ["old"])
            expectEqual(emma.object("author")?.names("books"), ["Emma", "Persuasion"])
        }
    }

    @Test("in prefetched relationships", arguments: PinnedLibrary.Writer.allCases)
    func prefetching(_ writer: PinnedLibrary.Writer) throws {
        try withChangedLibrary(writer) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "name == 'Emma'")
            request.relationshipKeyPathsForPrefetching = ["author.books", "chapters", "tags", "cover"]
            let emma = try context.fetch(request)[0]
            expectEqual(emma.names("chapters"), ["one", "two"])
            expectEqual(emma.names("tags"), ["old"])
            expectEqual(emma.object("cover")?.text("name"), "red")
            expectEqual(emma.object("author")?.names("books"), ["Emma", "Persuasion"])
        }
    }

    @Test("in batches that are fetched on demand", arguments: PinnedLibrary.Writer.allCases)
    func batches(_ writer: PinnedLibrary.Writer) throws {
        let library = try PinnedLibrary()
        let context = library.pinned
        try library.pin()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchBatchSize = 1
        let books = try context.performAndWait { UnsafeSender(try context.fetch(request)) }.value
        try library.change(writer)
        try on(context) {
            expectEqual(books.map { $0.text("name") }, ["Emma", "Persuasion"])
            expectEqual(books.map { $0.number("pages") }, [300, 200])
        }
    }

    @Test("in counts, IDs and dictionaries", arguments: PinnedLibrary.Writer.allCases)
    func otherResults(_ writer: PinnedLibrary.Writer) throws {
        let library = try PinnedLibrary()
        let context = library.pinned
        try library.pin()
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
        ids.resultType = .managedObjectIDResultType
        let before = try context.performAndWait { Set(try context.fetch(ids)) }
        try library.change(writer)
        try on(context) {
            try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")), 1)
            try expectEqual(Set(context.fetch(ids)), before)
            let request = NSFetchRequest<NSDictionary>(entityName: "Book")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name", "pages"]
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            try expectEqual(
                context.fetch(request), [["name": "Emma", "pages": 300], ["name": "Persuasion", "pages": 200]])
            try expectEqual(context.count(for: request), 2)
        }
    }

    @Test("in objects by ID, including deleted ones", arguments: PinnedLibrary.Writer.allCases)
    func existingObjects(_ writer: PinnedLibrary.Writer) throws {
        let library = try PinnedLibrary()
        let context = library.pinned
        try library.pin()
        let id = try context.performAndWait { try context.one("Book", "Persuasion").objectID }
        try library.change(writer)
        try on(context) {
            try expectEqual(context.existingObject(with: id).number("pages"), 200)
            expectEqual(context.object(with: id).text("name"), "Persuasion")
        }
    }

    @Test("in refreshed and refetched objects", arguments: PinnedLibrary.Writer.allCases)
    func refreshed(_ writer: PinnedLibrary.Writer) throws {
        let library = try PinnedLibrary()
        let context = library.pinned
        try library.pin()
        let kept = try context.performAndWait { UnsafeSender(try context.one("Book", "Emma")) }.value
        try library.change(writer)
        try on(context) {
            context.refresh(kept, mergeChanges: false)
            expectEqual(kept.number("pages"), 300)
            context.refreshAllObjects()
            expectEqual(kept.number("pages"), 300)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.shouldRefreshRefetchedObjects = true
            _ = try context.fetch(request)
            expectEqual(kept.number("pages"), 300)
        }
    }

    @Test("in fetches within predicates, and in asynchronous ones", arguments: PinnedLibrary.Writer.allCases)
    func nestedFetches(_ writer: PinnedLibrary.Writer) async throws {
        let library = try PinnedLibrary()
        let context = library.pinned
        try library.pin()
        try library.change(writer)
        try on(context) {
            let inner = NSFetchRequest<NSManagedObject>(entityName: "Author")
            inner.predicate = NSPredicate(format: "name == 'Jane'")
            let fetch = NSFetchRequestExpression.expression(
                forFetch: NSExpression(forConstantValue: inner), context: NSExpression(forConstantValue: context),
                countOnly: false)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: "author"), rightExpression: fetch, modifier: .direct,
                type: .in, options: [])
            try expectEqual(Set(context.fetch(request).map { $0.text("name") }), ["Emma", "Persuasion"])
        }
        let names: [String] = try await withCheckedThrowingContinuation { continuation in
            let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Book"))
            { result in
                continuation.resume(returning: (result.finalResult ?? []).map { $0.text("name") ?? "" }.sorted())
            }
            do {
                try on(context) { _ = try context.execute(request) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        expectEqual(names, ["Emma", "Persuasion"])
    }

    @Test("also after another process has written")
    func otherProcess() async throws {
        let library = try PinnedLibrary()
        try library.pin()
        await #expect(processExitsWith: .success) { [path = library.stack.url.absoluteString as String] in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            _ = try coordinator.addPersistentStore(
                ofType: StoreKind.tables.type, configurationName: nil, at: URL(string: path), options: nil)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try on(context) {
                try context.one("Book", "Emma").setValue(1, forKey: "pages")
                context.delete(try context.one("Book", "Persuasion"))
                try context.save()
            }
        }
        let context = library.pinned
        try on(context) {
            try expectEqual(context.one("Book", "Emma").number("pages"), 300)
            try expectEqual(context.names("Book"), ["Emma", "Persuasion"])
            try context.setQueryGenerationFrom(nil)
            context.refreshAllObjects()
            try expectEqual(context.one("Book", "Emma").number("pages"), 1)
            try expectEqual(context.names("Book"), ["Emma"])
        }
    }

    @Test("in external binary data whose files were replaced")
    func externalData() throws {
        let photo = attribute("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        let stack = try TestStack(
            .sqlite, model: model([entity("Item", [attribute("name", .stringAttributeType), photo])]))
        let old = Data(repeating: 1, count: 300_000)
        let new = Data(repeating: 2, count: 300_000)
        let other = stack.newContext()
        try on(other) {
            other.make("Item", "a", ["photo": old])
            try other.save()
        }
        let folder = stack.folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA").path
        try on(stack.context) {
            try stack.context.setQueryGenerationFrom(.current)
            try expectEqual(stack.context.names("Item"), ["a"])
            stack.context.refreshAllObjects()
        }
        try on(other) {
            try other.one("Item", "a").setValue(new, forKey: "photo")
            try other.save()
        }
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder).count, 2)
        try on(stack.context) {
            try #expect(stack.context.one("Item", "a").value(forKey: "photo") as? Data == old)
            try stack.context.setQueryGenerationFrom(.current)
            stack.context.refreshAllObjects()
            try #expect(stack.context.one("Item", "a").value(forKey: "photo") as? Data == new)
        }
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder).count, 1)
    }
}
