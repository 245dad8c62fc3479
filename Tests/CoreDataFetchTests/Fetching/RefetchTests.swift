import CoreData
import Testing

@Suite("Fetching what a context has already")
struct RefetchTests {
    /// A book that another context has changed since the first context read it.
    private func withStaleBook(_ kind: StoreKind, _ body: (NSManagedObjectContext, NSManagedObject) throws -> Void)
        throws
    {
        try withStack(kind) { stack in
            stack.context.make("Book", "old", ["pages": 1, "price": 1.5])
            try stack.context.save()
            let reader = stack.newContext()
            try on(reader) {
                let book = try reader.one("Book", "old")
                expectEqual(book.number("pages"), 1)
                let other = stack.newContext()
                try on(other) {
                    try other.one("Book", "old").setValuesForKeys(["name": "new", "pages": 2])
                    try other.save()
                }
                try body(reader, book)
            }
        }
    }

    private func request(_ change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }) -> NSFetchRequest<
        NSManagedObject
    > {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        change(request)
        return request
    }

    @Test("an object keeps its values unless the request refreshes it", arguments: StoreKind.allCases)
    func refreshing(_ kind: StoreKind) throws {
        try withStaleBook(kind) { context, book in
            try expectEqual(context.fetch(request()), [book])
            expectEqual(book.text("name"), "old")
            try expectEqual(context.fetch(request { $0.shouldRefreshRefetchedObjects = true }), [book])
            expectEqual(book.text("name"), "new")
            expectEqual(book.number("pages"), 2)
        }
    }

    @Test("unsaved changes and transient values stay when an object is refetched", arguments: StoreKind.allCases)
    func changes(_ kind: StoreKind) throws {
        try withStaleBook(kind) { context, book in
            book.setPrimitiveValue("remember", forKey: "note")
            book.setValue(7, forKey: "pages")
            _ = try context.fetch(request { $0.shouldRefreshRefetchedObjects = true })
            expectEqual(book.text("name"), "new")
            expectEqual(book.number("pages"), 7)
            expectEqual(book.text("note"), "remember")
            expectTrue(book.hasChanges)
            try context.save()
            try expectEqual(
                context.count(for: request { $0.predicate = NSPredicate(format: "name == 'new' AND pages == 7") }), 1)
        }
    }

    @Test("batches and fetches of keys refresh too", arguments: StoreKind.allCases, [0, 1])
    func keys(_ kind: StoreKind, _ batchSize: Int) throws {
        try withStaleBook(kind) { context, book in
            _ = try context.fetch(
                request {
                    $0.shouldRefreshRefetchedObjects = true
                    $0.fetchBatchSize = batchSize
                    $0.includesPropertyValues = false
                })
            expectEqual(book.text("name"), "new")
        }
    }

    @Test("objects are faults or fired, by returnsObjectsAsFaults", arguments: StoreKind.allCases)
    func faults(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            for index in 0..<5 { stack.context.make("Book", "b\(index)") }
            try stack.context.save()
            for (isFault, includesValues) in [(true, true), (false, true), (true, false)] {
                try inFreshContext(stack) { context in
                    let found = try context.fetch(
                        request {
                            $0.returnsObjectsAsFaults = isFault
                            $0.includesPropertyValues = includesValues
                        })
                    expectEqual(found.count, 5)
                    #expect(found.allSatisfy { $0.isFault == isFault })
                    expectEqual(Set(found.map { $0.text("name") }).count, 5)
                }
            }
        }
    }

    @Test("a request reaches the stores that it names alone")
    func affectedStores() throws {
        try withStack(.sqlite) { stack in
            let second = try stack.coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
            let context = stack.context
            context.make("Book", "first")
            context.assign(context.make("Book", "second"), to: second)
            for isSaved in [false, true] {
                if isSaved { try context.save() }
                for (store, name) in [(stack.store, "first"), (second, "second")] {
                    let request = request { $0.affectedStores = [store] }
                    try expectEqual(context.fetch(request).map { $0.text("name") }, [name], "\(isSaved)")
                    try expectEqual(context.count(for: request), 1)
                }
                try expectEqual(context.count(for: request()), 2)
            }
        }
    }
}
