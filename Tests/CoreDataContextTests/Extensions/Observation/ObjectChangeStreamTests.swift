import CoreData
import Testing

@Suite("Observing an object", .timeLimit(.minutes(TestRun.hangMinutes)))
struct ObjectChangeStreamTests {
    @Test("each element has the properties whose values differ", arguments: StoreKind.allCases)
    func keys(_ kind: StoreKind) async throws {
        let library = try ObservedLibrary(kind)
        let stream = library.changes()
        let id = library.context.performAndWait { library.book.value.objectID }
        try library.event { context, book in
            book.setValue("Persuasion", forKey: "name")
            book.setValue(7, forKey: "pages")
        }
        try library.event { $1.setValue(nil, forKey: "author") }
        // Set to the same value: an event without a changed value.
        try library.event { $1.setValue(7, forKey: "pages") }
        try library.event { context, book in book.setValue(NSSet(array: [context.make("Tag", "t")]), forKey: "tags") }
        try library.event { context, book in
            context.delete(book)
            try context.save()
        }
        let changes = await stream.remaining
        expectEqual(changes.map(\.keys), [["name", "pages"], ["author"], ["tags"], []])
        expectEqual(changes.map(\.kind), [.updated, .updated, .updated, .deleted])
        #expect(changes.allSatisfy { $0.objectID == id })
    }

    @Test("a save is no change, although new objects get permanent IDs", arguments: StoreKind.allCases)
    func saving(_ kind: StoreKind) async throws {
        let library = try ObservedLibrary(kind)
        let stream = library.changes()
        try library.event { context, book in
            book.setValue(NSSet(array: [context.make("Tag", "t")]), forKey: "tags")
            book.setValue(context.make("Cover", "c"), forKey: "cover")
        }
        try on(library.context) { try library.context.save() }
        try library.event { $1.setValue(1, forKey: "pages") }
        try on(library.context) { library.context.reset() }
        await expectEqual(stream.remaining.map(\.keys), [["tags", "cover"], ["pages"]])
    }

    @Test(
        "a new object is reported as inserted, a merge and a rollback as refreshed",
        arguments: StoreKind.allCases.without(.derivedWithOwner)
    )
    func kinds(_ kind: StoreKind) async throws {
        let library = try ObservedLibrary(kind)
        let context = library.context
        let (created, stream) = context.performAndWait {
            let tag = context.make("Tag")
            let stream = tag.changeStream()
            tag.setValue("t", forKey: "name")
            return (UnsafeSender(tag), stream)
        }
        try on(context) {
            try context.save()
            created.value.setValue("u", forKey: "name")
            context.rollback()
        }
        let other = library.stack.newContext()
        try on(other) {
            try other.one("Tag", "t").setValue("theirs", forKey: "name")
            try other.save()
        }
        try on(context) {
            context.refresh(created.value, mergeChanges: true)
            context.processPendingChanges()
            expectEqual(created.value.text("name"), "theirs")
            context.reset()
        }
        let changes = await stream.remaining
        expectEqual(changes.map(\.kind), [.inserted, .updated, .refreshed, .refreshed])
        #expect(changes.allSatisfy { $0.keys == ["name"] })
    }

    @Test("all observers get the changes since they were added")
    func severalObservers() async throws {
        let library = try ObservedLibrary()
        let first = library.changes()
        let second = library.changes()
        try library.event { $1.setValue(1, forKey: "pages") }
        let third = library.changes()
        try library.event { $1.setValue("B", forKey: "name") }
        try on(library.context) { library.context.reset() }
        await expectEqual(first.remaining.map(\.keys), [["pages"], ["name"]])
        await expectEqual(second.remaining.map(\.keys), [["pages"], ["name"]])
        await expectEqual(third.remaining.map(\.keys), [["name"]])
    }

    @Test("the stream ends when the object is deallocated, and does not retain it")
    func objectDeallocated() async throws {
        let stack = try TestStack(.sqlite)
        let stream = try stack.context.performAndWait {
            stack.context.make("Book", "Emma")
            try stack.context.save()
            weak var weakReference: NSManagedObject?
            let stream = try {
                let book = try stack.context.one("Book", "Emma")
                weakReference = book
                return book.changeStream()
            }()
            expectEqual(weakReference, nil)
            return stream
        }
        await expectEqual(stream.remaining, [])
    }

    @Test("the stream ends when the context is deallocated, and does not retain it")
    func contextDeallocated() async throws {
        var library: ObservedLibrary? = try ObservedLibrary()
        weak var context: NSManagedObjectContext?
        context = library?.context
        let stream = try requireValue(library?.changes())
        let book = try requireValue(library?.book)
        library = nil
        expectEqual(context, nil)
        await expectEqual(stream.remaining, [])
        withExtendedLifetime(book) {}
    }

    @Test("for an object without a context the stream has ended")
    func withoutContext() async throws {
        let stack = try TestStack(.memory)
        let stream = NSManagedObject(entity: stack.model.entitiesByName["Tag"]!, insertInto: nil).changeStream()
        await expectEqual(stream.remaining, [])
    }

    @Test("an observer that stops reading does not affect another one")
    func cancelling() async throws {
        let library = try ObservedLibrary()
        do {
            let stream = library.changes()
            try library.event { $1.setValue(1, forKey: "pages") }
            for await change in stream {
                expectEqual(change.keys, ["pages"])
                break
            }
        }
        let other = library.changes()
        try library.event { $1.setValue(2, forKey: "pages") }
        try on(library.context) { library.context.reset() }
        await expectEqual(other.remaining.count, 1)
    }

    @Test("the values of a property: the current one, then each new one", arguments: StoreKind.allCases)
    func values(_ kind: StoreKind) async throws {
        let library = try ObservedLibrary(kind)
        let (names, pages, authors) = library.context.performAndWait {
            let book = library.book.value
            return (
                book.valueStream(forKey: "name", as: String.self, bufferingPolicy: .unbounded),
                book.valueStream(forKey: "pages", as: Int.self, bufferingPolicy: .unbounded),
                book.valueStream(forKey: "author.name", as: String.self, bufferingPolicy: .unbounded)
            )
        }
        try library.event { $1.setValue("B", forKey: "name") }
        try library.event { $1.setValue(7, forKey: "pages") }
        try library.event { context, book in
            book.setValue(nil, forKey: "name")
            book.setValue(context.make("Author", "Anne"), forKey: "author")
        }
        try on(library.context) { library.context.reset() }
        await expectEqual(names.remaining, ["Emma", "B", nil])
        await expectEqual(pages.remaining, [100, 7])
        await expectEqual(authors.remaining, ["Jane", "Anne"])
    }

    @Test("a slow reader of values gets the newest one")
    func buffering() async throws {
        let library = try ObservedLibrary()
        let stream = library.context.performAndWait { library.book.value.valueStream(forKey: "pages", as: Int.self) }
        for pages in 1...5 { try library.event { $1.setValue(pages, forKey: "pages") } }
        try on(library.context) { library.context.reset() }
        await expectEqual(stream.remaining, [5])
    }

    @Test("the values at a key path of the object's class")
    func keyPath() async throws {
        let library = try ObservedLibrary()
        let stream = library.context.performAndWait {
            library.book.value.valueStream(of: \.isUpdated, bufferingPolicy: .unbounded)
        }
        try library.event { $1.setValue("B", forKey: "name") }
        try on(library.context) { library.context.rollback() }
        try on(library.context) { library.context.reset() }
        await expectEqual(stream.remaining, [false, true, false])
    }

    @Test("a task reads the values while the context changes the object")
    func concurrently() async throws {
        let library = try ObservedLibrary()
        let stream = library.context.performAndWait {
            library.book.value.valueStream(forKey: "pages", as: Int.self, bufferingPolicy: .unbounded)
        }
        let reader = Task { await stream.remaining }
        for pages in 201...400 { try library.event { $1.setValue(pages, forKey: "pages") } }
        try on(library.context) { library.context.reset() }
        await expectEqual(reader.value, [100] + (201...400))
    }
}
