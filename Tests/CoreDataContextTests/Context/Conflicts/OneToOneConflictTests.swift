import CoreData
import Testing

@Suite("One-to-one relationships after conflicts")
struct OneToOneConflictTests {
    static let policies: [NSMergePolicyType] = [
        .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
        .overwriteMergePolicyType, .rollbackMergePolicyType,
    ]

    /// Four authors of whom "a" and "b" are married.
    private func withAuthors(
        _ saver: OtherSaver, _ type: NSMergePolicyType,
        _ body: (TwoContexts, (NSManagedObjectContext, String) throws -> NSManagedObject) throws -> Void
    ) throws {
        try withTwoContexts(saver, policy: NSMergePolicy(merge: type)) { context in
            let (a, b) = (context.make("Author", "a"), context.make("Author", "b"))
            a.setValue(b, forKey: "spouse")
            for name in ["c", "d"] { context.make("Author", name) }
        } _: { contexts in
            let kept = try contexts.mine.all("Author") + contexts.theirs.all("Author")
            for author in kept { _ = author.object("spouse") }
            try body(contexts) { context, name in
                try requireValue(kept.first { $0.managedObjectContext === context && $0.text("name") == name })
            }
            try contexts.stored { try expectEqual(GraphDefects.of($0, ["Author"]), []) }
            withExtendedLifetime(kept) {}
        }
    }

    private func spouse(of name: String, _ contexts: TwoContexts) throws -> String? {
        var found: String?
        try contexts.stored { found = try $0.one("Author", name).object("spouse")?.text("name") }
        return found
    }

    private func favoursObject(_ type: NSMergePolicyType) -> Bool {
        type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    }

    @Test(
        "two contexts that give one object different partners leave one pair", arguments: OtherSaver.allCases, policies)
    func twoPartners(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withAuthors(saver, type) { contexts, find in
            try find(contexts.mine, "a").setValue(find(contexts.mine, "c"), forKey: "spouse")
            try find(contexts.theirs, "a").setValue(find(contexts.theirs, "d"), forKey: "spouse")
            try contexts.theirs.save()
            try contexts.mine.save()
            try expectEqual(spouse(of: "a", contexts), (favoursObject(type) ? "c" : "d"))
            try expectEqual(spouse(of: "b", contexts), nil)
        }
    }

    @Test(
        "a pair of which one partner was renamed is restored or changed as a whole", arguments: OtherSaver.allCases,
        policies)
    func renamedPartner(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withAuthors(saver, type) { contexts, find in
            try find(contexts.mine, "c").setValue(find(contexts.mine, "b"), forKey: "spouse")
            try find(contexts.theirs, "a").setValue(1, forKey: "age")
            try contexts.theirs.save()
            try contexts.mine.save()
            // Only the rollback policy drops a change that the other context hasn't made.
            let isKept = type != .rollbackMergePolicyType
            try expectEqual(spouse(of: "b", contexts), (isKept ? "c" : "a"))
            try expectEqual(spouse(of: "a", contexts), (isKept ? nil : "b"))
        }
    }

    @Test("a whole object that wins takes its partner back", arguments: OtherSaver.allCases)
    func overwrittenPair(_ saver: OtherSaver) throws {
        try withAuthors(saver, .overwriteMergePolicyType) { contexts, find in
            try find(contexts.mine, "a").setValue(1, forKey: "age")
            try find(contexts.theirs, "a").setValue(find(contexts.theirs, "d"), forKey: "spouse")
            try find(contexts.theirs, "b").setValue(find(contexts.theirs, "c"), forKey: "spouse")
            try contexts.theirs.save()
            try contexts.mine.save()
            try expectEqual(spouse(of: "a", contexts), "b")
            try expectEqual(spouse(of: "c", contexts), nil)
        }
    }

    @Test("a whole object that wins takes a partner back that was set to it again", arguments: OtherSaver.allCases)
    func partnerSetAgain(_ saver: OtherSaver) throws {
        try withAuthors(saver, .overwriteMergePolicyType) { contexts, find in
            try find(contexts.mine, "b").setValue(1, forKey: "age")
            // No change, though "a" counts as updated.
            try find(contexts.mine, "a").setValue(find(contexts.mine, "b"), forKey: "spouse")
            try find(contexts.theirs, "a").setValue(nil, forKey: "spouse")
            try contexts.theirs.save()
            try contexts.mine.save()
            try expectEqual(spouse(of: "a", contexts), "b")
        }
    }

    @Test(
        "a partner that was read earlier keeps the object through a refresh", arguments: OtherSaver.allCases,
        [true, false])
    func refreshedStalePartner(_ saver: OtherSaver, _ refreshesAll: Bool) throws {
        try withAuthors(saver, .errorMergePolicyType) { contexts, find in
            try find(contexts.theirs, "a").setValue(find(contexts.theirs, "d"), forKey: "spouse")
            try contexts.theirs.save()
            // "a" is as it is now, "b" as it was.
            contexts.mine.refresh(try find(contexts.mine, "a"), mergeChanges: false)
            try find(contexts.mine, "a").setValue(find(contexts.mine, "b"), forKey: "spouse")
            if refreshesAll {
                contexts.mine.refreshAllObjects()
            } else {
                contexts.mine.refresh(try find(contexts.mine, "b"), mergeChanges: true)
            }
            try contexts.mine.save()
            try expectEqual(spouse(of: "a", contexts), "b")
            try expectEqual(spouse(of: "d", contexts), nil)
        }
    }

    @Test("an object that is inserted again has its partner again", arguments: OtherSaver.allCases, policies)
    func reinsertedPartner(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withAuthors(saver, type) { contexts, find in
            try find(contexts.mine, "a").setValue(1, forKey: "age")
            contexts.theirs.delete(try find(contexts.theirs, "a"))
            try contexts.theirs.save()
            try contexts.mine.save()
            try expectEqual(spouse(of: "b", contexts), (favoursObject(type) ? "a" : nil))
        }
    }

    @Test("a deletion that loses gives both partners back", arguments: OtherSaver.allCases, policies)
    func deletedPartner(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withAuthors(saver, type) { contexts, find in
            contexts.mine.delete(try find(contexts.mine, "a"))
            contexts.mine.processPendingChanges()
            try find(contexts.mine, "b").setValue(find(contexts.mine, "c"), forKey: "spouse")
            try find(contexts.theirs, "a").setValue(1, forKey: "age")
            try contexts.theirs.save()
            try contexts.mine.save()
            try expectEqual(spouse(of: "b", contexts), (favoursObject(type) ? "c" : "a"))
        }
    }

    @Test("a partner whose former partner was read earlier is taken from it, too", arguments: OtherSaver.allCases)
    func stalePartner(_ saver: OtherSaver) throws {
        try withAuthors(saver, .errorMergePolicyType) { contexts, find in
            try find(contexts.theirs, "b").setValue(find(contexts.theirs, "d"), forKey: "spouse")
            try contexts.theirs.save()
            // "b" is as it is now, "d" as it was.
            contexts.mine.refresh(try find(contexts.mine, "b"), mergeChanges: false)
            try #expect(find(contexts.mine, "b").object("spouse") === find(contexts.mine, "d"))
            try find(contexts.mine, "c").setValue(find(contexts.mine, "b"), forKey: "spouse")
            try contexts.mine.save()
            try expectEqual(spouse(of: "d", contexts), nil)
        }
    }

    @Test("a refresh finds the partner that others have given a changed object", arguments: OtherSaver.allCases)
    func refreshedPartner(_ saver: OtherSaver) throws {
        try withAuthors(saver, .errorMergePolicyType) { contexts, find in
            try find(contexts.mine, "a").setValue(find(contexts.mine, "c"), forKey: "spouse")
            try find(contexts.theirs, "a").setValue(find(contexts.theirs, "d"), forKey: "spouse")
            try contexts.theirs.save()
            for name in ["a", "b"] { contexts.mine.refresh(try find(contexts.mine, name), mergeChanges: true) }
            try contexts.mine.save()
            try expectEqual(spouse(of: "d", contexts), nil)
        }
    }

    @Test(
        "a conflict gives back the partners of a long row of pairs",
        arguments: [NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType])
    func longRow(_ type: NSMergePolicyType) throws {
        let count = TestRun.quick(2_000, long: 20_000)
        func names(_ sex: String) -> [String] { (0..<count).map { "\(sex)\($0)" } }
        // Each pair that is restored restores two others.
        let first = SmallThread.run {
            Result {
                var first: String?
                try withTwoContexts(.sqlite, policy: NSMergePolicy(merge: type)) { context in
                    for (man, woman) in zip(names("m"), names("w")) {
                        context.make("Author", man).setValue(context.make("Author", woman), forKey: "spouse")
                    }
                } _: { contexts in
                    let known = Dictionary(
                        uniqueKeysWithValues: try contexts.mine.all("Author").map { ($0.text("name") ?? "", $0) })
                    for (man, woman) in zip(names("m"), names("w").dropFirst()) {
                        known[man]?.setValue(known[woman], forKey: "spouse")
                    }
                    try contexts.theirs.one("Author", "m\(count / 2)").setValue(nil, forKey: "spouse")
                    try contexts.theirs.save()
                    try contexts.mine.save()
                    try contexts.stored { first = try $0.one("Author", "m0").object("spouse")?.text("name") }
                }
                return first
            }
        }
        try expectEqual(first?.get(), "w0")
    }

    @Test("a row that was inserted again is a conflict for each context that has read an earlier one")
    func versionOfReinsertedRow() throws {
        try withTwoContexts(.sqlite, policy: .overwrite) {
            $0.make("Author", "a")
        } _: { contexts in
            let authors = try contexts.both("Author", "a")
            let third = contexts.stack.newContext()
            try on(third) {
                let same = try third.one("Author", "a")
                same.setValue(1, forKey: "age")
                try third.save()
                contexts.theirs.refreshAllObjects()
                contexts.theirs.delete(authors.theirs)
                try contexts.theirs.save()
                // This context inserts the row again. It knows the first version of it, the third one the second.
                authors.mine.setValue("genre", forKey: "genre")
                try contexts.mine.save()
                same.setValue(2, forKey: "age")
                expectEqual(thrownError { try third.save() }?.code, NSManagedObjectMergeError)
            }
        }
    }
}
