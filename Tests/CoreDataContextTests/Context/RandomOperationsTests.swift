import CoreData
import Testing

/// The expected contents of the store, as values.
private struct Shadow: Equatable {
    struct Book: Equatable {
        var title: String
        var author: Int?
        var tags: Set<Int> = []
    }

    var authors: [Int: String] = [:]
    var books: [Int: Book] = [:]
    var tags: Set<Int> = []

    mutating func deleteAuthor(_ author: Int) {
        authors[author] = nil
        for (key, book) in books where book.author == author { books[key] = nil }
    }

    func differences(from expected: Shadow) -> String {
        let keys = Set(books.keys).union(expected.books.keys).filter { books[$0] != expected.books[$0] }.sorted()
        let lines = keys.map {
            """
            book \($0) is \(books[$0].map { "\($0)" } ?? "gone"), should be \
            \(expected.books[$0].map { "\($0)" } ?? "gone")
            """
        }
        let others = authors == expected.authors && tags == expected.tags ? [] : ["authors or tags differ"]
        return (lines + others).joined(separator: "; ")
    }

    mutating func deleteTag(_ tag: Int) {
        tags.remove(tag)
        for key in books.keys { books[key]!.tags.remove(tag) }
    }
}

@Suite("Long sequences of operations")
struct RandomOperationsTests {
    static func makeModel() -> NSManagedObjectModel {
        let author = entity("Author")
        let book = entity("Book")
        let essay = entity("Essay")
        let tag = entity("Tag")
        book.subentities = [essay]
        let books = toMany("books", book, rule: .cascadeDeleteRule)
        let bookAuthor = toOne("author", author)
        pair(books, bookAuthor)
        let tags = toMany("tags", tag)
        let tagged = toMany("books", book)
        pair(tags, tagged)
        author.properties = [
            attribute("number", .integer64AttributeType), attribute("name", .stringAttributeType), books,
        ]
        book.properties = [
            attribute("number", .integer64AttributeType), attribute("title", .stringAttributeType), bookAuthor, tags,
        ]
        tag.properties = [attribute("number", .integer64AttributeType), tagged]
        return model([author, book, essay, tag])
    }

    /// One run: a context, and the expected contents of the context and the store.
    private final class Run {
        let stack: TestStack
        let context: NSManagedObjectContext
        var generator: SeededGenerator
        var present = Shadow(), saved = Shadow()
        var next = 0
        /// Objects that a program keeps. Which ones are let go of decides what is read again, and from where.
        var kept: [NSManagedObject] = []

        init(_ stack: TestStack, seed: UInt64) {
            self.stack = stack
            context = stack.context
            generator = SeededGenerator(seed: seed)
        }

        func find(_ entity: String, _ number: Int) throws -> NSManagedObject {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            let isAlone = Bool.random(using: &generator)
            // Together with the others, the object shares the memory of their rows.
            if isAlone { request.predicate = NSPredicate(format: "number == %d", number) }
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: request.returnsObjectsAsFaults = false
            case 1: request.fetchBatchSize = 2
            case 2: request.propertiesToFetch = ["number"]
            case 3: request.relationshipKeyPathsForPrefetching = [entity == "Book" ? "tags" : "books"]
            case 4: request.shouldRefreshRefetchedObjects = true
            default: break
            }
            let found = try context.fetch(request)
            let wanted = found.filter { $0.number("number") == Int64(number) }
            guard wanted.count == 1, !isAlone || found.count == 1 else {
                throw TestFailure("\(wanted.count) objects of \(entity) have number \(number)")
            }
            if generator.chance(1, of: 4), let any = found.randomElement(using: &generator) { kept.append(any) }
            return wanted[0]
        }

        func step() throws {
            if generator.chance(1, of: 20) { kept = kept.filter { _ in generator.chance(1, of: 2) } }
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<12:
                next += 1
                context.make("Author", "n\(next)", ["number": next])
                present.authors[next] = "n\(next)"
            case 12..<35:
                next += 1
                let book = context.make(
                    Bool.random(using: &generator) ? "Book" : "Essay", nil, ["number": next, "title": "t\(next)"])
                present.books[next] = Shadow.Book(title: "t\(next)")
                if let author = present.authors.keys.sorted().randomElement(using: &generator) {
                    book.setValue(try find("Author", author), forKey: "author")
                    present.books[next]!.author = author
                }
            case 35..<42:
                next += 1
                context.make("Tag", nil, ["number": next])
                present.tags.insert(next)
            case 42..<52:
                guard let key = anyBook() else { return }
                let author =
                    Bool.random(using: &generator)
                    ? present.authors.keys.sorted().randomElement(using: &generator) : nil
                try find("Book", key).setValue(author.map { try find("Author", $0) }, forKey: "author")
                present.books[key]!.author = author
            case 52..<58:
                guard let author = present.authors.keys.sorted().randomElement(using: &generator), let key = anyBook()
                else { return }
                // From the other side, perhaps unloaded.
                try find("Author", author).mutableSetValue(forKey: "books").add(try find("Book", key))
                present.books[key]!.author = author
            case 58..<70:
                guard let key = anyBook(), let tag = present.tags.sorted().randomElement(using: &generator) else {
                    return
                }
                let book = try find("Book", key)
                let object = try find("Tag", tag)
                let fromBook = Bool.random(using: &generator)
                let set = fromBook ? book.mutableSetValue(forKey: "tags") : object.mutableSetValue(forKey: "books")
                if Bool.random(using: &generator) {
                    set.add(fromBook ? object : book)
                    present.books[key]!.tags.insert(tag)
                } else {
                    set.remove(fromBook ? object : book)
                    present.books[key]!.tags.remove(tag)
                }
            case 70..<76:
                guard let key = anyBook() else { return }
                try find("Book", key).setValue("x\(next)", forKey: "title")
                present.books[key]!.title = "x\(next)"
            case 76..<80:
                guard let key = anyBook() else { return }
                context.delete(try find("Book", key))
                present.books[key] = nil
            case 80..<82:
                guard let author = present.authors.keys.sorted().randomElement(using: &generator) else { return }
                context.delete(try find("Author", author))
                present.deleteAuthor(author)
            case 82..<84:
                guard let tag = present.tags.sorted().randomElement(using: &generator) else { return }
                context.delete(try find("Tag", tag))
                present.deleteTag(tag)
            case 84..<92:
                try context.save()
                saved = present
            case 92..<95:
                context.rollback()
                present = saved
            case 95..<97:
                context.reset()
                present = saved
            default:
                context.refreshAllObjects()
            }
        }

        private func anyBook() -> Int? { present.books.keys.sorted().randomElement(using: &generator) }

        /// The contents of a context, by fetching and by following relationships.
        static func read(_ context: NSManagedObjectContext) throws -> Shadow {
            var shadow = Shadow()
            func number(_ object: NSManagedObject) -> Int { Int(object.number("number") ?? -1) }
            let books = try context.all("Book")
            let authors = try context.all("Author")
            let tags = try context.all("Tag")
            for author in authors { shadow.authors[number(author)] = author.text("name") }
            for tag in tags { shadow.tags.insert(number(tag)) }
            for book in books {
                shadow.books[number(book)] = .init(
                    title: book.text("title") ?? "", author: book.object("author").map(number),
                    tags: Set(book.objects("tags").map(number)))
            }
            // The inverses must agree.
            for author in authors where author.objects("books") != Set(books.filter { $0.object("author") === author })
            {
                throw TestFailure(
                    """
                    author \(number(author)) has \(author.objects("books").map(number).sorted()), but it is the \
                    author of \(books.filter { $0.object("author") === author }.map(number).sorted())
                    """
                )
            }
            for tag in tags where tag.objects("books") != Set(books.filter { $0.objects("tags").contains(tag) }) {
                throw TestFailure(
                    """
                    tag \(number(tag)) has \(tag.objects("books").map(number).sorted()), but it is a tag of \
                    \(books.filter { $0.objects("tags").contains(tag) }.map(number).sorted())
                    """
                )
            }
            return shadow
        }
    }

    @Test(
        "lead to the contents of a simple model, in the context and in the store", arguments: StoreKind.allCases,
        0..<TestRun.quick(3, long: 6))
    func random(_ kind: StoreKind, _ round: Int) throws {
        let seed = TestRun.seed(for: "random operations")
        do {
            try withStack(kind, model: Self.makeModel()) { stack in
                let run = Run(stack, seed: seed)
                for step in 0..<TestRun.quick(200, long: 400) {
                    try run.step()
                    try checkInvariants(of: run.context)
                    guard step % 20 == 0 else { continue }
                    let context = try Run.read(run.context)
                    if context != run.present {
                        throw TestFailure("step \(step), the context: \(context.differences(from: run.present))")
                    }
                    try inFreshContext(stack) { fresh in
                        let stored = try Run.read(fresh)
                        if stored != run.saved {
                            throw TestFailure("step \(step), the store: \(stored.differences(from: run.saved))")
                        }
                    }
                }
            }
        } catch {
            Issue.record("COREDATA_SEED=\(seed): \(error)")
        }
    }
}
