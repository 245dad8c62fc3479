import CoreData
import Testing

/// The expected contents of one context. Objects are represented by numbers.
private struct Shelf: Equatable {
    struct Book: Equatable {
        var name: String
        var author: Int?
        var tags: Set<Int> = []
        var chapters: [Int] = []
    }

    var authors: Set<Int> = []
    var tags: Set<Int> = []
    var books: [Int: Book] = [:]
    /// The book of each chapter.
    var chapters: [Int: Int] = [:]

    mutating func deleteBook(_ book: Int) {
        for chapter in books[book]!.chapters { chapters[chapter] = nil }
        books[book] = nil
    }

    mutating func deleteAuthor(_ author: Int) {
        authors.remove(author)
        for (key, book) in books where book.author == author { deleteBook(key) }
    }

    mutating func deleteTag(_ tag: Int) {
        tags.remove(tag)
        for key in books.keys { books[key]!.tags.remove(tag) }
    }

    func differences(from expected: Shelf) -> String {
        let keys = Set(books.keys).union(expected.books.keys).filter { books[$0] != expected.books[$0] }.sorted()
        let lines = keys.map {
            """
            book \($0) is \(books[$0].map { "\($0)" } ?? "gone"), should be \
            \(expected.books[$0].map { "\($0)" } ?? "gone")
            """
        }
        let others =
            authors == expected.authors && tags == expected.tags && chapters == expected.chapters
            ? [] : ["authors, tags or chapters differ"]
        return (lines + others).joined(separator: "; ")
    }
}

@Suite("Random sequences in child contexts")
struct ChildRandomTests {
    /// A hierarchy of contexts. Only one context at a time has own changes besides the saves of its children: each
    /// level should have its own changes and the changes of the levels below, up to their last save.
    private final class Run {
        let stack: TestStack
        var contexts: [NSManagedObjectContext]
        /// The expected contents of the store, of the root, and of each level below.
        var stored = Shelf()
        var shown: [Shelf]
        var generator: SeededGenerator
        var next = 0
        /// Retained objects, so that they stay registered.
        var held: [[NSManagedObject]]

        init(_ kind: StoreKind, depth: Int, seed: UInt64) throws {
            stack = try TestStack(kind)
            contexts = [stack.context]
            for _ in 0..<depth { contexts.append(contexts[contexts.count - 1].child()) }
            shown = Array(repeating: Shelf(), count: depth + 1)
            held = Array(repeating: [], count: depth + 1)
            generator = SeededGenerator(seed: seed)
        }

        var lowest: Int { contexts.count - 1 }
        var shelf: Shelf {
            get { shown[lowest] }
            set { shown[lowest] = newValue }
        }

        func step() throws {
            let context = contexts[lowest]
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<70: try on(context) { try change(context) }
            case 70..<80:
                // Some of the lower levels save.
                for level in (Int.random(in: 0...lowest, using: &generator)...lowest).reversed() {
                    try on(contexts[level]) { try contexts[level].save() }
                    if level == 0 { stored = shown[0] } else { shown[level - 1] = shown[level] }
                }
            case 80..<85:
                try on(context) { context.rollback() }
                shelf = lowest == 0 ? stored : shown[lowest - 1]
            case 85..<88:
                try on(context) { context.refreshAllObjects() }
            case 88..<91:
                try on(context) { context.reset() }
                held[lowest] = []
                shelf = lowest == 0 ? stored : shown[lowest - 1]
            case 91..<94:
                // A new context replaces the lowest one.
                held[lowest] = []
                if lowest > 0 {
                    contexts[lowest] = contexts[lowest - 1].child()
                } else {
                    try on(context) { context.rollback() }
                }
                shelf = lowest == 0 ? stored : shown[lowest - 1]
            case 94..<96:
                try on(context) {
                    let new = Array(context.insertedObjects)
                    try context.obtainPermanentIDs(for: new)
                    if new.contains(where: { $0.objectID.isTemporaryID }) {
                        throw TestFailure("a temporary ID is left")
                    }
                }
            default:
                let level = Int.random(in: 0...lowest, using: &generator)
                try on(contexts[level]) {
                    held[level] = try ["Book", "Author", "Chapter"].flatMap { try contexts[level].all($0) }
                }
            }
        }

        private func change(_ context: NSManagedObjectContext) throws {
            next += 1
            switch Int.random(in: 0..<14, using: &generator) {
            case 0:
                context.make("Author", "\(next)")
                shelf.authors.insert(next)
            case 1, 2, 3:
                let book = context.make(Bool.random(using: &generator) ? "Book" : "Novel", "\(next)", ["pages": next])
                let author = any(shelf.authors)
                book.setValue(try author.map { try context.one("Author", "\($0)") }, forKey: "author")
                shelf.books[next] = .init(name: "\(next)", author: author)
            case 4:
                context.make("Tag", "\(next)")
                shelf.tags.insert(next)
            case 5, 6:
                guard let key = anyBook() else { return }
                let book = try find(context, key)
                let chapter = context.make("Chapter", "\(next)")
                let position = Int.random(in: 0...shelf.books[key]!.chapters.count, using: &generator)
                if position == shelf.books[key]!.chapters.count && Bool.random(using: &generator) {
                    chapter.setValue(book, forKey: "book")
                } else {
                    book.mutableOrderedSetValue(forKey: "chapters").insert(chapter, at: position)
                }
                shelf.books[key]!.chapters.insert(next, at: position)
                shelf.chapters[next] = key
            case 7:
                guard let chapter = any(Set(shelf.chapters.keys)), let old = shelf.chapters[chapter] else { return }
                context.delete(try context.one("Chapter", "\(chapter)"))
                shelf.books[old]!.chapters.removeAll { $0 == chapter }
                shelf.chapters[chapter] = nil
            case 8:
                guard let key = anyBook() else { return }
                let author = Bool.random(using: &generator) ? any(shelf.authors) : nil
                try find(context, key).setValue(try author.map { try context.one("Author", "\($0)") }, forKey: "author")
                shelf.books[key]!.author = author
            case 9, 10:
                guard let key = anyBook(), let tag = any(shelf.tags) else { return }
                let book = try find(context, key)
                let object = try context.one("Tag", "\(tag)")
                let fromBook = Bool.random(using: &generator)
                let set = fromBook ? book.mutableSetValue(forKey: "tags") : object.mutableSetValue(forKey: "books")
                if Bool.random(using: &generator) {
                    set.add(fromBook ? object : book)
                    shelf.books[key]!.tags.insert(tag)
                } else {
                    set.remove(fromBook ? object : book)
                    shelf.books[key]!.tags.remove(tag)
                }
            case 11:
                guard let key = anyBook() else { return }
                try find(context, key).setValue("x\(next)", forKey: "name")
                shelf.books[key]!.name = "x\(next)"
            case 12:
                guard let key = anyBook() else { return }
                context.delete(try find(context, key))
                shelf.deleteBook(key)
            default:
                if Bool.random(using: &generator), let tag = any(shelf.tags) {
                    context.delete(try context.one("Tag", "\(tag)"))
                    shelf.deleteTag(tag)
                } else if let author = any(shelf.authors) {
                    context.delete(try context.one("Author", "\(author)"))
                    shelf.deleteAuthor(author)
                }
            }
        }

        private func find(_ context: NSManagedObjectContext, _ key: Int) throws -> NSManagedObject {
            let found = try context.all("Book", "pages == %@", [key])
            guard found.count == 1 else { throw TestFailure("\(found.count) books have number \(key)") }
            return found[0]
        }

        private func any(_ numbers: Set<Int>) -> Int? { numbers.sorted().randomElement(using: &generator) }
        private func anyBook() -> Int? { shelf.books.keys.sorted().randomElement(using: &generator) }

        static func read(_ context: NSManagedObjectContext) throws -> Shelf {
            var shelf = Shelf()
            func number(_ object: NSManagedObject) -> Int { object.text("name").flatMap(Int.init) ?? -1 }
            func book(_ object: NSManagedObject) -> Int { Int(object.number("pages") ?? -1) }
            for author in try context.all("Author") { shelf.authors.insert(number(author)) }
            for tag in try context.all("Tag") { shelf.tags.insert(number(tag)) }
            for found in try context.all("Book") {
                shelf.books[book(found)] = .init(
                    name: found.text("name") ?? "", author: found.object("author").map(number),
                    tags: Set(found.objects("tags").map(number)),
                    chapters: found.ordered("chapters").map(number))
            }
            for chapter in try context.all("Chapter") {
                shelf.chapters[number(chapter)] = chapter.object("book").map(book)
            }
            // The inverses are consistent.
            for author in try context.all("Author") {
                let books = Set(author.objects("books").map(book))
                let expected = Set(shelf.books.filter { $0.value.author == number(author) }.keys)
                guard books == expected else {
                    throw TestFailure("author \(number(author)) has \(books.sorted()), not \(expected.sorted())")
                }
            }
            for tag in try context.all("Tag") {
                let books = Set(tag.objects("books").map(book))
                let expected = Set(shelf.books.filter { $0.value.tags.contains(number(tag)) }.keys)
                guard books == expected else {
                    throw TestFailure("tag \(number(tag)) has \(books.sorted()), not \(expected.sorted())")
                }
            }
            return shelf
        }

        func check() throws {
            // From the lowest level or from the root: the results must not depend on the order.
            let levels = Bool.random(using: &generator) ? Array(contexts.indices) : contexts.indices.reversed()
            for level in levels where level == lowest || Bool.random(using: &generator) {
                let found = try contexts[level].performAndWait { try Run.read(contexts[level]) }
                guard found == shown[level] else {
                    throw TestFailure("level \(level): \(found.differences(from: shown[level]))")
                }
            }
        }

        func checkStore() throws {
            try inFreshContext(stack) { fresh in
                let found = try Run.read(fresh)
                guard found == stored else { throw TestFailure("the store: \(found.differences(from: stored))") }
            }
        }
    }

    @Test(
        "every context has its own changes and its children's saves, and the store has the root's saves",
        arguments: StoreKind.allCases, 1...3)
    func random(_ kind: StoreKind, _ depth: Int) throws {
        for _ in 0..<TestRun.quick(1, long: 3) {
            let seed = TestRun.seed(for: "random children")
            let run = try Run(kind, depth: depth, seed: seed)
            for step in 0..<250 {
                do {
                    try run.step()
                    for context in run.contexts { try checkInvariants(of: context) }
                    if step % 5 == 0 { try run.check() }
                    if step % 25 == 0 { try run.checkStore() }
                } catch {
                    Issue.record("COREDATA_SEED=\(seed), step \(step): \(error)")
                    return
                }
            }
        }
    }
}
