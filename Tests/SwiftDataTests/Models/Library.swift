import SwiftData

/// The models of the suites of behaviour, with each delete rule and each kind of relationship.
enum Library {
    @Model final class Author {
        var name: String
        var born: Int?
        @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []

        init(_ name: String) { self.name = name }
    }

    @Model final class Book {
        var title: String
        var pages: Int
        var rating: Double?
        var author: Author?
        var shelf: Shelf?
        @Relationship(deleteRule: .nullify, inverse: \Loan.book) var loans: [Loan] = []
        @Relationship(inverse: \Subject.books) var subjects: [Subject] = []

        init(_ title: String, pages: Int = 100) {
            self.title = title
            self.pages = pages
        }
    }

    @Model final class Shelf {
        @Attribute(.unique) var label: String
        @Relationship(deleteRule: .deny, inverse: \Book.shelf) var books: [Book] = []

        init(_ label: String) { self.label = label }
    }

    /// Always has a book.
    @Model final class Loan {
        var reader: String
        var book: Book

        init(_ reader: String, book: Book) {
            self.reader = reader
            self.book = book
        }
    }

    @Model final class Subject {
        var name: String
        var books: [Book] = []

        init(_ name: String) { self.name = name }
    }

    static let schema = Schema([Author.self, Book.self, Shelf.self, Loan.self, Subject.self])
}

/// Where the suites of behaviour keep their models.
enum LibraryStore: String, CaseIterable, Sendable {
    case file
    case memory
}

/// Containers of the library, whose files live as long as this.
struct LibraryPlace {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func container(_ store: LibraryStore, allowsSave: Bool = true) throws -> ModelContainer {
        let configuration =
            store == .file
            ? ModelConfiguration(url: folder.file("library.store"), allowsSave: allowsSave)
            : ModelConfiguration(isStoredInMemoryOnly: true, allowsSave: allowsSave)
        return try ModelContainer(for: Library.schema, configurations: configuration)
    }

    func context(_ store: LibraryStore) throws -> ModelContext { ModelContext(try container(store)) }

    /// Two contexts of one container.
    func contexts(_ store: LibraryStore) throws -> (ModelContext, ModelContext) {
        let container = try container(store)
        return (ModelContext(container), ModelContext(container))
    }
}

extension ModelContext {
    /// Inserts an author with books, and saves.
    @discardableResult func savedAuthor(_ name: String = "Ursula", books: String...) throws -> Library.Author {
        let author = Library.Author(name)
        insert(author)
        author.books = books.map { Library.Book($0) }
        try save()
        return author
    }

    /// Inserts a book, and saves.
    @discardableResult func savedBook(_ title: String = "Rocannon") throws -> Library.Book {
        let book = Library.Book(title)
        insert(book)
        try save()
        return book
    }

    /// The only model of a class.
    func only<T: PersistentModel>(_ type: T.Type) throws -> T {
        let models = try fetch(FetchDescriptor<T>())
        try #require(models.count == 1)
        return models[0]
    }

    func count<T: PersistentModel>(_ type: T.Type) throws -> Int { try fetchCount(FetchDescriptor<T>()) }

    func books(where predicate: Predicate<Library.Book>? = nil) throws -> [String] {
        try fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)])).map(\.title)
    }
}
