import CoreData
import Testing

/// The sides of a relationship that were read at different times.
@Suite("Relationships that another context has changed")
struct RelationshipConflictTests {
    /// A saved book with chapters in the stack's context, and another context, whose queue runs the block.
    private func withBook(
        _ kind: StoreKind, chapters: [String] = [], tag: String? = nil,
        _ body: (TestStack, NSManagedObject, NSManagedObjectContext) throws -> Void
    ) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            book.setValue(NSOrderedSet(array: chapters.map { stack.context.make("Chapter", $0) }), forKey: "chapters")
            if let tag { book.setValue(NSSet(object: stack.context.make("Tag", tag)), forKey: "tags") }
            try stack.context.save()
            let other = stack.newContext()
            try on(other) { try body(stack, book, other) }
        }
    }

    @Test(
        "a fault that a fetch finds changed doesn't keep a relationship that was read before",
        arguments: StoreKind.everyKind.without(.objectsFromContext))
    func relationshipOfRefetchedFault(_ kind: StoreKind) throws {
        try withBook(kind, chapters: ["a", "b", "c"]) { stack, book, other in
            let same = try other.one("Book", "Emma")
            expectEqual(same.names("chapters"), ["a", "b", "c"])
            expectTrue(same.isFault)
            stack.context.delete(try requireValue(book.ordered("chapters").last))
            try stack.context.save()
            try #expect(other.one("Book", "Emma") === same)
            // With the version of the new row and the chapters of the old one, a save would have no conflict.
            expectEqual(same.names("chapters"), ["a", "b"])
        }
    }

    @Test(
        "a fault that fires with a newer row doesn't keep a relationship that was read before",
        arguments: StoreKind.everyKind.without(.objectsFromContext))
    func relationshipOfFiredFault(_ kind: StoreKind) throws {
        try withBook(kind, chapters: ["a", "b", "c"]) { stack, book, other in
            let same = try other.one("Book", "Emma")
            expectEqual(same.names("chapters"), ["a", "b", "c"])
            expectTrue(same.isFault)
            stack.context.delete(try requireValue(book.ordered("chapters").last))
            try stack.context.save()
            expectEqual(same.text("name"), "Emma")
            expectEqual(same.names("chapters"), ["a", "b"])
        }
    }

    @Test(
        "a member that is deleted leaves the newest members of a fault with a newer row",
        arguments: StoreKind.everyKind.without(.objectsFromContext))
    func deletionFromFaultWithNewerRow(_ kind: StoreKind) throws {
        try withBook(kind, chapters: ["a", "b", "c", "d"]) { stack, book, other in
            let same = try other.one("Book", "Emma")
            let last = try requireValue(same.ordered("chapters").last)
            expectEqual(same.names("chapters"), ["a", "b", "c", "d"])
            expectTrue(same.isFault)
            stack.context.delete(book.ordered("chapters")[1])
            book.mutableOrderedSetValue(forKey: "chapters").add(stack.context.make("Chapter", "e"))
            try stack.context.save()
            other.delete(last)
            try other.save()
            expectEqual(same.names("chapters"), ["a", "c", "e"])
            other.refreshAllObjects()
            expectEqual(same.names("chapters"), ["a", "c", "e"])
        }
    }

    @Test(
        "a member added to a fault with a newer row joins the newest members",
        arguments: StoreKind.everyKind.without(.objectsFromContext))
    func additionToFaultWithNewerRow(_ kind: StoreKind) throws {
        try withBook(kind, tag: "a") { stack, book, other in
            let same = try other.one("Book", "Emma")
            expectEqual(same.names("tags"), ["a"])
            expectTrue(same.isFault)
            book.mutableSetValue(forKey: "tags").add(stack.context.make("Tag", "b"))
            try stack.context.save()
            let tags = same.mutableSetValue(forKey: "tags")
            tags.add(other.make("Tag", "c"))
            try other.save()
            other.refreshAllObjects()
            expectEqual(same.names("tags"), ["a", "b", "c"])
        }
    }

    @Test(
        "an index that was read from a fault's mutable ordered set stays that of its member",
        arguments: StoreKind.everyKind.without(.objectsFromContext))
    func indexesOfMutableOrderedSets(_ kind: StoreKind) throws {
        try withBook(kind, chapters: ["a", "b", "c"]) { stack, book, other in
            let same = other.object(with: book.objectID)
            let chapters = same.mutableOrderedSetValue(forKey: "chapters")
            expectEqual(same.names("chapters"), ["a", "b", "c"])
            let index = chapters.index(of: try requireValue(same.ordered("chapters").last))
            stack.context.delete(book.ordered("chapters")[0])
            try stack.context.save()
            chapters.removeObject(at: index)
            expectEqual(same.names("chapters"), ["a", "b"])
            // The members are as old as the version of the owner.
            expectEqual(thrownError { try other.save() }?.code, 133020)
        }
    }

    @Test(
        "members that were read before the row of their fault are read again when they change",
        arguments: StoreKind.everyKind.without(.objectsFromContext))
    func membersReadBeforeTheRow(_ kind: StoreKind) throws {
        try withBook(kind, chapters: ["a", "b", "c", "d"]) { stack, book, other in
            let same = other.object(with: book.objectID)
            let last = try requireValue(same.ordered("chapters").last)
            expectTrue(same.isFault)
            stack.context.delete(book.ordered("chapters")[1])
            book.mutableOrderedSetValue(forKey: "chapters").add(stack.context.make("Chapter", "e"))
            try stack.context.save()
            // The fault fires: the members are older than the version that it has from now on.
            expectEqual(same.text("name"), "Emma")
            let chapters = same.mutableOrderedSetValue(forKey: "chapters")
            chapters.remove(last)
            expectEqual((chapters.array as? [NSManagedObject])?.map { $0.text("name") }, ["a", "c", "e"])
            try other.save()
            other.refreshAllObjects()
            expectEqual(same.names("chapters"), ["a", "c", "e"])
        }
    }

    @Test(
        "the deletion of an object reaches members that it got after its members were read and before its row was",
        arguments: StoreKind.everyKind.without(.objectsFromContext))
    func deletionAfterMembersReadBeforeTheRow(_ kind: StoreKind) throws {
        try withBook(kind, tag: "a") { stack, book, other in
            let same = other.object(with: book.objectID)
            expectEqual(same.names("tags"), ["a"])
            expectTrue(same.isFault)
            book.mutableSetValue(forKey: "tags").add(stack.context.make("Tag", "b"))
            try stack.context.save()
            other.delete(same)
            try other.save()
            try #expect(other.all("Tag").allSatisfy { $0.objects("books").isEmpty })
        }
    }

    /// Two books with chapters in both contexts: "a" and "b" of Emma, none of Persuasion.
    private func withChapters(
        _ kind: StoreKind,
        _ body: (
            NSManagedObjectContext, NSManagedObjectContext, (NSManagedObjectContext, String) throws -> NSManagedObject
        )
            throws -> Void
    ) throws {
        try withStack(kind) { stack in
            let emma = stack.context.make("Book", "Emma")
            stack.context.make("Book", "Persuasion")
            emma.setValue(
                NSOrderedSet(array: ["a", "b"].map { stack.context.make("Chapter", $0) }), forKey: "chapters")
            stack.context.make("Tag", "t").mutableSetValue(forKey: "books").add(emma)
            try stack.context.save()
            let other = stack.newContext()
            try on(other) {
                let kept = try [stack.context, other].flatMap { try $0.all("Book") + $0.all("Chapter") + $0.all("Tag") }
                for object in kept { _ = object.text("name") }
                for book in kept where book.entity.name == "Book" {
                    _ = (book.ordered("chapters"), book.objects("tags"))
                }
                try body(stack.context, other) { context, name in
                    try requireValue(kept.first { $0.managedObjectContext === context && $0.text("name") == name })
                }
                withExtendedLifetime(kept) {}
            }
        }
    }

    @Test(
        "a deleted object that was moved elsewhere leaves its new owner when it is refreshed",
        arguments: StoreKind.everyKind.without(.objectsFromContext))
    func deletedObjectThatWasMoved(_ kind: StoreKind) throws {
        try withChapters(kind) { context, other, find in
            other.delete(try find(other, "a"))
            other.processPendingChanges()
            try find(context, "a").setValue(find(context, "Persuasion"), forKey: "book")
            try context.save()
            other.refreshAllObjects()
            try expectEmpty(find(other, "Persuasion").ordered("chapters"))
            try other.save()
            try expectEmpty(find(other, "Persuasion").ordered("chapters"))
            try expectEqual(find(other, "Emma").names("chapters"), ["b"])
        }
    }

    @Test(
        "an unsaved change of a to-one relationship leaves the owner that another context has set, after a refresh",
        arguments: StoreKind.everyKind.without(.objectsFromContext))
    func removedObjectThatWasMoved(_ kind: StoreKind) throws {
        try withChapters(kind) { context, other, find in
            try find(other, "a").setValue(nil, forKey: "book")
            try find(context, "a").setValue(find(context, "Persuasion"), forKey: "book")
            try context.save()
            other.refreshAllObjects()
            try expectEmpty(find(other, "Persuasion").ordered("chapters"))
            try other.save()
            try expectEmpty(find(other, "Persuasion").ordered("chapters"))
            try expectEqual(find(other, "a").object("book"), nil)
        }
    }

    @Test(
        "a member whose inverse was read earlier isn't removed without a conflict",
        arguments: StoreKind.everyKind.without(.objectsFromContext))
    func staleInverseOfRemovedMember(_ kind: StoreKind) throws {
        try withChapters(kind) { context, other, find in
            try find(context, "a").setValue(find(context, "Persuasion"), forKey: "book")
            try context.save()
            let persuasion = try find(other, "Persuasion")
            other.refresh(persuasion, mergeChanges: false)
            try expectEqual(persuasion.ordered("chapters"), [find(other, "a")])
            try expectEqual(find(other, "a").object("book"), find(other, "Emma"))
            persuasion.mutableOrderedSetValue(forKey: "chapters").removeObject(at: 0)
            expectEqual(thrownError { try other.save() }?.code, 133020)
            // Without the removal the save checks nothing but its own changes.
            other.rollback()
            persuasion.setValue(1, forKey: "pages")
            try other.save()
        }
    }

    @Test(
        "a member of a many-to-many relationship whose other side was read earlier isn't removed without a conflict",
        arguments: StoreKind.everyKind.without(.objectsFromContext))
    func staleOtherSide(_ kind: StoreKind) throws {
        try withChapters(kind) { context, other, find in
            try find(context, "t").mutableSetValue(forKey: "books").add(find(context, "Persuasion"))
            try context.save()
            let tag = try find(other, "t")
            other.refresh(tag, mergeChanges: false)
            tag.mutableSetValue(forKey: "books").remove(try find(other, "Persuasion"))
            expectEqual(thrownError { try other.save() }?.code, 133020)
        }
    }

    /// The first context moves "a" to Persuasion. The other one refreshes "a" alone, so that it knows the books as they
    /// were before.
    private func moveChapter(
        _ context: NSManagedObjectContext, _ other: NSManagedObjectContext,
        _ find: (NSManagedObjectContext, String) throws -> NSManagedObject
    ) throws {
        try find(context, "a").setValue(find(context, "Persuasion"), forKey: "book")
        try context.save()
        other.refresh(try find(other, "a"), mergeChanges: false)
        try expectEqual(find(other, "a").object("book"), find(other, "Persuasion"))
        try expectEqual(find(other, "Emma").names("chapters"), ["a", "b"])
        try expectEqual(find(other, "Persuasion").names("chapters"), [])
    }

    @Test(
        "a member that is removed from its former owner leaves the owner that another context has given it",
        arguments: StoreKind.everyKind.without(.objectsFromContext))
    func memberRemovedFromFormerOwner(_ kind: StoreKind) throws {
        try withChapters(kind) { context, other, find in
            try moveChapter(context, other, find)
            let persuasion = try find(other, "Persuasion")
            try find(other, "Emma").mutableOrderedSetValue(forKey: "chapters").removeObject(at: 0)
            persuasion.setValue(1, forKey: "pages")
            other.refreshAllObjects()
            try expectEqual(find(other, "a").object("book"), nil)
            expectEqual(persuasion.names("chapters"), [])
            try other.save()
            expectEqual(persuasion.names("chapters"), [])
        }
    }

    @Test(
        "a member that is added to its former owner leaves the owner that another context has given it",
        arguments: StoreKind.everyKind.without(.objectsFromContext))
    func memberAddedToFormerOwner(_ kind: StoreKind) throws {
        try withChapters(kind) { context, other, find in
            try moveChapter(context, other, find)
            let (emma, persuasion) = try (find(other, "Emma"), find(other, "Persuasion"))
            let chapters = emma.mutableOrderedSetValue(forKey: "chapters")
            other.refresh(emma, mergeChanges: false)
            chapters.insert(try find(other, "a"), at: 1)
            persuasion.setValue(1, forKey: "pages")
            other.refreshAllObjects()
            expectEqual(emma.names("chapters"), ["b", "a"])
            expectEqual(persuasion.names("chapters"), [])
            try other.save()
            expectEqual(persuasion.names("chapters"), [])
        }
    }

    @Test(
        "a member that only its own side shows is removed from its owner",
        arguments: StoreKind.everyKind.without(.objectsFromContext))
    func memberShownByItsOwnSide(_ kind: StoreKind) throws {
        try withChapters(kind) { context, other, find in
            try moveChapter(context, other, find)
            let persuasion = try find(other, "Persuasion")
            persuasion.mutableOrderedSetValue(forKey: "chapters").remove(try find(other, "a"))
            persuasion.setValue(1, forKey: "pages")
            other.refreshAllObjects()
            try expectEqual(find(other, "a").object("book"), nil)
            expectEqual(persuasion.names("chapters"), [])
            try other.save()
            expectEqual(persuasion.names("chapters"), [])
        }
    }

    @Test(
        "a deleted object leaves the owner that another context has given it",
        arguments: StoreKind.everyKind.without(.objectsFromContext))
    func deletedMemberOfNewOwner(_ kind: StoreKind) throws {
        try withChapters(kind) { context, other, find in
            try moveChapter(context, other, find)
            let persuasion = try find(other, "Persuasion")
            other.delete(try find(other, "a"))
            other.processPendingChanges()
            persuasion.setValue(1, forKey: "pages")
            other.refreshAllObjects()
            expectEqual(persuasion.names("chapters"), [])
            try other.save()
            expectEqual(persuasion.names("chapters"), [])
        }
    }

    @Test(
        "the deletion of an owner is a conflict if another context has given it a member that was read before",
        arguments: StoreKind.everyKind.without(.objectsFromContext))
    func deletedOwnerOfStaleMember(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let first = stack.context.make("Author", "first")
            let second = stack.context.make("Author", "second")
            let pupil = stack.context.make("Author", "pupil", ["mentor": first])
            try stack.context.save()
            let other = stack.newContext()
            try on(other) {
                let stale = try other.one("Author", "pupil")
                expectEqual(stale.object("mentor")?.text("name"), "first")
                pupil.setValue(second, forKey: "mentor")
                try stack.context.save()
                let owner = other.object(with: second.objectID)
                expectEqual(owner.names("pupils"), ["pupil"])
                expectEqual(stale.object("mentor")?.text("name"), "first")
                // Without a conflict the store would have a pupil of an object that is gone.
                other.delete(owner)
                expectEqual(thrownError { try other.save() }?.code, 133020)
            }
        }
    }

    @Test("a deleted object that gets a relationship keeps the save from being written", arguments: StoreKind.everyKind)
    func relationshipOfDeletedObject(_ kind: StoreKind) throws {
        try withChapters(kind) { context, _, find in
            let chapter = try find(context, "a")
            context.delete(chapter)
            context.processPendingChanges()
            chapter.setValue(try find(context, "Persuasion"), forKey: "book")
            expectEqual(thrownError { try context.save() }?.code, 1550)
            context.rollback()
            try expectEqual(find(context, "Emma").names("chapters"), ["a", "b"])
        }
    }
}
