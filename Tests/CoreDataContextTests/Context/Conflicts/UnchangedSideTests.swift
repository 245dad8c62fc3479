import CoreData
import Testing

/// Changes of which one side has nothing to change, because this context has read it at another time than the other
/// side.
@Suite("Sides of a relationship that have nothing to change")
struct UnchangedSideTests {
    static let kinds = StoreKind.everyKind.without(.valuesReadByKey)
    static let policies: [NSMergePolicyType] = [
        .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
        .overwriteMergePolicyType, .rollbackMergePolicyType,
    ]
    static let entities = ["Author", "Book", "Cover", "Publisher", "Tag", "Shelf"]

    /// How a context gets the newest row of an object.
    enum Refresh: CaseIterable {
        case merging, discarding, all, notification, fetch
    }

    /// Two contexts of one coordinator. At the end, a third one finds both sides of each relationship equal.
    private struct Contexts {
        let stack: TestStack
        let mine: NSManagedObjectContext
        let theirs: NSManagedObjectContext

        /// Changes an object in the other context, and saves.
        func change(_ entity: String, _ name: String, _ key: String, _ destination: (String, String)?) throws {
            theirs.refreshAllObjects()
            try theirs.one(entity, name).setValue(destination.map { try theirs.one($0.0, $0.1) }, forKey: key)
            try theirs.save()
        }

        /// Reads the newest rows of some objects in this context.
        func refresh(_ objects: NSManagedObject..., by refresh: Refresh = .merging) throws {
            switch refresh {
            case .merging: for object in objects { mine.refresh(object, mergeChanges: true) }
            case .discarding: for object in objects { mine.refresh(object, mergeChanges: false) }
            case .all: mine.refreshAllObjects()
            case .notification:
                NSManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: [NSUpdatedObjectsKey: objects.map(\.objectID)], into: [mine])
            case .fetch:
                for object in objects {
                    let request = NSFetchRequest<NSManagedObject>(entityName: object.entity.name!)
                    request.shouldRefreshRefetchedObjects = true
                    _ = try mine.fetch(request)
                }
            }
        }

        /// The name of the destination of a to-one relationship in the store.
        func stored(_ entity: String, _ name: String, _ key: String) throws -> String? {
            var found: String?
            try inFreshContext(stack) { found = try $0.one(entity, name).object(key)?.text("name") }
            return found
        }
    }

    private func withContexts(
        _ kind: StoreKind, policy: NSMergePolicyType = .errorMergePolicyType,
        given: (NSManagedObjectContext) throws -> Void, _ body: (Contexts) throws -> Void
    ) throws {
        try withStack(kind) { stack in
            try given(stack.context)
            try stack.context.save()
            stack.context.reset()
            stack.context.mergePolicy = NSMergePolicy(merge: policy)
            let theirs = stack.newContext()
            try on(theirs) { try body(Contexts(stack: stack, mine: stack.context, theirs: theirs)) }
            try inFreshContext(stack) { try expectEqual(GraphDefects.of($0, Self.entities), []) }
        }
    }

    /// This context has paired a cover with a book that was read when they were a pair before. The other context has
    /// then given the book another cover.
    private func withPair(
        _ kind: StoreKind, policy: NSMergePolicyType = .errorMergePolicyType,
        _ body: (Contexts, _ book: NSManagedObject, _ cover: NSManagedObject) throws -> Void
    ) throws {
        try withContexts(kind, policy: policy) {
            $0.make("Book", "book").setValue($0.make("Cover", "cover"), forKey: "cover")
            $0.make("Cover", "other")
        } _: { contexts in
            let (book, cover) = (try contexts.mine.one("Book", "book"), try contexts.mine.one("Cover", "cover"))
            _ = (book.object("cover"), cover.object("book"))
            try contexts.change("Cover", "cover", "book", nil)
            contexts.mine.refresh(cover, mergeChanges: false)
            expectEqual(cover.object("book"), nil)
            cover.setValue(book, forKey: "book")
            try contexts.change("Book", "book", "cover", ("Cover", "other"))
            try body(contexts, book, cover)
        }
    }

    @Test("a partner that was refreshed has the partner of an unsaved change", arguments: kinds, Refresh.allCases)
    func refreshedPartner(_ kind: StoreKind, _ refresh: Refresh) throws {
        try withPair(kind) { contexts, book, cover in
            try contexts.refresh(book, by: refresh)
            #expect(book.object("cover") === cover)
            try contexts.mine.save()
            try expectEqual(contexts.stored("Book", "book", "cover"), "cover")
        }
    }

    @Test("a partner that was not refreshed is a conflict, on both sides", arguments: kinds, policies)
    func conflictingPartner(_ kind: StoreKind, _ policy: NSMergePolicyType) throws {
        try withPair(kind, policy: policy) { contexts, book, cover in
            try contexts.mine.save()
            let favoursObject = [.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType].contains(policy)
            try expectEqual(contexts.stored("Book", "book", "cover"), favoursObject ? "cover" : "other")
        }
    }

    @Test("a pair that was separated stays separated after a refresh of both", arguments: kinds, Refresh.allCases)
    func separatedPair(_ kind: StoreKind, _ refresh: Refresh) throws {
        try withContexts(kind) {
            $0.make("Book", "book").setValue($0.make("Cover", "cover"), forKey: "cover")
        } _: { contexts in
            let (book, cover) = (try contexts.mine.one("Book", "book"), try contexts.mine.one("Cover", "cover"))
            _ = cover.object("book")
            try contexts.change("Cover", "cover", "book", nil)
            contexts.mine.refresh(book, mergeChanges: false)
            expectEqual(book.object("cover"), nil)
            cover.setValue(nil, forKey: "book")
            try contexts.change("Cover", "cover", "book", ("Book", "book"))
            contexts.mine.refresh(cover, mergeChanges: true)
            try contexts.refresh(book, by: refresh)
            expectEqual(book.object("cover"), nil)
            try contexts.mine.save()
            try expectEqual(contexts.stored("Book", "book", "cover"), nil)
        }
    }

    @Test("a member that was refreshed stays removed by an unsaved change", arguments: kinds, Refresh.allCases)
    func removedMember(_ kind: StoreKind, _ refresh: Refresh) throws {
        try withRemovedMember(kind) { contexts, author, book in
            try contexts.refresh(book, by: refresh)
            expectEqual(book.object("author"), nil)
            try contexts.mine.save()
            expectEqual(author.objects("books"), [])
            try expectEqual(contexts.stored("Book", "book", "author"), nil)
        }
    }

    @Test("a removed member that was not refreshed is a conflict, on both sides", arguments: kinds, policies)
    func conflictingMember(_ kind: StoreKind, _ policy: NSMergePolicyType) throws {
        try withRemovedMember(kind, policy: policy) { contexts, author, book in
            try contexts.mine.save()
            let favoursObject = [.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType].contains(policy)
            try expectEqual(contexts.stored("Book", "book", "author"), favoursObject ? nil : "author")
            expectEqual(book.object("author"), favoursObject ? nil : author)
            expectEqual(author.objects("books"), favoursObject ? [] : [book])
        }
    }

    /// This context has removed a member that was read before it became one.
    private func withRemovedMember(
        _ kind: StoreKind, policy: NSMergePolicyType = .errorMergePolicyType,
        _ body: (Contexts, _ author: NSManagedObject, _ book: NSManagedObject) throws -> Void
    ) throws {
        try withContexts(kind, policy: policy) {
            $0.make("Author", "author")
            $0.make("Book", "book")
        } _: { contexts in
            let (author, book) = (try contexts.mine.one("Author", "author"), try contexts.mine.one("Book", "book"))
            expectEqual(book.object("author"), nil)
            try contexts.change("Book", "book", "author", ("Author", "author"))
            contexts.mine.refresh(author, mergeChanges: false)
            expectEqual(author.objects("books"), [book])
            author.mutableSetValue(forKey: "books").remove(book)
            try body(contexts, author, book)
        }
    }

    @Test("a member that was refreshed stays with the owner of an unsaved change", arguments: kinds, Refresh.allCases)
    func addedMember(_ kind: StoreKind, _ refresh: Refresh) throws {
        try withAddedMember(kind) { contexts, author, book in
            try contexts.refresh(book, by: refresh)
            #expect(book.object("author") === author)
            try contexts.mine.save()
            expectEqual(author.objects("books"), [book])
            try expectEqual(contexts.stored("Book", "book", "author"), "author")
        }
    }

    @Test("an added member that was not refreshed is a conflict, on both sides", arguments: kinds, policies)
    func conflictingAddition(_ kind: StoreKind, _ policy: NSMergePolicyType) throws {
        try withAddedMember(kind, policy: policy) { contexts, author, book in
            try contexts.mine.save()
            let favoursObject = [.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType].contains(policy)
            try expectEqual(contexts.stored("Book", "book", "author"), favoursObject ? "author" : "other")
            expectEqual(book.object("author") === author, favoursObject)
            expectEqual(author.objects("books"), favoursObject ? [book] : [])
        }
    }

    /// This context has added a member that was read when it was one before. The other context has then moved it.
    private func withAddedMember(
        _ kind: StoreKind, policy: NSMergePolicyType = .errorMergePolicyType,
        _ body: (Contexts, _ author: NSManagedObject, _ book: NSManagedObject) throws -> Void
    ) throws {
        try withContexts(kind, policy: policy) {
            $0.make("Book", "book").setValue($0.make("Author", "author"), forKey: "author")
            $0.make("Author", "other")
        } _: { contexts in
            let (author, book) = (try contexts.mine.one("Author", "author"), try contexts.mine.one("Book", "book"))
            #expect(book.object("author") === author)
            try contexts.change("Book", "book", "author", nil)
            contexts.mine.refresh(author, mergeChanges: false)
            expectEqual(author.objects("books"), [])
            author.mutableSetValue(forKey: "books").add(book)
            try contexts.change("Book", "book", "author", ("Author", "other"))
            try body(contexts, author, book)
        }
    }

    @Test("a member that was refreshed doesn't refer to a deleted owner", arguments: kinds, Refresh.allCases)
    func deletedOwner(_ kind: StoreKind, _ refresh: Refresh) throws {
        try withContexts(kind) {
            $0.make("Author", "mentor")
            $0.make("Author", "pupil")
        } _: { contexts in
            let (mentor, pupil) = (try contexts.mine.one("Author", "mentor"), try contexts.mine.one("Author", "pupil"))
            expectEqual(pupil.object("mentor"), nil)
            try contexts.change("Author", "pupil", "mentor", ("Author", "mentor"))
            contexts.mine.refresh(mentor, mergeChanges: false)
            expectEqual(mentor.objects("pupils"), [pupil])
            contexts.mine.delete(mentor)
            contexts.mine.processPendingChanges()
            try contexts.refresh(pupil, by: refresh)
            expectEqual(pupil.object("mentor"), nil)
            try contexts.mine.save()
            try expectEqual(contexts.stored("Author", "pupil", "mentor"), nil)
        }
    }

    // MARK: Objects that were set to equal values

    @Test("a partner that was set to equal values is checked, too", arguments: kinds, policies)
    func equalPartner(_ kind: StoreKind, _ policy: NSMergePolicyType) throws {
        try withContexts(kind, policy: policy) {
            $0.make("Book", "book").setValue($0.make("Cover", "cover"), forKey: "cover")
        } _: { contexts in
            let (book, cover) = (try contexts.mine.one("Book", "book"), try contexts.mine.one("Cover", "cover"))
            cover.setValue(book, forKey: "book")
            book.setValue(1, forKey: "pages")
            try contexts.change("Cover", "cover", "book", nil)
            try contexts.mine.save()
            try expectEqual(
                contexts.stored("Book", "book", "cover"), policy == .overwriteMergePolicyType ? "cover" : nil)
        }
    }

    @Test("a deleted owner that was set to equal values is found, too", arguments: kinds, policies)
    func equalOwner(_ kind: StoreKind, _ policy: NSMergePolicyType) throws {
        try withContexts(kind, policy: policy) {
            $0.make("Author", "pupil").setValue($0.make("Author", "mentor"), forKey: "mentor")
        } _: { contexts in
            let (mentor, pupil) = (try contexts.mine.one("Author", "mentor"), try contexts.mine.one("Author", "pupil"))
            _ = pupil.object("mentor")
            mentor.setValue("mentor", forKey: "name")
            pupil.setValue(1, forKey: "age")
            contexts.theirs.delete(try contexts.theirs.one("Author", "mentor"))
            try contexts.theirs.save()
            try contexts.mine.save()
        }
    }

    @Test("a deleted owner that was set to equal values is found, too, if it has unchanged members", arguments: kinds)
    func equalOwnerWithMembers(_ kind: StoreKind) throws {
        try withContexts(kind, policy: .overwriteMergePolicyType) {
            let mentor = $0.make("Author", "mentor")
            mentor.mutableSetValue(forKey: "friends").add($0.make("Author", "friend"))
            $0.make("Author", "pupil").setValue(mentor, forKey: "mentor")
        } _: { contexts in
            let (mentor, pupil) = (try contexts.mine.one("Author", "mentor"), try contexts.mine.one("Author", "pupil"))
            #expect(pupil.object("mentor") === mentor)
            expectEqual(mentor.names("friends"), ["friend"])
            mentor.setValue("mentor", forKey: "name")
            pupil.setValue(1, forKey: "age")
            contexts.theirs.delete(try contexts.theirs.one("Author", "mentor"))
            try contexts.theirs.save()
            try contexts.mine.save()
            try expectEqual(contexts.stored("Author", "pupil", "mentor"), nil)
        }
    }

    @Test("a deleted member that was set to equal values is found, too", arguments: kinds, policies)
    func equalMember(_ kind: StoreKind, _ policy: NSMergePolicyType) throws {
        try withContexts(kind, policy: policy) {
            $0.make("Book", "book").mutableSetValue(forKey: "tags").add($0.make("Tag", "tag"))
        } _: { contexts in
            let (book, tag) = (try contexts.mine.one("Book", "book"), try contexts.mine.one("Tag", "tag"))
            _ = book.objects("tags")
            tag.setValue("tag", forKey: "name")
            book.mutableSetValue(forKey: "tags").add(contexts.mine.make("Tag", "new"))
            contexts.theirs.delete(try contexts.theirs.one("Tag", "tag"))
            try contexts.theirs.save()
            try contexts.mine.save()
        }
    }

    // MARK: Objects that win as a whole

    @Test("an owner that gets a member back is written, so that its deletion is a conflict", arguments: kinds)
    func memberGivenBack(_ kind: StoreKind) throws {
        try withContexts(kind, policy: .overwriteMergePolicyType) {
            $0.make("Author", "pupil").setValue($0.make("Author", "mentor"), forKey: "mentor")
        } _: { contexts in
            let (mentor, pupil) = (try contexts.mine.one("Author", "mentor"), try contexts.mine.one("Author", "pupil"))
            #expect(pupil.object("mentor") === mentor)
            try contexts.change("Author", "pupil", "mentor", nil)
            let theirs = try contexts.theirs.one("Author", "mentor")
            expectEqual(theirs.text("name"), "mentor")
            expectEqual(theirs.objects("pupils"), [])
            pupil.setValue(1, forKey: "age")
            try contexts.mine.save()
            try expectEqual(contexts.stored("Author", "pupil", "mentor"), "mentor")
            contexts.theirs.delete(theirs)
            expectEqual(thrownError { try contexts.theirs.save() }?.code, NSManagedObjectMergeError)
        }
    }

    @Test("members that are added again have the object in their order, too", arguments: kinds)
    func orderedInverse(_ kind: StoreKind) throws {
        try withContexts(kind, policy: .overwriteMergePolicyType) {
            $0.make("Book", "book").mutableSetValue(forKey: "shelves").add($0.make("Shelf", "shelf"))
            $0.make("Shelf", "new")
            $0.make("Book", "second")
        } _: { contexts in
            let (book, shelf) = (try contexts.mine.one("Book", "book"), try contexts.mine.one("Shelf", "shelf"))
            let (second, new) = (try contexts.mine.one("Book", "second"), try contexts.mine.one("Shelf", "new"))
            _ = (book.objects("shelves"), shelf.ordered("items"))
            shelf.mutableOrderedSetValue(forKey: "items").add(second)
            book.mutableSetValue(forKey: "shelves").add(new)
            contexts.theirs.delete(try contexts.theirs.one("Shelf", "shelf"))
            try contexts.theirs.save()
            try contexts.mine.save()
            expectEqual(Set(shelf.ordered("items")), [book, second])
            expectEqual(Set(book.objects("shelves")), [shelf, new])
        }
    }
}
