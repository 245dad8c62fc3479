import CoreData
import Testing

@Suite("Query generations: pinning and advancing")
struct QueryGenerationTests {
    @Test("a context is not pinned by default")
    func unpinned() throws {
        let library = try PinnedLibrary()
        try on(library.pinned) {
            expectEqual(library.pinned.queryGenerationToken, nil)
            try expectEqual(library.pinned.names("Tag"), ["old"])
        }
        try library.change(.context)
        try on(library.pinned) { try expectEqual(library.pinned.names("Tag"), ["new", "old"]) }
    }

    @Test("the current generation is the one of the first read")
    func lazyPinning() throws {
        let library = try PinnedLibrary()
        let context = library.pinned
        try on(context) {
            try context.setQueryGenerationFrom(.current)
            expectEqual(context.queryGenerationToken, .current)
        }
        try library.change(.coordinator)
        try on(context) {
            try expectEqual(context.names("Tag"), ["new", "old"])
            let token = try requireValue(context.queryGenerationToken)
            #expect(token != .current)
            expectEqual(token, context.queryGenerationToken)
        }
    }

    @Test(
        """
        setting the current generation again moves on; objects that have their values keep them until they are \
        refreshed
        """
    )
    func movingOn() throws {
        let library = try PinnedLibrary()
        let context = library.pinned
        try library.pin()
        let emma = try context.performAndWait { UnsafeSender(try context.one("Book", "Emma")) }.value
        try on(context) { expectEqual(emma.number("pages"), 300) }
        try library.change(.context)
        try on(context) {
            try context.setQueryGenerationFrom(.current)
            try expectEqual(context.names("Tag"), ["new", "old"])
            expectEqual(emma.number("pages"), 300)
            context.refresh(emma, mergeChanges: true)
            expectEqual(emma.number("pages"), 999)
        }
    }

    @Test("faults with attached rows of an older generation read the newer rows")
    func faultsWithRows() throws {
        let library = try PinnedLibrary()
        let context = library.pinned
        try library.pin()
        let emma = try context.performAndWait { UnsafeSender(try context.all("Book", "pages == 300")[0]) }.value
        try library.change(.coordinator)
        try on(context) {
            expectTrue(emma.isFault)
            try context.setQueryGenerationFrom(.current)
            expectEqual(emma.number("pages"), 999)
            expectEqual(emma.names("chapters"), ["three", "two"])
        }
    }

    @Test("nil removes the pin")
    func unpinning() throws {
        let library = try PinnedLibrary()
        try library.pin()
        try library.change(.context)
        try on(library.pinned) {
            try library.pinned.setQueryGenerationFrom(nil)
            expectEqual(library.pinned.queryGenerationToken, nil)
            try expectEqual(library.pinned.names("Tag"), ["new", "old"])
        }
        let other = library.stack.newContext()
        try on(other) {
            other.make("Tag", "newest")
            try other.save()
        }
        try on(library.pinned) { try expectEqual(library.pinned.names("Tag"), ["new", "newest", "old"]) }
    }

    @Test("a token pins another context to the same generation")
    func sharedToken() throws {
        let library = try PinnedLibrary()
        try library.pin()
        let token = try requireValue(library.pinned.performAndWait { library.pinned.queryGenerationToken })
        try library.change(.context)
        let second = library.stack.newContext()
        try on(second) {
            try second.setQueryGenerationFrom(token)
            expectEqual(second.queryGenerationToken, token)
            try expectEqual(second.names("Book", "author.name == 'Jane'"), ["Emma", "Persuasion"])
        }
        // The token retains the generation.
        try on(library.pinned) { try library.pinned.setQueryGenerationFrom(nil) }
        try on(second) {
            try second.setQueryGenerationFrom(nil)
            try second.setQueryGenerationFrom(token)
            try expectEqual(second.names("Tag"), ["old"])
        }
    }

    @Test("contexts that are pinned between two saves share a generation")
    func sharedGeneration() throws {
        let library = try PinnedLibrary(.sqlite)
        try library.pin()
        let second = library.stack.newContext()
        let tokens = try second.performAndWait {
            try second.setQueryGenerationFrom(.current)
            _ = try second.names("Tag")
            return second.queryGenerationToken
        }
        let own = library.pinned.performAndWait { library.pinned.queryGenerationToken }
        #expect(tokens != nil)
        expectEqual(tokens, own)
        for writer in PinnedLibrary.Writer.allCases {
            let changer = writer == .context ? library.stack.newContext() : try library.stack.afresh()
            try on(changer) {
                changer.make("Tag", writer.rawValue)
                try changer.save()
            }
            let third = library.stack.newContext()
            try on(third) {
                try third.setQueryGenerationFrom(.current)
                try expectEqual(third.names("Tag", "name == %@", [writer.rawValue]).count, 1)
                #expect(third.queryGenerationToken != tokens)
            }
        }
    }

    @Test("a pinned context saves to the newest rows, and then reads the newest generation")
    func saving() throws {
        let library = try PinnedLibrary()
        let context = library.pinned
        try library.pin()
        try library.change(.context)
        try on(context) {
            try context.one("Publisher", "Murray").setValue("Egerton", forKey: "name")
            try expectEqual(context.names("Tag"), ["old"])
            try context.save()
            expectEqual(context.queryGenerationToken, .current)
            try expectEqual(context.names("Tag"), ["new", "old"])
            try expectEqual(context.names("Publisher"), ["Egerton"])
        }
    }

    @Test(
        "a conflict with a newer row is detected, and the merge policy resolves it with the newest row",
        arguments: PinnedLibrary.Writer.allCases)
    func conflict(_ writer: PinnedLibrary.Writer) throws {
        let library = try PinnedLibrary()
        let context = library.pinned
        try library.pin()
        try library.change(writer)
        try on(context) {
            let emma = try context.one("Book", "Emma")
            let jane = try context.one("Author", "Jane")
            emma.setValue(1, forKey: "pages")
            jane.setValue(70, forKey: "age")
            let token = context.queryGenerationToken
            expectEqual(thrownError { try context.save() }?.code, NSManagedObjectMergeError)
            // A failed save does not advance the generation.
            expectEqual(context.queryGenerationToken, token)
            try expectEqual(context.names("Tag"), ["old"])
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            expectEqual(emma.number("pages"), 1)
            expectEqual(jane.text("name"), "Austen")
            expectEqual(jane.number("age"), 70)
        }
        try inFreshContext(library.stack) { try expectEqual($0.one("Author", "Austen").number("age"), 70) }
    }

    @Test("merging another context's save advances the generation")
    func merging() throws {
        let library = try PinnedLibrary()
        let context = library.pinned
        try library.pin()
        let emma = try context.performAndWait { UnsafeSender(try context.one("Book", "Emma")) }.value
        try on(context) { expectEqual(emma.number("pages"), 300) }
        let other = library.stack.newContext()
        var notification: Notification?
        let note = UnsafeSender { notification = $0 }
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: other, queue: nil
        ) { note.value($0) }
        defer { NotificationCenter.default.removeObserver(observer) }
        try on(other) {
            try other.one("Book", "Emma").setValue(5, forKey: "pages")
            try other.save()
        }
        let saved = UnsafeSender(try requireValue(notification))
        try on(context) {
            context.mergeChanges(fromContextDidSave: saved.value)
            expectEqual(context.queryGenerationToken, .current)
            expectEqual(emma.number("pages"), 5)
            #expect(context.queryGenerationToken != .current)
        }
    }

    @Test("a context that merges automatically advances with each save")
    func automaticMerging() throws {
        let library = try PinnedLibrary()
        let context = library.pinned
        try library.pin()
        context.automaticallyMergesChangesFromParent = true
        let emma = try context.performAndWait { UnsafeSender(try context.one("Book", "Emma")) }.value
        try library.change(.context)
        try on(context) {
            expectEqual(emma.number("pages"), 999)
            try expectEqual(context.names("Tag"), ["new", "old"])
        }
    }

    @Test("a reset advances the generation")
    func reset() throws {
        let library = try PinnedLibrary()
        try library.pin()
        try library.change(.context)
        try on(library.pinned) {
            library.pinned.reset()
            expectEqual(library.pinned.queryGenerationToken, .current)
            try expectEqual(library.pinned.names("Tag"), ["new", "old"])
        }
    }

    @Test("the notifications of a pinned context have its token")
    func notifications() throws {
        let library = try PinnedLibrary()
        let context = library.pinned
        try library.pin()
        var tokens: [NSQueryGenerationToken?] = []
        let note = UnsafeSender { (notification: Notification) in
            tokens.append(notification.userInfo?[NSManagedObjectContextQueryGenerationKey] as? NSQueryGenerationToken)
        }
        let observers = [
            NSManagedObjectContext.didChangeObjectsNotification, NSManagedObjectContext.didSaveObjectIDsNotification,
        ].map { name in
            NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { note.value($0) }
        }
        defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
        try on(context) {
            let token = context.queryGenerationToken
            context.make("Tag", "mine")
            try context.save()
            expectEqual(tokens, [token, .current])
            try context.setQueryGenerationFrom(nil)
            context.make("Tag", "another")
            context.processPendingChanges()
            try #require(tokens.count == 3)
            expectEqual(tokens[2], nil)
        }
        expectEqual(
            NSManagedObjectContext.NotificationKey.queryGeneration.rawValue, NSManagedObjectContextQueryGenerationKey)
    }

    @Test("a child reads the generation of its topmost ancestor")
    func child() throws {
        let library = try PinnedLibrary()
        try library.pin()
        let middle = NSManagedObjectContext(.privateQueue)
        let child = NSManagedObjectContext(.privateQueue)
        middle.parent = library.pinned
        child.parent = middle
        try library.change(.coordinator)
        try on(child) {
            expectEqual(child.queryGenerationToken, nil)
            let emma = try child.one("Book", "Emma")
            expectEqual(emma.number("pages"), 300)
            expectEqual(emma.names("chapters"), ["one", "two"])
            try expectEqual(child.names("Tag"), ["old"])
            try expectEqual(child.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")), 2)
        }
        try on(library.pinned) { try library.pinned.setQueryGenerationFrom(.current) }
        try on(child) { try expectEqual(child.names("Tag"), ["new", "old"]) }
    }

    @Test("a child can't be pinned")
    func pinnedChild() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let library = try PinnedLibrary()
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = library.pinned
            try on(child) { try child.setQueryGenerationFrom(.current) }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expectContains(said, "no query generation")
    }

    @Test("a store without generations is read unpinned")
    func memory() throws {
        let stack = try TestStack(.memory)
        let other = stack.newContext()
        try on(stack.context) {
            try stack.context.setQueryGenerationFrom(.current)
            try expectEqual(stack.context.names("Tag"), [])
        }
        try on(other) {
            other.make("Tag", "a")
            try other.save()
        }
        try on(stack.context) {
            try expectEqual(stack.context.names("Tag"), ["a"])
            expectEqual(stack.context.queryGenerationToken, .current)
        }
    }

    @Test("a file without write-ahead log is read unpinned, and other writers are not blocked")
    func rollbackJournal() throws {
        let stack = try TestStack(.sqlite, options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
        try on(stack.context) {
            try stack.context.setQueryGenerationFrom(.current)
            try expectEqual(stack.context.names("Tag"), [])
        }
        let other = stack.newContext()
        try on(other) {
            other.make("Tag", "a")
            try other.save()
        }
        try on(stack.context) { try expectEqual(stack.context.names("Tag"), ["a"]) }
    }
}
