/// Plans with code, and containers with several stores.
@Suite struct SeveralStoresMigrationTests {
    private let folder: TemporaryFolder
    private var books: URL { folder.file("books.store") }
    private var notes: URL { folder.file("notes.store") }

    init() throws {
        folder = try TemporaryFolder()
        let container = try ModelContainer(
            for: Schema([LibraryV1.Book.self, ColumnsV1.Column.self]),
            configurations: ModelConfiguration("books", schema: Schema([LibraryV1.Book.self]), url: books),
            ModelConfiguration("notes", schema: Schema([ColumnsV1.Column.self]), url: notes))
        let context = ModelContext(container)
        context.insert(LibraryV1.Book(title: "Emma"))
        context.insert(ColumnsV1.Column(text: "Monday"))
        try context.save()
    }

    private func container() throws -> ModelContainer {
        try ModelContainer(
            for: Schema(versionedSchema: BothV2.self), migrationPlan: BothPlan.self,
            configurations: ModelConfiguration("books", schema: Schema([LibraryV2.Book.self]), url: books),
            ModelConfiguration("notes", schema: Schema([ColumnsV1.Column.self]), url: notes))
    }

    @Test func stageWithCodeIsRefused() throws {
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try container() }
        let text = try requireValue(error?.localizedDescription)
        expectContains(text, books.path)
        expectContains(text, "by a plan whose versions have its models only")
        let context = ModelContext(
            try ModelContainer(for: LibraryV1.Book.self, configurations: ModelConfiguration(url: books)))
        try expectEqual(context.fetch(FetchDescriptor<LibraryV1.Book>()).map(\.author), [nil])
    }

    @Test func storeThatWasMigratedByItselfIsOpened() throws {
        try BooksPlan.migrate(ModelConfiguration(url: books))
        let context = ModelContext(try container())
        try expectEqual(context.fetch(FetchDescriptor<LibraryV2.Book>()).map(\.author), ["Anonymous"])
        try expectEqual(context.fetch(FetchDescriptor<ColumnsV1.Column>()).map(\.text), ["Monday"])
    }
}

private enum ColumnsV1 {
    @Model final class Column {
        var text: String

        init(text: String) { self.text = text }
    }
}

private enum BothV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [LibraryV1.Book.self, ColumnsV1.Column.self] }
}

private enum BothV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [LibraryV2.Book.self, ColumnsV1.Column.self] }
}

private enum BothPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [BothV1.self, BothV2.self] }

    static var stages: [MigrationStage] {
        [.custom(fromVersion: BothV1.self, toVersion: BothV2.self, willMigrate: fillAuthors, didMigrate: nil)]
    }
}

/// The versions of one of the stores.
private enum BooksPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, LibraryV2.self] }

    static var stages: [MigrationStage] {
        [.custom(fromVersion: LibraryV1.self, toVersion: LibraryV2.self, willMigrate: fillAuthors, didMigrate: nil)]
    }
}

private func fillAuthors(_ context: ModelContext) throws {
    for book in try context.fetch(FetchDescriptor<LibraryV1.Book>()) where book.author == nil {
        book.author = "Anonymous"
    }
    try context.save()
}
