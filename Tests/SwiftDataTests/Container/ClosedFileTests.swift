import Foundation
import SwiftData
import Testing

/// A file closes with the last thing that the program holds of its container, and SQLite then moves the log into it.
@Suite("The file of a container that nothing holds")
struct ClosedFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var url: URL { folder.file("library.store") }

    private func makeContainer() throws -> ModelContainer {
        try ModelContainer(for: Library.schema, configurations: ModelConfiguration(url: url))
    }

    /// The content of a copy of the main file alone.
    private func contentOfCopy() throws -> [String: [String]] {
        let copy = folder.file("copy.store")
        try? FileManager.default.removeItem(at: copy)
        try FileManager.default.copyItem(at: url, to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        let container = try ModelContainer(for: Library.schema, configurations: ModelConfiguration(url: copy))
        var content: [String: [String]] = [:]
        for author in try ModelContext(container).fetch(FetchDescriptor<Library.Author>()) {
            content[author.name] = author.books.map(\.title).sorted()
        }
        return content
    }

    private func expectClosed(
        _ content: [String: [String]] = ["Jane": ["Emma", "Persuasion"]],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try #expect(folder.contents == ["library.store"], sourceLocation: sourceLocation)
        try #expect(contentOfCopy() == content, sourceLocation: sourceLocation)
    }

    @discardableResult
    private func fill(_ context: ModelContext) throws -> Library.Author {
        let author = Library.Author("Jane")
        author.books = [Library.Book("Emma"), Library.Book("Persuasion")]
        context.insert(author)
        try context.save()
        return author
    }

    @Test("is in a folder that the container creates")
    func missingFolder() throws {
        let url = folder.file("app/data/library.store")
        let container = try ModelContainer(for: Library.schema, configurations: ModelConfiguration(url: url))
        try fill(ModelContext(container))
        expectTrue(FileManager.default.fileExists(atPath: url.path))
    }

    @Test("is closed after related models were saved")
    func saved() throws {
        do {
            let container = try makeContainer()
            try fill(ModelContext(container))
        }
        try expectClosed()
    }

    @Test("is closed after related models were inserted before they were related")
    func relatedLater() throws {
        do {
            let context = ModelContext(try makeContainer())
            let author = Library.Author("Jane")
            let books = [Library.Book("Emma"), Library.Book("Persuasion")]
            context.insert(author)
            for book in books {
                context.insert(book)
                book.author = author
            }
            try context.save()
        }
        try expectClosed()
    }

    @MainActor @Test("is closed after related models were saved in the main context")
    func mainContext() throws {
        do {
            let container = try makeContainer()
            try fill(container.mainContext)
        }
        try expectClosed()
    }

    @Test("is closed after the relationships of fetched models were read")
    func fetched() throws {
        do { try fill(ModelContext(try makeContainer())) }
        do {
            let context = ModelContext(try makeContainer())
            let books = try context.fetch(FetchDescriptor<Library.Book>())
            #expect(books.allSatisfy { $0.author?.books.contains($0) == true })
        }
        try expectClosed()
    }

    @Test("is closed when models that the program kept longer than the context were read, and are released")
    func keptModels() throws {
        do {
            let author = try fill(ModelContext(try makeContainer()))
            #expect(author.books.allSatisfy { $0.author === author })
        }
        try expectClosed()
    }

    @Test("is closed when the models of several contexts that were kept longer are released, in any order")
    func severalContexts() throws {
        do {
            let container = try makeContainer()
            let first = try fill(ModelContext(container))
            var second = try ModelContext(container).fetch(FetchDescriptor<Library.Author>()).first
            expectEqual(second?.books.first?.author?.name, "Jane")
            expectEqual(first.books.count, 2)
            second = nil
        }
        try expectClosed()
    }

    @Test("is closed after related models were changed and not saved")
    func unsaved() throws {
        do {
            let context = ModelContext(try makeContainer())
            let author = try fill(context)
            author.books.append(Library.Book("Sanditon"))
            author.books[0].loans.append(Library.Loan("Ada", book: author.books[0]))
        }
        try expectClosed()
    }

    @Test("is closed after related models were changed when the context was released")
    func changedWithoutContext() throws {
        do {
            let author = try fill(ModelContext(try makeContainer()))
            author.books[0].title = "Changed"
            author.name = "Changed"
            expectEqual(author.name, "Changed")
        }
        try expectClosed()
    }

    @Test("is closed after related models were deleted")
    func deleted() throws {
        do {
            let context = ModelContext(try makeContainer())
            let author = try fill(context)
            let book = author.books[0]
            context.delete(author)
            try context.save()
            expectEqual(book.author, nil)
        }
        try expectClosed([:])
    }

    @Test("is closed after a transaction, a rollback and an undo of related models")
    func undone() throws {
        do {
            let context = ModelContext(try makeContainer())
            context.undoManager = UndoManager()
            let author = try fill(context)
            context.processPendingChanges()
            author.books.removeAll()
            context.processPendingChanges()
            context.undoManager?.undo()
            context.rollback()
            author.books = []
            context.rollback()
            expectEqual(author.books.count, 2)
        }
        try expectClosed()
    }

    @Test("is closed after related models were observed")
    func observed() throws {
        do {
            let context = ModelContext(try makeContainer())
            let author = try fill(context)
            withObservationTracking {
                _ = author.books.map(\.author)
            } onChange: {
            }
            author.books[0].author = author
        }
        try expectClosed()
    }

    @Test("1,000 containers with related models leave no file open")
    func manyContainers() throws {
        let before = Self.openFiles(below: folder.url)
        for index in 0..<TestRun.quick(200, long: 1_000) {
            let url = folder.file("\(index % 7).store")
            let container = try ModelContainer(for: Library.schema, configurations: ModelConfiguration(url: url))
            let author = try fill(ModelContext(container))
            #expect(author.books.first?.author === author)
        }
        expectEqual(Self.openFiles(below: folder.url), before)
        try #expect(folder.contents.allSatisfy { $0.hasSuffix(".store") })
    }

    private static func openFiles(below folder: URL) -> [String] {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.hasPrefix(folder.path) }
    }
}
