import CoreData
import Testing

@Suite("Merge policies of one's own")
struct CustomPolicyTests {
    /// Keeps the larger number of pages. The policy that it is based on resolves the rest.
    private final class LargerPages: NSMergePolicy, @unchecked Sendable {
        private(set) var versions: [(Int, Int)] = []

        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            versions += list.map { ($0.oldVersionNumber, $0.newVersionNumber) }
            let larger = list.map { conflict in
                let stored = conflict.persistedSnapshot ?? conflict.cachedSnapshot
                return (
                    conflict.sourceObject,
                    max(conflict.sourceObject.number("pages") ?? 0, stored?.number("pages") ?? 0)
                )
            }
            try super.resolve(optimisticLockingConflicts: list)
            for (object, pages) in larger { object.setValue(pages, forKey: "pages") }
        }
    }

    private final class Idle: NSMergePolicy, @unchecked Sendable {
        private(set) var calls = 0
        override func resolve(mergeConflicts list: [Any]) throws { calls += 1 }
    }

    private final class Refusing: NSMergePolicy, @unchecked Sendable {
        override func resolve(mergeConflicts list: [Any]) throws { throw TestFailure("not today") }
    }

    /// Resolves conflicts with public API alone.
    private final class Refreshing: NSMergePolicy, @unchecked Sendable {
        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            for conflict in list {
                conflict.sourceObject.managedObjectContext?.refresh(conflict.sourceObject, mergeChanges: true)
            }
        }
    }

    @Test("a subclass decides after the policy that it is based on", arguments: OtherSaver.allCases)
    func overriding(_ saver: OtherSaver) throws {
        let policy = LargerPages(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        try withTwoContexts(saver, policy: policy) {
            $0.make("Book", "A", ["pages": 1])
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            theirs.setValue(20, forKey: "pages")
            try contexts.theirs.save()
            book.setValue(30, forKey: "pages")
            try contexts.mine.save()
            try contexts.stored { try expectEqual($0.one("Book", "A").number("pages"), 30) }
            theirs.managedObjectContext?.refresh(theirs, mergeChanges: false)
            theirs.setValue(50, forKey: "pages")
            try contexts.theirs.save()
            book.setValue(40, forKey: "pages")
            try contexts.mine.save()
            expectEqual(book.number("pages"), 50)
            expectEqual(policy.versions.map(\.0), [1, 3])
            expectEqual(policy.versions.map(\.1), [2, 4])
            try contexts.stored { try expectEqual($0.one("Book", "A").number("pages"), 50) }
        }
    }

    @Test("a policy may refresh the objects itself", arguments: OtherSaver.allCases)
    func refreshing(_ saver: OtherSaver) throws {
        try withTwoContexts(saver, policy: Refreshing(merge: .errorMergePolicyType)) {
            $0.make("Book", "A")
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            theirs.setValue("B", forKey: "name")
            try contexts.theirs.save()
            book.setValue(3, forKey: "pages")
            try contexts.mine.save()
            try contexts.stored { try expectEqual($0.one("Book", "B").number("pages"), 3) }
        }
    }

    @Test(
        "a policy that resolves nothing is called once, and the save fails with the conflicts",
        arguments: OtherSaver.allCases)
    func idle(_ saver: OtherSaver) throws {
        let policy = Idle(merge: .overwriteMergePolicyType)
        try withTwoContexts(saver, policy: policy) {
            $0.make("Book", "A")
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            theirs.setValue(2, forKey: "pages")
            try contexts.theirs.save()
            book.setValue(3, forKey: "pages")
            let error = try requireValue(thrownError { try contexts.mine.save() })
            expectEqual(error.code, 133020)
            expectEqual(error.mergeConflicts.map(\.sourceObject), [book])
            expectEqual(policy.calls, 1)
            expectTrue(book.isUpdated)
        }
    }

    @Test("what a policy throws is what the save throws", arguments: OtherSaver.allCases)
    func throwing(_ saver: OtherSaver) throws {
        try withTwoContexts(saver, policy: Refusing(merge: .overwriteMergePolicyType)) {
            $0.make("Book", "A")
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            theirs.setValue(2, forKey: "pages")
            try contexts.theirs.save()
            book.setValue(3, forKey: "pages")
            #expect(throws: TestFailure.self) { try contexts.mine.save() }
            expectTrue(book.isUpdated)
            expectEqual(book.number("pages"), 3)
        }
    }

    @Test("the changes of a policy are validated before they are saved", arguments: OtherSaver.allCases)
    func validation(_ saver: OtherSaver) throws {
        final class Emptying: NSMergePolicy, @unchecked Sendable {
            override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
                try super.resolve(optimisticLockingConflicts: list)
                for conflict in list { conflict.sourceObject.setValue(nil, forKey: "name") }
            }
        }
        let item = entity(
            "Item",
            [attribute("name", .stringAttributeType, optional: false), attribute("size", .integer64AttributeType)])
        try withTwoContexts(saver, policy: Emptying(merge: .overwriteMergePolicyType), model: model([item])) {
            $0.make("Item", "A")
        } _: { contexts in
            let (mine, theirs) = try contexts.both("Item", "A")
            theirs.setValue(2, forKey: "size")
            try contexts.theirs.save()
            mine.setValue(3, forKey: "size")
            expectEqual(thrownError { try contexts.mine.save() }?.code, 1570)
        }
    }

    @Test("policies resolve a conflict that a program has made, too", arguments: OtherSaver.allCases)
    func described(_ saver: OtherSaver) throws {
        try withTwoContexts(saver) {
            $0.make("Book", "A")
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            theirs.setValue("B", forKey: "name")
            try contexts.theirs.save()
            book.setValue(3, forKey: "pages")
            let conflict = NSMergeConflict(
                source: book, newVersion: 2, oldVersion: 1, cachedSnapshot: nil, persistedSnapshot: ["name": "B"])
            try NSMergePolicy.mergeByPropertyObjectTrump.resolve(mergeConflicts: [conflict])
            expectEqual(book.text("name"), "B")
            expectEqual(book.number("pages"), 3)
            try contexts.mine.save()
        }
    }

    @Test("a conflict that a program has made with version 0 is a deletion", arguments: OtherSaver.allCases)
    func describedDeletion(_ saver: OtherSaver) throws {
        try withTwoContexts(saver) {
            $0.make("Book", "A")
        } _: { contexts in
            let book = try contexts.mine.one("Book", "A")
            book.setValue(3, forKey: "pages")
            let conflict = NSMergeConflict(
                source: book, newVersion: 0, oldVersion: 1, cachedSnapshot: nil, persistedSnapshot: nil)
            try NSMergePolicy.rollback.resolve(mergeConflicts: [conflict])
            expectEqual(book.managedObjectContext, nil)
            expectFalse(contexts.mine.hasChanges)
        }
    }

    @Test("anything but a merge policy stops the program") func misuse() async {
        await #expect(processExitsWith: .failure) {
            NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType).mergePolicy = "overwrite"
        }
    }
}
