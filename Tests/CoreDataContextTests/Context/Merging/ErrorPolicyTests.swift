import CoreData
import Testing

@Suite("Conflicts without a policy")
struct ErrorPolicyTests {
    @Test("the default policy refuses conflicts")
    func byDefault() throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        #expect(context.mergePolicy as? NSMergePolicy === NSMergePolicy.error)
        let globals = [
            NSErrorMergePolicy, NSMergeByPropertyStoreTrumpMergePolicy, NSMergeByPropertyObjectTrumpMergePolicy,
            NSOverwriteMergePolicy, NSRollbackMergePolicy,
        ]
        expectEqual(globals.map { ($0 as? NSMergePolicy)?.mergeType.rawValue }, [0, 1, 2, 3, 4])
        let policies: [NSMergePolicy] = [
            .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
        ]
        expectEqual(policies.map(\.mergeType.rawValue), [0, 1, 2, 3, 4])
        expectEqual(NSMergePolicy(merge: .rollbackMergePolicyType).mergeType, .rollbackMergePolicyType)
    }

    @Test(
        "the error has all conflicts, with attributes and the IDs of to-one relationships",
        arguments: OtherSaver.allCases)
    func snapshots(_ saver: OtherSaver) throws {
        try withTwoContexts(saver) {
            let jane = $0.make("Author", "Jane")
            $0.make("Book", "A", ["author": jane, "pages": 1])
            $0.make("Book", "B", ["pages": 1])
            $0.make("Author", "Ann")
        } _: { contexts in
            let (a, theirA) = try contexts.both("Book", "A")
            let (b, theirB) = try contexts.both("Book", "B")
            let theirAnn = try contexts.theirs.one("Author", "Ann")
            let jane = try contexts.mine.one("Author", "Jane")
            theirA.setValue(2, forKey: "pages")
            theirA.setValue(theirAnn, forKey: "author")
            theirB.setValue(2, forKey: "pages")
            try contexts.theirs.save()
            a.setValue(3, forKey: "pages")
            b.setValue(nil, forKey: "pages")
            let error = try requireValue(thrownError { try contexts.mine.save() })
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, NSManagedObjectMergeError)
            expectEqual(CocoaError(_nsError: error).persistentStoreSaveConflicts?.count, 2)
            let conflicts = error.mergeConflicts
            expectEqual(Set(conflicts.map(\.sourceObject)), [a, b])
            let conflict = try requireValue(conflicts.first { $0.sourceObject === a })
            expectEqual(conflict.oldVersionNumber, 1)
            expectEqual(conflict.newVersionNumber, 2)
            expectEqual(conflict.objectSnapshot?.number("pages"), 1)
            #expect(conflict.objectSnapshot?["author"] as? NSManagedObjectID == jane.objectID)
            #expect(conflict.objectSnapshot?["chapters"] == nil)
            #expect(conflict.objectSnapshot?["note"] == nil)
            // The coordinator has the rows that its own contexts have saved, and must read from the store those that
            // others have.
            let newest = saver == .foreign ? conflict.persistedSnapshot : conflict.cachedSnapshot
            expectEqual(newest?.number("pages"), 2)
            #expect(newest?["author"] as? NSManagedObjectID == theirAnn.objectID)
            if saver == .foreign {
                expectEqual(conflict.cachedSnapshot?.number("pages"), 1)
                #expect(conflict.cachedSnapshot?["author"] as? NSManagedObjectID == jane.objectID)
            } else {
                #expect(conflict.persistedSnapshot == nil)
            }
            #expect(conflicts.first { $0.sourceObject === b }?.objectSnapshot?["author"] is NSNull)
            expectEqual(a.number("pages"), 3)
            expectTrue(a.isUpdated)
            expectTrue(b.isUpdated)
        }
    }

    @Test("a changed object whose row was deleted is a conflict with version 0", arguments: OtherSaver.allCases)
    func deletedThere(_ saver: OtherSaver) throws {
        try withTwoContexts(saver) {
            $0.make("Book", "A")
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            contexts.theirs.delete(theirs)
            try contexts.theirs.save()
            book.setValue(3, forKey: "pages")
            let error = try requireValue(thrownError { try contexts.mine.save() })
            let conflict = try requireValue(error.mergeConflicts.first)
            expectEqual(error.code, 133020)
            expectEqual(conflict.newVersionNumber, 0)
            expectEqual(conflict.oldVersionNumber, 1)
            #expect(conflict.persistedSnapshot == nil)
        }
    }

    @Test(
        "a deleted object that was changed is a conflict",
        arguments: OtherSaver.allCases
    )
    func deletedHere(_ saver: OtherSaver) throws {
        try withTwoContexts(saver) {
            $0.make("Book", "A")
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            theirs.setValue(2, forKey: "pages")
            try contexts.theirs.save()
            contexts.mine.delete(book)
            let error = try requireValue(thrownError { try contexts.mine.save() })
            expectEqual(error.code, 133020)
            expectEqual(error.mergeConflicts.first?.objectSnapshot?.number("pages"), 100)
            expectEqual(error.mergeConflicts.first?.newVersionNumber, 2)
            expectTrue(book.isDeleted)
        }
    }

    @Test("deleting an object that another context has deleted is no conflict", arguments: OtherSaver.allCases)
    func deletedTwice(_ saver: OtherSaver) throws {
        try withTwoContexts(saver) {
            $0.make("Book", "A")
        } _: { contexts in
            let (book, theirs) = try contexts.both("Book", "A")
            contexts.theirs.delete(theirs)
            try contexts.theirs.save()
            contexts.mine.delete(book)
            try contexts.mine.save()
            expectFalse(contexts.mine.hasChanges)
            expectEqual(book.managedObjectContext, nil)
            try contexts.stored { try expectEmpty($0.all("Book")) }
        }
    }

    @Test(
        "an unchanged object is checked if the context detects conflicts for it",
        arguments: OtherSaver.allCases)
    func detecting(_ saver: OtherSaver) throws {
        try withTwoContexts(saver) {
            $0.make("Book", "A")
            $0.make("Book", "B")
        } _: { contexts in
            let (a, theirA) = try contexts.both("Book", "A")
            let (b, theirB) = try contexts.both("Book", "B")
            contexts.mine.detectConflicts(for: a)
            contexts.mine.make("Tag", "t")
            try contexts.mine.save()
            contexts.mine.detectConflicts(for: a)
            theirA.setValue(2, forKey: "pages")
            theirB.setValue(2, forKey: "pages")
            try contexts.theirs.save()
            contexts.mine.make("Tag", "u")
            let error = try requireValue(thrownError { try contexts.mine.save() })
            expectEqual(error.code, 133020)
            expectEqual(error.mergeConflicts.map(\.sourceObject), [a])
            expectFalse(b.hasChanges)
            contexts.mine.refresh(a, mergeChanges: true)
            try contexts.mine.save()
            expectEqual(a.number("pages"), 2)
            expectEqual(b.number("pages"), 100)
            // It applied to one save.
            theirA.setValue(3, forKey: "pages")
            try contexts.theirs.save()
            contexts.mine.make("Tag", "v")
            try contexts.mine.save()
        }
    }

    @Test("a changed object that is checked, too, is one conflict", arguments: OtherSaver.allCases)
    func checkedAndChanged(_ saver: OtherSaver) throws {
        try withTwoContexts(saver) {
            $0.make("Book", "A", ["pages": 1])
        } _: { contexts in
            let (a, theirA) = try contexts.both("Book", "A")
            expectEqual(a.number("pages"), 1)
            contexts.mine.detectConflicts(for: a)
            theirA.setValue(2, forKey: "pages")
            try contexts.theirs.save()
            a.setValue(3, forKey: "pages")
            let error = try requireValue(thrownError { try contexts.mine.save() })
            expectEqual(error.mergeConflicts.map(\.sourceObject), [a])
        }
    }

    @Test("a checked object that was set to its own value is checked", arguments: OtherSaver.allCases)
    func checkedAndSetToOwnValue(_ saver: OtherSaver) throws {
        try withTwoContexts(saver) {
            $0.make("Book", "A", ["pages": 1])
        } _: { contexts in
            let (a, theirA) = try contexts.both("Book", "A")
            expectEqual(a.number("pages"), 1)
            contexts.mine.detectConflicts(for: a)
            theirA.setValue(2, forKey: "pages")
            try contexts.theirs.save()
            a.setValue(3, forKey: "pages")
            a.setValue(1, forKey: "pages")
            contexts.mine.make("Tag", "t")
            let error = try requireValue(thrownError { try contexts.mine.save() })
            expectEqual(error.mergeConflicts.map(\.sourceObject), [a])
        }
    }

    @Test("an object that was set to its own value and one that has changed keep their values and versions")
    func setToOwnValue() throws {
        try withStack(.sqlite) { stack in
            let (a, b) = (stack.context.make("Book", "A"), stack.context.make("Book", "B"))
            try stack.context.save()
            a.setValue(1, forKey: "pages")
            a.setValue(100, forKey: "pages")
            b.setValue(2, forKey: "pages")
            try stack.context.save()
            expectEqual([a.number("pages"), b.number("pages")], [100, 2])
            expectEqual(
                [a, b].map { $0.committedValues(forKeys: ["pages"])["pages"] as? NSNumber }, [100, 2])
            // Another change finds the rows that the save has left.
            a.setValue(3, forKey: "pages")
            b.setValue(4, forKey: "pages")
            try stack.context.save()
            try inFreshContext(stack) { context in
                expectEqual(try ["A", "B"].map { try context.one("Book", $0).number("pages") }, [3, 4])
            }
        }
    }
}
