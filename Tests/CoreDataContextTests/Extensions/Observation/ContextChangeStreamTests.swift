import CoreData
import Testing

/// A change with a memberwise initializer.
private struct ReportedChange: Equatable {
    var inserted: Set<NSManagedObjectID> = []
    var updated: Set<NSManagedObjectID> = []
    var deleted: Set<NSManagedObjectID> = []
    var refreshed: Set<NSManagedObjectID> = []
    var isReset = false
}

extension ReportedChange {
    init?(_ change: ManagedObjectContextChange?) {
        guard let change else { return nil }
        self.init(
            inserted: change.inserted, updated: change.updated, deleted: change.deleted, refreshed: change.refreshed,
            isReset: change.isReset)
    }
}

@Suite("Observing a context", .timeLimit(.minutes(TestRun.hangMinutes)))
struct ContextChangeStreamTests {
    @Test("each element has the IDs of all changed objects of an event", arguments: StoreKind.allCases)
    func events(_ kind: StoreKind) async throws {
        let library = try ObservedLibrary(kind)
        let context = library.context
        let stream = context.changeStream()
        let ids = try context.performAndWait {
            let tag = context.make("Tag", "t")
            try context.obtainPermanentIDs(for: [tag])
            library.book.value.setValue(1, forKey: "pages")
            context.processPendingChanges()
            context.delete(library.author.value)
            try context.save()
            context.refresh(tag, mergeChanges: false)
            context.processPendingChanges()
            let ids = (tag: tag.objectID, book: library.book.value.objectID, author: library.author.value.objectID)
            context.reset()
            return ids
        }
        var iterator = stream.makeAsyncIterator()
        let change1 = ReportedChange(await iterator.next())
        expectEqual(change1, ReportedChange(inserted: [ids.tag], updated: [ids.book]))
        let change2 = ReportedChange(await iterator.next())
        expectEqual(change2, ReportedChange(deleted: [ids.author, ids.book]))
        let change3 = ReportedChange(await iterator.next())
        expectEqual(change3, ReportedChange(refreshed: [ids.tag]))
        let change4 = ReportedChange(await iterator.next())
        expectEqual(change4, ReportedChange(isReset: true))
    }

    @Test("another context's save is reported when it is merged", arguments: StoreKind.allCases)
    func merging(_ kind: StoreKind) async throws {
        let library = try ObservedLibrary(kind)
        let context = library.context
        context.automaticallyMergesChangesFromParent = true
        var iterator = context.changeStream().makeAsyncIterator()
        let other = library.stack.newContext()
        let ids = try await other.perform {
            let tag = other.make("Tag", "t")
            let book = try other.one("Book", "Emma")
            book.setValue(9, forKey: "pages")
            try other.save()
            return (tag: tag.objectID, book: book.objectID)
        }
        let change = ReportedChange(await iterator.next())
        expectEqual(change, ReportedChange(inserted: [ids.tag], refreshed: [ids.book]))
    }

    @Test("an element follows each notification, and there are no others")
    func order() async throws {
        let stack = try TestStack(.memory)
        let context = stack.context
        let stream = context.changeStream()
        try on(context) {
            context.processPendingChanges()
            context.make("Tag", "a")
            context.make("Tag", "b")
            try context.save()
            try context.save()
            context.reset()
        }
        var iterator = stream.makeAsyncIterator()
        let first = await iterator.next()?.inserted.count
        expectEqual(first, 2)
        let second = await iterator.next()?.isReset
        expectEqual(second, true)
    }

    @Test("ends when the context is deallocated, and does not retain it")
    func contextDeallocated() async throws {
        let stack = try TestStack(.memory)
        weak var weakReference: NSManagedObjectContext?
        let stream = {
            let context = stack.newContext()
            weakReference = context
            return context.changeStream()
        }()
        expectEqual(weakReference, nil)
        await expectEqual(stream.remaining, [])
    }

    @Test("can be read in several tasks at once")
    func tasks() async throws {
        let stack = try TestStack(.sqlite)
        var context: NSManagedObjectContext? = stack.newContext()
        let readers = (0..<3).map { _ in
            let stream = context!.changeStream()
            return Task { await stream.remaining.flatMap(\.inserted).count }
        }
        try on(context!) {
            for index in 0..<50 {
                context!.make("Tag", "\(index)")
                context!.processPendingChanges()
            }
            try context!.save()
        }
        context = nil
        for reader in readers { await expectEqual(reader.value, 50) }
    }
}
