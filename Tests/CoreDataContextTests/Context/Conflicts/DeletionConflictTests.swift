import CoreData
import Testing

@Suite("Deletions that win a conflict")
struct DeletionConflictTests {
    static let policies = [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType]

    /// The contexts have read an owner; the other one gives it a member and saves, and this one has deleted it.
    private func withDeletedOwner(
        _ saver: OtherSaver, _ type: NSMergePolicyType, _ owner: String, _ relationship: String, _ member: String,
        _ body: (TwoContexts) throws -> Void
    ) throws {
        try withTwoContexts(saver, policy: NSMergePolicy(merge: type)) {
            $0.make(owner, "owner")
            $0.make(member, "member")
        } _: { contexts in
            let owners = try contexts.both(owner, "owner")
            let members = try contexts.both(member, "member")
            _ = (owners.mine.value(forKey: relationship), owners.theirs.value(forKey: relationship))
            contexts.mine.delete(owners.mine)
            contexts.mine.processPendingChanges()
            let description = owners.theirs.entity.relationshipsByName[relationship]
            if description?.isToMany == false {
                owners.theirs.setValue(members.theirs, forKey: relationship)
            } else if description?.isOrdered == true {
                owners.theirs.mutableOrderedSetValue(forKey: relationship).add(members.theirs)
            } else {
                owners.theirs.mutableSetValue(forKey: relationship).add(members.theirs)
            }
            try contexts.theirs.save()
            try body(contexts)
            try contexts.stored {
                try expectEqual(GraphDefects.of($0, ["Author", "Book", "Chapter", "Publisher", "Cover"]), [])
            }
            withExtendedLifetime((owners, members)) {}
        }
    }

    @Test("nullify the members that others have added", arguments: OtherSaver.allCases, policies)
    func nullify(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withDeletedOwner(saver, type, "Author", "pupils", "Author") { contexts in
            try contexts.mine.save()
            try contexts.stored { fresh in
                try expectEqual(fresh.names("Author"), ["member"])
                try expectEqual(fresh.one("Author", "member").object("mentor"), nil)
            }
        }
    }

    @Test("delete the members that others have added, by a cascade rule", arguments: OtherSaver.allCases, policies)
    func cascade(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withDeletedOwner(saver, type, "Book", "chapters", "Chapter") { contexts in
            try contexts.mine.save()
            try contexts.stored { try #expect($0.all("Book").isEmpty && $0.all("Chapter").isEmpty) }
        }
    }

    @Test(
        "are refused if others have added members to a relationship that denies it", arguments: OtherSaver.allCases,
        policies)
    func deny(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withDeletedOwner(saver, type, "Publisher", "books", "Book") { contexts in
            expectEqual(thrownError { try contexts.mine.save() }?.code, NSValidationRelationshipDeniedDeleteError)
            try contexts.stored { fresh in
                try #expect(fresh.one("Book", "member").object("publisher") === fresh.one("Publisher", "owner"))
            }
            contexts.mine.rollback()
            try expectEqual(contexts.mine.one("Publisher", "owner").names("books"), ["member"])
        }
    }

    @Test(
        "end their links to an object that wins as a whole, also if they are inserted again",
        arguments: StoreKind.everyKind.without(.valuesReadByKey))
    func manyToMany(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let (deleting, linking, renaming) = (stack.context, stack.newContext(), stack.newContext())
            let book = deleting.make("Book", "B")
            let tag = deleting.make("Tag", "T")
            deleting.make("Tag", "U")
            book.mutableSetValue(forKey: "tags").add(tag)
            try deleting.save()
            for context in [deleting, linking, renaming] { context.mergePolicy = NSMergePolicy.overwrite }
            try on(renaming) {
                try renaming.one("Tag", "T").setValue("R", forKey: "name")
                try on(linking) {
                    let mine = try linking.one("Book", "B")
                    expectEqual(mine.names("tags"), ["T"])
                    mine.mutableSetValue(forKey: "tags").add(try linking.one("Tag", "U"))
                    deleting.delete(tag)
                    try deleting.save()
                    try linking.save()
                    expectEqual(mine.names("tags"), ["U"])
                }
                try renaming.save()
            }
            try inFreshContext(stack) { fresh in
                try expectEqual(fresh.names("Tag"), ["R", "U"])
                try expectEqual(fresh.one("Book", "B").names("tags"), ["U"])
                try expectEqual(GraphDefects.of(fresh, ["Book", "Tag"]), [])
            }
        }
    }

    @Test("nullify the object that others have made the one of a one-to-one", arguments: OtherSaver.allCases, policies)
    func oneToOne(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withDeletedOwner(saver, type, "Author", "spouse", "Author") { contexts in
            try contexts.mine.save()
            try contexts.stored { try expectEqual($0.one("Author", "member").object("spouse"), nil) }
        }
    }

    @Test(
        "delete the object that others have made the one of a one-to-one, by a cascade rule",
        arguments: OtherSaver.allCases, policies)
    func cascadeToOne(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withDeletedOwner(saver, type, "Book", "cover", "Cover") { contexts in
            try contexts.mine.save()
            try contexts.stored { try expectEmpty($0.all("Cover")) }
        }
    }

    @Test("have their members in the save, with conflicts of their own", arguments: OtherSaver.allCases)
    func changedMember(_ saver: OtherSaver) throws {
        try withDeletedOwner(saver, .mergeByPropertyObjectTrumpMergePolicyType, "Author", "pupils", "Author") {
            contexts in
            let member = try contexts.mine.one("Author", "member")
            member.setValue(30, forKey: "age")
            try contexts.mine.save()
            expectEqual(member.object("mentor"), nil)
            try contexts.stored { fresh in
                let stored = try fresh.one("Author", "member")
                expectEqual(stored.object("mentor"), nil)
                expectEqual(stored.number("age"), 30)
            }
        }
    }

    @Test("don't keep what a conflict gives back to an object from its deleted owner", arguments: OtherSaver.allCases)
    func rolledBackMember(_ saver: OtherSaver) throws {
        try withTwoContexts(saver, policy: .rollback) { context in
            let owner = context.make("Author", "owner")
            context.make("Author", "member", ["mentor": owner])
        } _: { contexts in
            let members = try contexts.both("Author", "member")
            contexts.mine.delete(try requireValue(members.mine.object("mentor")))
            contexts.mine.processPendingChanges()
            members.theirs.setValue(30, forKey: "age")
            try contexts.theirs.save()
            try contexts.mine.save()
            try contexts.stored { fresh in
                let stored = try fresh.one("Author", "member")
                expectEqual(stored.object("mentor"), nil)
                expectEqual(stored.number("age"), 30)
                try expectEqual(GraphDefects.of(fresh, ["Author"]), [])
            }
        }
    }

    @Test(
        "of two objects by others, which are inserted again, leave the reference between them",
        arguments: OtherSaver.allCases, policies)
    func references(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        let references = [
            ("Author", "mentor", "Author"), ("Book", "publisher", "Publisher"), ("Chapter", "book", "Book"),
            ("Author", "spouse", "Author"), ("Book", "cover", "Cover"),
        ]
        for (entity, key, destination) in references {
            for first in ["a", "b"] {
                try withTwoContexts(saver, policy: NSMergePolicy(merge: type)) { context in
                    context.make(entity, "a")
                    context.make(destination, "b")
                    if entity == destination && first == "b" { context.make(entity, "c") }
                } _: { contexts in
                    let source = try contexts.both(entity, first == "b" && entity == destination ? "c" : "a")
                    let target = try contexts.both(destination, "b")
                    source.mine.setValue(target.mine, forKey: key)
                    contexts.theirs.delete(source.theirs)
                    contexts.theirs.delete(target.theirs)
                    try contexts.theirs.save()
                    try contexts.mine.save()
                    #expect(source.mine.object(key) === target.mine, "\(entity).\(key)")
                    try contexts.stored { fresh in
                        let stored = try fresh.one(entity, source.mine.text("name") ?? "")
                        expectEqual(stored.object(key)?.text("name"), "b", "\(entity).\(key)")
                        try expectEqual(GraphDefects.of(fresh, [entity, destination]), [])
                    }
                }
            }
        }
    }

    @Test(
        "by others leave the reference of an object to itself, which is inserted again",
        arguments: OtherSaver.allCases, policies)
    func ownReference(_ saver: OtherSaver, _ type: NSMergePolicyType) throws {
        try withTwoContexts(saver, policy: NSMergePolicy(merge: type)) {
            $0.make("Author", "a")
        } _: { contexts in
            let author = try contexts.both("Author", "a")
            author.mine.setValue(author.mine, forKey: "mentor")
            contexts.theirs.delete(author.theirs)
            try contexts.theirs.save()
            try contexts.mine.save()
            try contexts.stored { fresh in
                let stored = try fresh.one("Author", "a")
                #expect(stored.object("mentor") === stored)
            }
        }
    }
}
