import CoreData
import Testing

/// Records how it awakes from a merge policy.
private final class ConflictSleeper: NSManagedObject {
    var awakenings: [String] = []

    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        if flags.contains(.mergePolicy) {
            awakenings.append("\(text("name") ?? "nil") \(isUpdated ? "updated" : "unchanged")")
        }
    }
}

@Suite("Objects after a conflict")
struct ConflictOutcomeTests {
    private static func sleeperModel() -> NSManagedObjectModel {
        let sleeper = entity("Sleeper", [attribute("name", .stringAttributeType)])
        sleeper.managedObjectClassName = NSStringFromClass(ConflictSleeper.self)
        return model([sleeper])
    }

    // MARK: Changed objects

    @Test("that lose as a whole are refreshed, and have no changes", arguments: OtherSaver.allCases)
    func refreshed(_ saver: OtherSaver) throws {
        try withTwoContexts(saver, policy: .rollback, model: Self.sleeperModel()) {
            $0.make("Sleeper", "A")
        } _: { contexts in
            let (mine, theirs) = try contexts.both("Sleeper", "A")
            theirs.setValue("theirs", forKey: "name")
            try contexts.theirs.save()
            mine.setValue("mine", forKey: "name")
            let log = NotificationLog(.NSManagedObjectContextObjectsDidChange, of: contexts.mine)
            try contexts.mine.save()
            contexts.mine.processPendingChanges()
            expectEqual(log.names(NSRefreshedObjectsKey), ["theirs"])
            expectEqual((mine as? ConflictSleeper)?.awakenings, ["theirs unchanged"])
        }
    }

    @Test(
        "that lose as a whole have the values of the store, and not of another context",
        arguments: OtherSaver.allCases)
    func storedValues(_ saver: OtherSaver) throws {
        try withTwoContexts(saver, policy: .rollback) {
            $0.make("Tag", "A")
        } _: { contexts in
            let (mine, theirs) = try contexts.both("Tag", "A")
            let third = contexts.stack.newContext()
            try on(third) {
                let same = try third.one("Tag", "A")
                expectEqual(same.text("name"), "A")
                theirs.setValue("theirs", forKey: "name")
                try contexts.theirs.save()
                mine.setValue("mine", forKey: "name")
                try contexts.mine.save()
                expectEqual(mine.text("name"), "theirs")
                expectEqual(same.text("name"), "A")
            }
        }
    }

    /// Refreshes the objects before the policy that it is based on resolves the conflicts.
    private final class Refaulting: NSMergePolicy, @unchecked Sendable {
        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            for conflict in list {
                conflict.sourceObject.managedObjectContext?.refresh(conflict.sourceObject, mergeChanges: false)
            }
            try super.resolve(optimisticLockingConflicts: list)
        }
    }

    @Test("that a policy makes faults stay faults, and don't awake", arguments: OtherSaver.allCases)
    func faults(_ saver: OtherSaver) throws {
        let policy = Refaulting(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        try withTwoContexts(saver, policy: policy, model: Self.sleeperModel()) {
            $0.make("Sleeper", "A")
        } _: { contexts in
            let (mine, theirs) = try contexts.both("Sleeper", "A")
            theirs.setValue("theirs", forKey: "name")
            try contexts.theirs.save()
            mine.setValue("mine", forKey: "name")
            try contexts.mine.save()
            expectTrue(mine.isFault)
            expectEqual((mine as? ConflictSleeper)?.awakenings, [])
            expectEqual(mine.text("name"), "theirs")
        }
    }

    // MARK: Deleted objects that are kept

    static let keepingPolicies = [NSMergePolicy.mergeByPropertyStoreTrump, .rollback]

    @Test(
        "whose deletion loses keep their references without inverse", arguments: OtherSaver.allCases, keepingPolicies)
    func keptReferences(_ saver: OtherSaver, _ policy: NSMergePolicy) throws {
        try withTwoContexts(saver, policy: policy) { context in
            let reader = context.make("Reader", "reader", ["favourite": context.make("Book", "book")])
            reader.mutableSetValue(forKey: "wishes").add(context.make("Book", "wish"))
        } _: { contexts in
            let readers = try contexts.both("Reader", "reader")
            expectEqual(readers.mine.names("wishes"), ["wish"])
            contexts.mine.delete(readers.mine)
            contexts.mine.processPendingChanges()
            readers.theirs.setValue(1, forKey: "card")
            try contexts.theirs.save()
            let log = NotificationLog(.NSManagedObjectContextObjectsDidChange, of: contexts.mine)
            try contexts.mine.save()
            expectEqual(log.names(NSRefreshedObjectsKey), ["reader"])
            expectEqual(readers.mine.object("favourite")?.text("name"), "book")
            expectEqual(readers.mine.names("wishes"), ["wish"])
            try contexts.stored { fresh in
                let stored = try fresh.one("Reader", "reader")
                expectEqual(stored.object("favourite")?.text("name"), "book")
                expectEqual(stored.names("wishes"), ["wish"])
            }
        }
    }

    @Test(
        "whose deletion loses are members again of all objects that the deletion has removed them from",
        arguments: OtherSaver.allCases, keepingPolicies)
    func keptMemberships(_ saver: OtherSaver, _ policy: NSMergePolicy) throws {
        try withTwoContexts(saver, policy: policy) { context in
            let book = context.make("Book", "book", ["author": context.make("Author", "author")])
            book.mutableSetValue(forKey: "tags").add(context.make("Tag", "tag"))
            book.mutableSetValue(forKey: "shelves").add(context.make("Shelf", "shelf"))
        } _: { contexts in
            let books = try contexts.both("Book", "book")
            contexts.mine.delete(books.mine)
            contexts.mine.processPendingChanges()
            books.theirs.setValue(1, forKey: "pages")
            try contexts.theirs.save()
            try contexts.mine.save()
            try expectEqual(contexts.mine.one("Author", "author").names("books"), ["book"])
            try expectEqual(contexts.mine.one("Tag", "tag").names("books"), ["book"])
            try expectEqual(contexts.mine.one("Shelf", "shelf").names("items"), ["book"])
            try contexts.stored { fresh in
                try expectEqual(GraphDefects.of(fresh, ["Author", "Book", "Tag", "Shelf"]), [])
                try expectEqual(fresh.one("Book", "book").names("tags"), ["tag"])
            }
        }
    }

    // MARK: Objects that others have deleted

    @Test("that others have deleted have the values that the context has given them")
    func lastValues() throws {
        try withTwoContexts(.sqlite) { context in
            context.make("Book", "book", ["author": context.make("Author", "old")])
            context.make("Author", "new")
        } _: { contexts in
            let books = try contexts.both("Book", "book")
            let authors = try contexts.mine.all("Author")
            let new = try contexts.mine.one("Author", "new")
            books.mine.setValue(new, forKey: "author")
            contexts.theirs.delete(books.theirs)
            try contexts.theirs.save()
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectsKey: [books.mine.objectID]], into: [contexts.mine])
            #expect(books.mine.object("author") === new)
            expectEqual(new.names("books"), [])
            withExtendedLifetime(authors) {}
        }
    }

    @Test("that both sides have deleted leave no changes of others", arguments: OtherSaver.allCases)
    func deletedByBoth(_ saver: OtherSaver) throws {
        try withTwoContexts(saver) { context in
            context.make("Book", "book").mutableSetValue(forKey: "tags").add(context.make("Tag", "tag"))
        } _: { contexts in
            let books = try contexts.both("Book", "book")
            let tag = try contexts.mine.one("Tag", "tag")
            contexts.mine.delete(books.mine)
            contexts.mine.processPendingChanges()
            expectEqual(tag.changedValues().count, 1)
            contexts.theirs.delete(books.theirs)
            try contexts.theirs.save()
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectsKey: [books.mine.objectID]], into: [contexts.mine])
            expectEqual(tag.changedValues().count, 0)
            expectEqual(tag.names("books"), [])
        }
    }

    @Test("that others have deleted are not found by other contexts of the coordinator, which still have them")
    func evicted() throws {
        try withTwoContexts(.foreign) {
            $0.make("Tag", "tag")
        } _: { contexts in
            let tags = try contexts.both("Tag", "tag")
            let (third, fourth) = (contexts.stack.newContext(), contexts.stack.newContext())
            try on(third) {
                let same = try third.one("Tag", "tag")
                expectEqual(same.text("name"), "tag")
                contexts.theirs.delete(tags.theirs)
                try contexts.theirs.save()
                NSManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: [NSDeletedObjectsKey: [tags.mine.objectID]], into: [contexts.mine])
                try on(fourth) {
                    #expect(throws: (any Error).self) { try fourth.existingObject(with: tags.mine.objectID) }
                }
                expectEqual(same.text("name"), "tag")
            }
        }
    }

    @Test("that others have deleted are freed after the event that reports it") @MainActor
    func freed() async throws {
        let stack = try TestStack(.sqlite)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        context.make("Tag", "tag")
        try context.save()
        context.reset()
        weak var tag: NSManagedObject?
        func mergeDeletion() throws {
            let known = try context.one("Tag", "tag")
            tag = known
            let other = try stack.afresh()
            try on(other) {
                other.delete(try other.one("Tag", "tag"))
                try other.save()
            }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectsKey: [known.objectID]], into: [context])
        }
        try mergeDeletion()
        for _ in 0..<3 { await withCheckedContinuation { next in DispatchQueue.main.async { next.resume() } } }
        expectEqual(tag, nil)
    }
}
