/// The errors of SwiftData: each names the entity, the property or the file, and says what to do.
@Suite struct SwiftDataErrorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The text of the error of a kind that a closure throws.
    private func text(_ kind: SwiftDataError, _ body: () throws -> Void) throws -> String {
        try requireValue(#expect(throws: kind) { try body() }).localizedDescription
    }

    private func context() throws -> ModelContext {
        ModelContext(
            try ModelContainer(for: LibraryV1.Book.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        )
    }

    // MARK: Configurations

    @Test func invalidCharactersOfAFileNameAreNamed() throws {
        let text = try text(.configurationFileNameContainsInvalidCharacters) {
            _ = try ModelContainer(
                for: LibraryV1.Book.self, configurations: ModelConfiguration("a/b", url: folder.file("c.store")))
        }
        expectContains(text, "'a/b'")
        expectContains(text, "Give the configuration a name")
    }

    @Test func longFileNameIsNamed() throws {
        let name = String(repeating: "n", count: 251)
        let text = try text(.configurationFileNameTooLong) {
            _ = try ModelContainer(
                for: LibraryV1.Book.self, configurations: ModelConfiguration("long", url: folder.file(name)))
        }
        expectContains(text, name)
        expectContains(text, "shorter name")
    }

    @Test func modelOfAConfigurationThatTheContainerLacksIsNamed() throws {
        let text = try text(.configurationSchemaNotFoundInContainerSchema) {
            _ = try ModelContainer(
                for: Schema([LibraryV1.Book.self]),
                configurations: ModelConfiguration(
                    "notes", schema: Schema([NotesV1.Note.self]), isStoredInMemoryOnly: true))
        }
        expectContains(text, "'notes'")
        expectContains(text, "the model Note")
        expectContains(text, "models are: Book")
    }

    @Test func repeatedConfigurationIsNamed() throws {
        let text = try text(.duplicateConfiguration) {
            _ = try ModelContainer(
                for: LibraryV1.Book.self, configurations: ModelConfiguration("same", url: folder.file("a.store")),
                ModelConfiguration("same", url: folder.file("b.store")))
        }
        expectContains(text, "'same'")
        expectContains(text, "b.store")
    }

    // MARK: Containers

    @Test func mistakeInAClassIsNamedWithItsEntity() throws {
        let text = try text(.loadIssueModelContainer) {
            _ = try ModelContainer(for: Schema([LibraryV1.Book.self, LibraryV2.Book.self]))
        }
        expectContains(text, "Book: two models have this name")
        expectContains(text, "Rename one")
    }

    @Test func storeInAFolderThatCanNotBeCreatedIsNamed() throws {
        try Data().write(to: folder.file("file"))
        let url = folder.file("file/library/library.store")
        let text = try text(.loadIssueModelContainer) {
            _ = try ModelContainer(for: LibraryV1.Book.self, configurations: ModelConfiguration(url: url))
        }
        expectContains(text, url.path)
    }

    @Test func classOfAnotherVersionIsUnknown() throws {
        let context = try context()
        let text = try text(.unknownSchema) { _ = try context.fetch(FetchDescriptor<LibraryV2.Book>()) }
        expectContains(text, "Book")
        expectContains(text, "class of the container's version")
    }

    // MARK: Fetching

    @Test func keyPathToNoStoredPropertyIsNamed() throws {
        let context = try context()
        var descriptor = FetchDescriptor<LibraryV1.Book>()
        descriptor.propertiesToFetch = [\.hasChanges]
        let text = try text(.unsupportedKeyPath) { _ = try context.fetch(descriptor) }
        expectContains(text, "no stored property of Book")
        expectContains(text, "It stores: author, title.")
    }

    @Test func relationshipKeyPathToNoStoredPropertyIsNamed() throws {
        let context = try context()
        var descriptor = FetchDescriptor<LibraryV1.Book>()
        descriptor.relationshipKeyPathsForPrefetching = [\.isDeleted]
        let text = try text(.unsupportedKeyPath) { _ = try context.fetch(descriptor) }
        expectContains(text, "no stored property of Book")
    }

    @Test func sortDescriptorOfNoStoredPropertyIsNamed() throws {
        let context = try context()
        let descriptor = FetchDescriptor<LibraryV1.Book>(sortBy: [SortDescriptor(\.unstored)])
        let text = try text(.unsupportedSortDescriptor) { _ = try context.fetch(descriptor) }
        expectContains(text, "no stored property of Book")
        expectContains(text, "It stores: author, title.")
    }

    @Test func partOfAPredicateIsNamed() throws {
        let context = try context()
        let descriptor = FetchDescriptor<LibraryV1.Book>(predicate: #Predicate { $0.unstored == "a" })
        let text = try text(.unsupportedPredicate) { _ = try context.fetch(descriptor) }
        expectContains(text, "A predicate of Book")
        expectContains(text, "no stored property")
    }

    @Test func changeInAnEnumerationIsNamedWithItsProperty() throws {
        let context = try context()
        context.insert(LibraryV1.Book(title: "Emma"))
        try context.save()
        let text = try text(.modelValidationFailure) {
            try context.enumerate(FetchDescriptor<LibraryV1.Book>()) { $0.title = "Persuasion" }
        }
        expectContains(text, "Book.title was changed")
        expectContains(text, "allowEscapingMutations: true")
    }

    // MARK: Unsaved changes, which Apple's refuses

    @Test func batchesContainUnsavedChanges() throws {
        let context = try context()
        for number in 0..<5 { context.insert(LibraryV1.Book(title: "\(number)")) }
        try context.save()
        context.insert(LibraryV1.Book(title: "5"))
        let books = try context.fetch(FetchDescriptor<LibraryV1.Book>(sortBy: [SortDescriptor(\.title)]), batchSize: 2)
        expectEqual(books.map(\.title), ["0", "1", "2", "3", "4", "5"])
    }

    @Test func sortedIdentifiersContainUnsavedChanges() throws {
        let context = try context()
        for number in [3, 1] { context.insert(LibraryV1.Book(title: "\(number)")) }
        try context.save()
        let new = LibraryV1.Book(title: "2")
        context.insert(new)
        let identifiers = try context.fetchIdentifiers(
            FetchDescriptor<LibraryV1.Book>(sortBy: [SortDescriptor(\.title)]))
        expectEqual(identifiers.count, 3)
        expectEqual(identifiers[1], new.persistentModelID)
    }

    // MARK: Comparing

    @Test func errorsAreComparedByKindAlone() throws {
        let context = try context()
        do {
            _ = try context.fetch(FetchDescriptor<LibraryV2.Book>())
            Issue.record("nothing was thrown")
        } catch SwiftDataError.unknownSchema {
            // The pattern ignores the explanation.
        }
        #expect(SwiftDataError.unknownSchema != .unknownDataStoreSchema)
        expectContains(SwiftDataError.historyTokenExpired.localizedDescription, "historyTokenExpired")
        expectEqual(Set([SwiftDataError.missingModelContext, .missingModelContext]).count, 1)
    }
}

extension LibraryV1.Book {
    fileprivate var unstored: String { "b" }
}
