import CoreData

/// Stores of versions that a plan has, or hasn't.
@Suite struct StoreVersionTests {
    private func metadata(_ url: URL) throws -> [String: Any] {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url, options: nil)
    }

    @Test func storeWithoutVersionIdentifierIsFoundByItsHashes() throws {
        let store = try VersionedLibraryStore.first()
        var metadata = try metadata(store.url)
        metadata["NSStoreModelVersionIdentifiers"] = nil
        try NSPersistentStoreCoordinator.setMetadata(
            metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: store.url, options: nil)
        let context = ModelContext(try store.container(LibraryV4.self, LibraryPlan.self))
        try expectEqual(context.fetchCount(FetchDescriptor<LibraryV4.Book>()), 4)
    }

    @Test func storeOfCoreDataIsMigrated() throws {
        let store = try VersionedLibraryStore()
        try makeCoreDataStore(store.url)
        let context = ModelContext(try store.container(LibraryV4.self, LibraryPlan.self))
        let books = try context.fetch(FetchDescriptor<LibraryV4.Book>(sortBy: [SortDescriptor(\.name)]))
        expectEqual(books.map(\.name), ["Added in V1!", "Emma!"])
    }

    /// A store that Core Data makes with another model.
    private func makeCoreDataStore(_ url: URL) throws {
        let book = NSEntityDescription()
        book.name = "Book"
        for (name, isOptional) in [("title", false), ("author", true)] {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .stringAttributeType
            attribute.isOptional = isOptional
            book.properties.append(attribute)
        }
        let model = NSManagedObjectModel()
        model.entities = [book]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            object.setValue("Emma", forKey: "title")
            object.setValue("Austen", forKey: "author")
            try context.save()
        }
        try coordinator.remove(store)
    }

    @Test func storeBetweenTwoVersionsIsRefusedWithItsDifferences() throws {
        let store = try VersionedLibraryStore()
        do {
            let context = ModelContext(try store.container(BetweenV2AndV3.self))
            context.insert(BetweenV2AndV3.Book(title: "Emma"))
            try context.save()
        }
        let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) {
            try store.container(LibraryV4.self, LibraryPlan.self)
        }
        let text = try requireValue(error?.localizedDescription)
        expectContains(text, "library.store")
        expectContains(text, "LibraryV1 (1.0.0), LibraryV2 (2.0.0), LibraryV3 (3.0.0), LibraryV4 (4.0.0)")
        expectContains(text, "Book.subtitle")
        let context = ModelContext(try store.container(BetweenV2AndV3.self))
        try expectEqual(context.fetch(FetchDescriptor<BetweenV2AndV3.Book>()).map(\.title), ["Emma"])
    }

    @Test func storeOfAnUnknownVersionIsRefusedWithItsEntities() throws {
        let store = try VersionedLibraryStore()
        do { _ = try ModelContainer(for: Recipe.self, configurations: store.configuration) }
        let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) {
            try store.container(LibraryV4.self, LibraryPlan.self)
        }
        expectEqual(error?.localizedDescription.contains("Recipe"), true)
        #expect(throws: SwiftDataError.unknownDataStoreSchema) { try LibraryPlan.preview(store.configuration) }
    }

    @Test func newerStoreIsRefusedWithBothVersions() throws {
        let store = try VersionedLibraryStore()
        do { _ = try store.container(LibraryV4.self) }
        let error = #expect(throws: SwiftDataError.backwardMigration) {
            try store.container(LibraryV2.self, LibraryPlan.self)
        }
        let text = try requireValue(error?.localizedDescription)
        expectContains(text, "LibraryV4 (4.0.0)")
        expectContains(text, "LibraryV2 (2.0.0)")
    }

    @Test func readOnlyConfigurationIsRefused() throws {
        let store = try VersionedLibraryStore.first()
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
            try ModelContainer(
                for: Schema(versionedSchema: LibraryV4.self), migrationPlan: LibraryPlan.self,
                configurations: ModelConfiguration(url: store.url, allowsSave: false))
        }
        expectEqual(error?.localizedDescription.contains("doesn't allow saves"), true)
        try expectEqual(store.titlesOfV1(), ["Beowulf", "Emma", "Persuasion"])
    }

    // MARK: Damage

    @Test func textInPlaceOfAStoreIsRefused() throws {
        let store = try VersionedLibraryStore()
        try store.folder.write("no database", to: "library.store")
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
            try store.container(LibraryV4.self, LibraryPlan.self)
        }
        expectEqual(error?.localizedDescription.contains("library.store"), true)
        try expectEqual(String(contentsOf: store.url, encoding: .utf8), "no database")
    }

    @Test func cutStoreIsRefusedAndStaysAsItIs() throws {
        let store = try VersionedLibraryStore.first()
        let whole = try Data(contentsOf: store.url)
        // The schema and the metadata are there, the end of the file is not.
        let damaged = whole.prefix(whole.count - 3 * 4096)
        try damaged.write(to: store.url)
        #expect(throws: SwiftDataError.loadIssueModelContainer) {
            try store.container(LibraryV4.self, LibraryPlan.self)
        }
        try expectEqual(Data(contentsOf: store.url), damaged)
        try expectEqual(store.otherFiles(), [])
    }

    @Test func damagedRowsAreRefusedAndStayAsTheyAre() throws {
        let store = try VersionedLibraryStore.first()
        var content = try Data(contentsOf: store.url)
        let rows = try requireValue(content.range(of: Data("Beowulf".utf8)))
        let page = rows.lowerBound / 4096 * 4096
        content.replaceSubrange(page..<(page + 8), with: Data(repeating: 0xEE, count: 8))
        try content.write(to: store.url)
        // The closure of the stage throws the error of its fetch.
        #expect(throws: CocoaError.self) { try store.container(LibraryV4.self, LibraryPlan.self) }
        #expect(throws: SwiftDataError.loadIssueModelContainer) {
            try store.container(LightweightV2.self, LightweightPlan.self)
        }
        try expectEqual(Data(contentsOf: store.url), content)
    }

    // MARK: Other users

    @Test(arguments: [true, false]) func storeThatAnotherProgramHasOpenIsRefused(hasCode: Bool) throws {
        let store = try VersionedLibraryStore.first()
        // SQLite treats each connection like the connections of other processes.
        let other = try SQLiteConnection(path: store.url.path, mode: .readWrite)
        try expectEqual(other.integer("SELECT COUNT(*) FROM ZBOOK"), 3)
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
            hasCode
                ? try LibraryPlan.migrate(store.configuration, timeout: 0.1)
                : try LightweightPlan.migrate(store.configuration, timeout: 0.1)
        }
        expectEqual(error?.localizedDescription.contains("Another process has the store open"), true)
        try other.run("UPDATE ZBOOK SET ZTITLE = 'Walden' WHERE ZTITLE = 'Emma'")
        try expectEqual(store.titlesOfV1(), ["Beowulf", "Persuasion", "Walden"])
    }

    @Test func storeIsMigratedWhenTheOtherProgramHasClosedIt() throws {
        let store = try VersionedLibraryStore.first()
        do {
            let other = try SQLiteConnection(path: store.url.path, mode: .readWrite)
            try expectEqual(other.integer("SELECT COUNT(*) FROM ZBOOK"), 3)
            #expect(throws: SwiftDataError.self) { try LibraryPlan.migrate(store.configuration, timeout: 0) }
        }
        try LibraryPlan.migrate(store.configuration, timeout: 0)
        try expectEqual(ModelContext(store.container(LibraryV4.self)).fetchCount(FetchDescriptor<LibraryV4.Book>()), 4)
    }

    @Test func otherContainerOfTheProgramLosesTheStore() throws {
        let store = try VersionedLibraryStore.first()
        let context = ModelContext(try store.container(LibraryV1.self))
        try expectEqual(context.fetchCount(FetchDescriptor<LibraryV1.Book>()), 3)
        try LibraryPlan.migrate(store.configuration, timeout: 0)
        context.insert(LibraryV1.Book(title: "Walden"))
        #expect(throws: CocoaError.self) { try context.save() }
        try expectEqual(ModelContext(store.container(LibraryV4.self)).fetchCount(FetchDescriptor<LibraryV4.Book>()), 4)
    }

    // MARK: Several stores

    @Test func storesOfSeveralConfigurationsAreMigratedEach() throws {
        let folder = try TemporaryFolder()
        let (books, notes) = (folder.file("books.store"), folder.file("notes.store"))
        do {
            let container = try ModelContainer(
                for: Schema([LibraryV2.Book.self, NotesV1.Note.self]),
                configurations: ModelConfiguration("books", schema: Schema([LibraryV2.Book.self]), url: books),
                ModelConfiguration("notes", schema: Schema([NotesV1.Note.self]), url: notes))
            let context = ModelContext(container)
            context.insert(LibraryV2.Book(title: "Emma", author: "Austen"))
            context.insert(NotesV1.Note(heading: "Monday", count: 3))
            try context.save()
        }
        let container = try ModelContainer(
            for: Schema(versionedSchema: TwoStoresV2.self), migrationPlan: TwoStoresPlan.self,
            configurations: ModelConfiguration("books", schema: Schema(LibraryV3.models), url: books),
            ModelConfiguration("notes", schema: Schema([NotesV2.Note.self]), url: notes))
        let context = ModelContext(container)
        try expectEqual(context.fetch(FetchDescriptor<LibraryV3.Book>()).map(\.name), ["Emma"])
        try expectEqual(context.fetch(FetchDescriptor<NotesV2.Note>()).map(\.title), ["Monday"])
    }
}

private enum LightweightPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, LightweightV2.self] }
    static var stages: [MigrationStage] { [] }
}

private enum LightweightV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Book.self] }

    @Model final class Book {
        var title: String
        var author: String?
        var pages: Int?

        init(title: String) { self.title = title }
    }
}

private enum BetweenV2AndV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 5, 0)
    static var models: [any PersistentModel.Type] { [Book.self] }

    @Model final class Book {
        var title: String
        var author: String = ""
        var subtitle: String?

        init(title: String) { self.title = title }
    }
}

private enum TwoStoresV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { LibraryV2.models + NotesV1.models }
}

private enum TwoStoresV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { LibraryV3.models + NotesV2.models }
}

private enum TwoStoresPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [TwoStoresV1.self, TwoStoresV2.self] }
    static var stages: [MigrationStage] { [] }
}
