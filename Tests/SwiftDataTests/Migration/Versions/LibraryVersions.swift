/// Versions of a library's schema. Each version has its own classes, with the same names.
enum LibraryV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Book.self] }

    @Model final class Book {
        var title: String
        var author: String?

        init(title: String, author: String? = nil) {
            self.title = title
            self.author = author
        }
    }
}

/// The author is required.
enum LibraryV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Book.self] }

    @Model final class Book {
        var title: String
        var author: String

        init(title: String, author: String) {
            self.title = title
            self.author = author
        }
    }
}

/// The name has another name, and authors are models.
enum LibraryV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Book.self, Author.self] }

    @Model final class Book {
        @Attribute(originalName: "title") var name: String
        var author: String
        var writer: Author?

        init(name: String, author: String) {
            self.name = name
            self.author = author
        }
    }

    @Model final class Author {
        var name: String
        @Relationship(inverse: \Book.writer) var books: [Book] = []

        init(name: String) { self.name = name }
    }
}

/// The name of the author is gone from books.
enum LibraryV4: VersionedSchema {
    static let versionIdentifier = Schema.Version(4, 0, 0)
    static var models: [any PersistentModel.Type] { [Book.self, Author.self] }

    @Model final class Book {
        var name: String
        var writer: Author?
        var pages: Int = 100

        init(name: String) { self.name = name }
    }

    @Model final class Author {
        var name: String
        @Relationship(inverse: \Book.writer) var books: [Book] = []

        init(name: String) { self.name = name }
    }
}

/// The whole way, with a log of the closures.
enum LibraryPlan: SchemaMigrationPlan {
    @TaskLocal static var log: Log?

    static var schemas: [any VersionedSchema.Type] {
        [LibraryV1.self, LibraryV2.self, LibraryV3.self, LibraryV4.self]
    }

    /// Not in their order.
    static var stages: [MigrationStage] { [toV3, toV4, toV2] }

    static let toV2 = MigrationStage.custom(
        fromVersion: LibraryV1.self, toVersion: LibraryV2.self,
        willMigrate: { context in
            log?.write("will 2")
            for book in try context.fetch(FetchDescriptor<LibraryV1.Book>()) where book.author == nil {
                book.author = "Anonymous"
            }
            context.insert(LibraryV1.Book(title: "Added in V1", author: "Will"))
            try context.save()
        },
        didMigrate: { context in
            log?.write("did 2")
            for book in try context.fetch(FetchDescriptor<LibraryV2.Book>()) { book.title += "!" }
            try context.save()
        })

    static let toV3 = MigrationStage.custom(
        fromVersion: LibraryV2.self, toVersion: LibraryV3.self, willMigrate: { _ in log?.write("will 3") },
        didMigrate: { context in
            log?.write("did 3")
            var authors: [String: LibraryV3.Author] = [:]
            for book in try context.fetch(FetchDescriptor<LibraryV3.Book>()) {
                let author = authors[book.author] ?? LibraryV3.Author(name: book.author)
                authors[book.author] = author
                book.writer = author
            }
            try context.save()
        })

    static let toV4 = MigrationStage.lightweight(fromVersion: LibraryV3.self, toVersion: LibraryV4.self)
}

/// The lines that closures have written.
final class Log: Sendable {
    private let content = Locked<[String]>([])

    var lines: [String] { content.withLock { $0 } }

    func write(_ line: String) { content.withLock { $0.append(line) } }
}

/// A store of a version of the library.
struct VersionedLibraryStore {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("library.store")
    }

    var configuration: ModelConfiguration { ModelConfiguration(url: url) }

    /// A store of the first version with books.
    static func first() throws -> VersionedLibraryStore {
        let store = try VersionedLibraryStore()
        let context = ModelContext(try store.container(LibraryV1.self))
        context.insert(LibraryV1.Book(title: "Emma", author: "Austen"))
        context.insert(LibraryV1.Book(title: "Beowulf"))
        context.insert(LibraryV1.Book(title: "Persuasion", author: "Austen"))
        try context.save()
        return store
    }

    func container(_ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)? = nil) throws
        -> ModelContainer
    {
        try ModelContainer(
            for: Schema(versionedSchema: version), migrationPlan: plan, configurations: configuration)
    }

    /// The titles of a store of the first version.
    func titlesOfV1() throws -> [String] {
        try ModelContext(try container(LibraryV1.self)).fetch(
            FetchDescriptor<LibraryV1.Book>(sortBy: [SortDescriptor(\.title)])
        ).map(\.title)
    }

    /// The names of the files beside the store, without the files of SQLite's log.
    func otherFiles() throws -> [String] { try folder.contents.filter { !$0.hasPrefix("library.store") } }
}
