import CoreData

/// Two contexts with the books Emma and Persuasion, and the table of the owners that the store must have.
final class TwoLibraries {
    private struct Library {
        let context: NSManagedObjectContext
        let objects: [String: NSManagedObject]
        /// The owners of the chapters that were changed; `deleted` for chapters that were deleted.
        var changes: [String: String] = [:]
    }

    private let stack: TestStack
    private var libraries: [Library]
    private var stored = ["a": "Emma", "b": "Emma", "c": "Persuasion", "d": "none"]

    init(_ stack: TestStack, _ other: NSManagedObjectContext) throws {
        self.stack = stack
        for (chapter, book) in stored.sorted(by: <) {
            let new = stack.context.make("Chapter", chapter)
            guard book != "none" else { continue }
            let owner =
                try stack.context.all("Book").first { $0.text("name") == book } ?? stack.context.make("Book", book)
            owner.mutableOrderedSetValue(forKey: "chapters").add(new)
        }
        try stack.context.save()
        libraries = try [stack.context, other].map { context in
            let objects = try context.all("Book") + context.all("Chapter")
            // Both sides are read before the first event.
            for object in objects {
                if object.entity.name == "Book" { _ = object.ordered("chapters") } else { _ = object.object("book") }
            }
            return Library(
                context: context, objects: Dictionary(uniqueKeysWithValues: objects.map { ($0.text("name") ?? "", $0) })
            )
        }
    }

    // MARK: Events

    func perform(_ event: EnumeratedRelationshipsTests.Event, _ which: Int) throws {
        let library = libraries[which]
        switch event {
        case .moveToPersuasion: try move("a", to: "Persuasion", which)
        case .clear: try move("a", to: "none", which)
        case .removeFromEmma: try remove("a", from: "Emma", which)
        case .insertInPersuasion:
            guard !library.objects["Persuasion"]!.names("chapters").contains("a") else { return }
            try change("a", "Persuasion", which) { chapter, book in
                book!.mutableOrderedSetValue(forKey: "chapters").insert(chapter, at: 0)
            }
        case .delete: try change("a", "deleted", which) { chapter, _ in library.context.delete(chapter) }
        case .addToEmma: try move("d", to: "Emma", which)
        case .removeFromPersuasion: try remove("c", from: "Persuasion", which)
        case .save: try save(which)
        case .refresh: library.context.refreshAllObjects()
        }
    }

    private func move(_ chapter: String, to book: String, _ which: Int) throws {
        guard libraries[which].objects[chapter]!.object("book") !== libraries[which].objects[book] else { return }
        try change(chapter, book, which) { $0.setValue($1, forKey: "book") }
    }

    private func remove(_ chapter: String, from book: String, _ which: Int) throws {
        let chapters = libraries[which].objects[book]!.mutableOrderedSetValue(forKey: "chapters")
        guard libraries[which].objects[book]!.names("chapters").contains(chapter) else { return }
        try change(chapter, "none", which) { chapter, _ in chapters.remove(chapter) }
    }

    /// Changes a chapter, unless it is gone. Both sides must then show the change.
    private func change(
        _ name: String, _ owner: String, _ which: Int, _ change: (NSManagedObject, NSManagedObject?) -> Void
    ) throws {
        let objects = libraries[which].objects
        guard let chapter = objects[name], chapter.text("name") != nil, !chapter.isDeleted,
            chapter.managedObjectContext != nil
        else { return }
        change(chapter, objects[owner])
        libraries[which].context.processPendingChanges()
        libraries[which].changes[name] = owner
        if owner != "deleted" && chapter.object("book") !== objects[owner] {
            throw TestFailure("\(name) has the book \(chapter.object("book")?.text("name") ?? "none")")
        }
        for book in ["Emma", "Persuasion"] where objects[book]!.ordered("chapters").contains(chapter) != (book == owner)
        {
            throw TestFailure("\(book) has the chapters \(objects[book]!.names("chapters")), \(name) moved to \(owner)")
        }
    }

    private func save(_ which: Int) throws {
        do {
            try libraries[which].context.save()
        } catch let error as NSError where error.code == NSManagedObjectMergeError {
            libraries[which].context.rollback()
            libraries[which].context.refreshAllObjects()
            libraries[which].changes = [:]
            return
        }
        for (name, owner) in libraries[which].changes { stored[name] = owner == "deleted" ? nil : owner }
        libraries[which].changes = [:]
        try inFreshContext(stack, check)
    }

    // MARK: Checking

    /// Both contexts show the store's rows after a refresh.
    func checkViews() throws {
        for library in libraries {
            library.context.rollback()
            library.context.refreshAllObjects()
            try check(library.context)
        }
    }

    private func check(_ context: NSManagedObjectContext) throws {
        var owners: [String: String] = [:]
        for chapter in try context.all("Chapter") {
            owners[chapter.text("name") ?? ""] = chapter.object("book")?.text("name") ?? "none"
        }
        if owners != stored { throw TestFailure("the store has \(owners), not \(stored)") }
        for book in try context.all("Book") {
            let chapters = stored.filter { $0.value == book.text("name") }.keys.sorted()
            if book.names("chapters").sorted() != chapters {
                throw TestFailure("\(book.text("name") ?? "") has \(book.names("chapters")), not \(chapters)")
            }
        }
    }
}
