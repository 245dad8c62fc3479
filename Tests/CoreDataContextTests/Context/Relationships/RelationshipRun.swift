import CoreData

/// Two contexts that change the same books, step by step.
final class RelationshipRun {
    private let stack: TestStack
    private let contexts: [NSManagedObjectContext]
    /// Objects that a program keeps, by context.
    private var kept: [[NSManagedObject]] = [[], []]
    private var ids: [String: [NSManagedObjectID]] = [:]
    private var next = 0
    /// The effects of the steps, for the message of a failure.
    private(set) var log: [String] = []
    private(set) var saves = 0
    private(set) var conflicts = 0

    init(_ stack: TestStack, _ other: NSManagedObjectContext) throws {
        self.stack = stack
        contexts = [stack.context, other]
        for number in 0..<3 {
            let book = stack.context.make("Book", "book \(number)")
            let chapters = (0..<4).map { stack.context.make("Chapter", "chapter \(number).\($0)") }
            book.setValue(NSOrderedSet(array: chapters), forKey: "chapters")
            stack.context.make("Tag", "tag \(number)")
            let shelf = stack.context.make("Shelf", "shelf \(number)")
            shelf.mutableOrderedSetValue(forKey: "items").add(book)
        }
        try stack.context.save()
        for entity in ["Book", "Tag", "Shelf"] {
            ids[entity] = try stack.context.all(entity).map(\.objectID).sorted {
                Self.isOrdered($0, before: $1)
            }
        }
    }

    // MARK: Steps

    func perform(_ step: RelationshipStep) throws {
        let which = step.context
        log.append("\(which)")
        if step.released != 0 {
            note("let go of \(step.released)")
            kept[which] = kept[which].enumerated().filter { step.released >> ($0.offset % 64) & 1 == 0 }.map(\.element)
        }
        switch step.action {
        case .changeBook(let search, let change): try changeBook(search, change, which)
        case .tag(let bookSearch, let tagSearch, let isChangeOfBook, let adds):
            guard let book = try find("Book", bookSearch, which), let tag = try find("Tag", tagSearch, which) else {
                return
            }
            let (set, object) =
                isChangeOfBook
                ? (book.mutableSetValue(forKey: "tags"), tag) : (tag.mutableSetValue(forKey: "books"), book)
            note("\(adds ? "tag" : "untag") of the \(isChangeOfBook ? "book" : "tag")", book, tag)
            if adds { set.add(object) } else { set.remove(object) }
        case .shelf(let shelfSearch, let bookSearch, let position):
            guard let shelf = try find("Shelf", shelfSearch, which), let book = try find("Book", bookSearch, which)
            else { return }
            let items = shelf.mutableOrderedSetValue(forKey: "items")
            note("shelf", shelf, book)
            if items.contains(book) {
                items.remove(book)
            } else {
                items.insert(book, at: position % (items.count + 1))
            }
        case .save: try save(which)
        case .refreshAll:
            note("refresh all")
            contexts[which].refreshAllObjects()
        case .refresh(let number):
            let objects = contexts[which].registeredObjects.sorted { Self.isOrdered($0.objectID, before: $1.objectID) }
            guard !objects.isEmpty else { return }
            let object = objects[number % objects.count]
            note("refresh", object)
            contexts[which].refresh(object, mergeChanges: true)
        case .discard: discard(which)
        }
    }

    /// An object; nil if it was deleted.
    private func find(_ entity: String, _ search: RelationshipStep.Search, _ which: Int) throws -> NSManagedObject? {
        let context = contexts[which]
        let id = ids[entity]![search.number % ids[entity]!.count]
        let found: NSManagedObject?
        switch search.way {
        case .objectWithID: found = context.object(with: id)
        case .existingObject: found = try? context.existingObject(with: id)
        case .fetchByID: found = try context.all(entity, "SELF == %@", [id]).first
        case .fetchOfAll: found = try context.all(entity).first { $0.objectID == id }
        }
        guard let found else { return nil }
        note("(\(search.way)\(search.readsMembersFirst ? ", members first" : "")\(search.isKept ? ", kept" : ""))")
        if search.readsMembersFirst, entity == "Book" { _ = found.ordered("chapters") }
        guard found.text("name") != nil, !found.isDeleted else { return nil }
        if search.isKept { kept[which].append(found) }
        return found
    }

    private func changeBook(
        _ search: RelationshipStep.Search, _ change: RelationshipStep.ChapterChange, _ which: Int
    ) throws {
        let context = contexts[which]
        guard let book = try find("Book", search, which) else { return }
        let chapters = book.mutableOrderedSetValue(forKey: "chapters")
        note("\(Self.text(book.ordered("chapters").map(\.objectID))) of", book)
        next += 1
        /// A chapter that is there.
        func chapter(_ number: Int) -> NSManagedObject? {
            guard chapters.count > 0 else { return nil }
            let chapter = chapters[number % chapters.count] as! NSManagedObject
            return chapter.text("name") != nil && !chapter.isDeleted ? chapter : nil
        }
        switch change {
        case .insert(let position):
            let new = context.make("Chapter", "chapter \(next)")
            note("insert", new)
            if let position {
                chapters.insert(new, at: position % (chapters.count + 1))
            } else {
                new.setValue(book, forKey: "book")
            }
        case .move(let number, let target):
            guard let chapter = chapter(number) else { return }
            note("move", chapter)
            chapters.moveObjects(at: [number % chapters.count], to: target % chapters.count)
        case .remove(let number):
            guard let chapter = chapter(number) else { return }
            note("remove", chapter)
            chapters.removeObject(at: number % chapters.count)
        case .delete(let number):
            guard let chapter = chapter(number) else { return }
            note("delete", chapter)
            context.delete(chapter)
        case .setBook(let number, let search):
            guard let chapter = chapter(number), let other = try find("Book", search, which), !chapter.isDeleted
            else { return }
            note("to book", chapter, other)
            chapter.setValue(other, forKey: "book")
        case .addToBook(let number, let search):
            guard let chapter = chapter(number), let other = try find("Book", search, which), !chapter.isDeleted
            else { return }
            note("added to book", chapter, other)
            other.mutableOrderedSetValue(forKey: "chapters").add(chapter)
        case .removeFromBook(let number, let search):
            guard let chapter = chapter(number), let other = try find("Book", search, which), !chapter.isDeleted
            else { return }
            note("removed from book", chapter, other)
            other.mutableOrderedSetValue(forKey: "chapters").remove(chapter)
        case .setPages:
            note("pages", book)
            book.setValue(next, forKey: "pages")
        }
    }

    private func discard(_ which: Int) {
        note("discard")
        contexts[which].rollback()
        kept[which] = []
        contexts[which].reset()
    }

    // MARK: Saving and comparing

    /// Saves. The changed objects of the context must then show the members that the store has.
    private func save(_ which: Int) throws {
        let context = contexts[which]
        context.processPendingChanges()
        // An object that has its former values again isn't written, so that its version isn't checked.
        let changed = context.updatedObjects.union(context.insertedObjects).filter(\.hasPersistentChangedValues)
        do {
            try context.save()
        } catch let error as NSError {
            guard error.code == NSManagedObjectMergeError else { throw error }
            note("conflict")
            conflicts += 1
            return discard(which)
        }
        let written = changed.sorted { Self.isOrdered($0.objectID, before: $1.objectID) }
        note("saved \(Self.text(written.map(\.objectID)))")
        saves += 1
        try inFreshContext(stack) { fresh in
            for object in written { try Self.compare(object, fresh.existingObject(with: object.objectID)) }
            try Self.check(fresh)
        }
    }

    private static func compare(_ shown: NSManagedObject, _ stored: NSManagedObject) throws {
        for (key, relationship) in shown.entity.relationshipsByName where relationship.isToMany {
            func ids(_ object: NSManagedObject) -> String {
                let isOrdered = relationship.isOrdered
                let members = isOrdered ? object.ordered(key) : Array(object.objects(key))
                let ids = members.map { text([$0.objectID]) }
                return (isOrdered ? ids : ids.sorted()).joined(separator: " ")
            }
            if ids(shown) != ids(stored) {
                throw TestFailure("\(key) of \(shown.text("name") ?? "") are \(ids(shown)), not \(ids(stored))")
            }
        }
    }

    /// Both sides of each relationship agree, and no object is in a list twice.
    private static func check(_ context: NSManagedObjectContext) throws {
        let books = try context.all("Book")
        for book in books {
            let chapters = book.ordered("chapters")
            guard Set(chapters).count == chapters.count, chapters.allSatisfy({ $0.object("book") === book }) else {
                throw TestFailure("\(book.text("name") ?? "") has chapters that it should not have")
            }
            guard book.objects("shelves").allSatisfy({ $0.ordered("items").contains(book) }) else {
                throw TestFailure("\(book.text("name") ?? "") is missing in a shelf")
            }
        }
        for chapter in try context.all("Chapter") {
            if let book = chapter.object("book"), !book.ordered("chapters").contains(chapter) {
                throw TestFailure("\(chapter.text("name") ?? "") is missing in its book")
            }
        }
        for shelf in try context.all("Shelf")
        where shelf.ordered("items").contains(where: { $0.text("name") == nil }) {
            throw TestFailure("\(shelf.text("name") ?? "") has a book that is gone")
        }
    }

    // MARK: Text

    private func note(_ text: String, _ objects: NSManagedObject...) {
        log[log.count - 1] += " " + text + objects.map { " " + Self.text([$0.objectID]) }.joined()
    }

    private static func text(_ ids: [NSManagedObjectID]) -> String {
        ids.map { ($0.entity.name?.prefix(1).lowercased() ?? "") + $0.uriRepresentation().lastPathComponent }
            .joined(separator: " ")
    }

    /// An order of IDs that repeats itself: numbers of unsaved objects grow with each one.
    private static func isOrdered(_ id: NSManagedObjectID, before other: NSManagedObjectID) -> Bool {
        func parts(_ id: NSManagedObjectID) -> (String, Int, String) {
            let text = id.uriRepresentation().lastPathComponent
            return (id.entity.name ?? "", text.count, text)
        }
        return parts(id) < parts(other)
    }
}
