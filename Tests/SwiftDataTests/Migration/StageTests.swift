/// The execution of the stages of a plan.
@Suite struct StageTests {
    @Test func closuresHaveTheClassesOfTheirVersion() throws {
        let store = try VersionedLibraryStore.first()
        let context = ModelContext(try store.container(LibraryV4.self, LibraryPlan.self))
        let books = try context.fetch(FetchDescriptor<LibraryV4.Book>(sortBy: [SortDescriptor(\.name)]))
        expectEqual(books.map(\.name), ["Added in V1!", "Beowulf!", "Emma!", "Persuasion!"])
        expectEqual(books.map { $0.writer?.name }, ["Will", "Anonymous", "Austen", "Austen"])
        expectEqual(books.map(\.pages), [100, 100, 100, 100])
        let authors = try context.fetch(FetchDescriptor<LibraryV4.Author>(sortBy: [SortDescriptor(\.name)]))
        expectEqual(authors.map(\.name), ["Anonymous", "Austen", "Will"])
        expectEqual(authors.map(\.books.count), [1, 2, 1])
    }

    @Test func stagesAreExecutedInTheOrderOfTheVersions() throws {
        let store = try VersionedLibraryStore.first()
        let log = Log()
        try LibraryPlan.$log.withValue(log) { _ = try store.container(LibraryV4.self, LibraryPlan.self) }
        expectEqual(log.lines, ["will 2", "did 2", "will 3", "did 3"])
    }

    @Test func stagesBeforeTheStoresVersionAreLeftOut() throws {
        let store = try VersionedLibraryStore()
        do {
            let context = ModelContext(try store.container(LibraryV2.self))
            context.insert(LibraryV2.Book(title: "Emma", author: "Austen"))
            try context.save()
        }
        let log = Log()
        try LibraryPlan.$log.withValue(log) { _ = try store.container(LibraryV4.self, LibraryPlan.self) }
        expectEqual(log.lines, ["will 3", "did 3"])
    }

    @Test func stagesAfterTheContainersVersionAreLeftOut() throws {
        let store = try VersionedLibraryStore.first()
        let log = Log()
        let container = try LibraryPlan.$log.withValue(log) { try store.container(LibraryV2.self, LibraryPlan.self) }
        expectEqual(log.lines, ["will 2", "did 2"])
        try expectEqual(ModelContext(container).fetchCount(FetchDescriptor<LibraryV2.Book>()), 4)
    }

    @Test func newStoreNeedsNoStage() throws {
        let store = try VersionedLibraryStore()
        let log = Log()
        let container = try LibraryPlan.$log.withValue(log) { try store.container(LibraryV4.self, LibraryPlan.self) }
        expectEmpty(log.lines)
        #expect(container.migrationPlan == LibraryPlan.self)
    }

    @Test func migratedStoreIsNotMigratedAgain() throws {
        let store = try VersionedLibraryStore.first()
        _ = try store.container(LibraryV4.self, LibraryPlan.self)
        let log = Log()
        try LibraryPlan.$log.withValue(log) { _ = try store.container(LibraryV4.self, LibraryPlan.self) }
        expectEmpty(log.lines)
    }

    @Test func nothingRemainsBesideTheStore() throws {
        let store = try VersionedLibraryStore.first()
        _ = try store.container(LibraryV4.self, LibraryPlan.self)
        try expectEqual(store.otherFiles(), [])
    }

    @Test func planWithoutStagesIsLightweight() throws {
        let store = try VersionedLibraryStore()
        do {
            let context = ModelContext(try store.container(LibraryV2.self))
            context.insert(LibraryV2.Book(title: "Emma", author: "Austen"))
            try context.save()
        }
        let context = ModelContext(try store.container(LibraryV4.self, PlanWithoutStages.self))
        try expectEqual(context.fetch(FetchDescriptor<LibraryV4.Book>()).map(\.name), ["Emma"])
    }

    @Test(arguments: [false, true]) func errorOfAClosureIsThrownAndLeavesTheStore(inDidMigrate: Bool) throws {
        let store = try VersionedLibraryStore.first()
        FailingPlan.$failsInDidMigrate.withValue(inDidMigrate) {
            #expect(throws: FailingPlan.Failure(number: 7)) { try store.container(LibraryV3.self, FailingPlan.self) }
        }
        try expectEqual(store.titlesOfV1(), ["Beowulf", "Emma", "Persuasion"])
        try expectEqual(store.otherFiles(), [])
    }

    @Test func failingLightweightMigrationLeavesTheStore() throws {
        let store = try VersionedLibraryStore.first()
        // Two books have no author, which the second version requires.
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
            try store.container(LibraryV2.self, PlanWithoutStages.self)
        }
        let text = try requireValue(error?.localizedDescription)
        expectContains(text, "LibraryV1 (1.0.0)")
        expectContains(text, "LibraryV2 (2.0.0)")
        expectContains(text, "author")
        try expectEqual(store.titlesOfV1(), ["Beowulf", "Emma", "Persuasion"])
    }

    @Test func unsavedChangesOfAClosureAreDropped() throws {
        let store = try VersionedLibraryStore.first()
        let container = try store.container(LibraryV2.self, UnsavedPlan.self)
        let books = try ModelContext(container).fetch(
            FetchDescriptor<LibraryV2.Book>(sortBy: [SortDescriptor(\.title)]))
        expectEqual(books.map(\.title), ["Beowulf", "Emma", "Persuasion"])
    }

    @Test func missingValuesOfARequiredAttributeAreNamed() throws {
        let store = try VersionedLibraryStore.first()
        let error = #expect(throws: SwiftDataError.modelValidationFailure) {
            try store.container(LibraryV2.self, NothingFilledPlan.self)
        }
        let text = try requireValue(error?.localizedDescription)
        expectContains(text, "Book.author is required in LibraryV2 (2.0.0), and 1 model")
        try expectEqual(store.titlesOfV1(), ["Beowulf", "Emma", "Persuasion"])
    }

    @Test func externalDataIsKept() throws {
        let folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.file("photos.store"))
        let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        do {
            let container = try ModelContainer(
                for: Schema(versionedSchema: PhotosV1.self), configurations: configuration)
            let context = ModelContext(container)
            context.insert(PhotosV1.Photo(data: data))
            try context.save()
        }
        let container = try ModelContainer(
            for: Schema(versionedSchema: PhotosV2.self), migrationPlan: PhotosPlan.self, configurations: configuration)
        let photo = try requireValue(try ModelContext(container).fetch(FetchDescriptor<PhotosV2.Photo>()).first)
        expectEqual(photo.image, data)
        expectEqual(photo.thumbnail, data.prefix(150_000))
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.path(".photos_SUPPORT/_EXTERNAL_DATA"))
        expectEqual(names.count, 2)
    }

    @Test func progressIsToldInOrder() throws {
        let store = try VersionedLibraryStore.first()
        var seen: [MigrationProgress] = []
        try LibraryPlan.migrate(store.configuration) { seen.append($0) }
        let parts = seen.map(\.fractionCompleted)
        expectEqual(parts, parts.sorted())
        expectEqual(parts.first, 0)
        expectEqual(parts.last, 1)
        expectEqual(seen.last?.completedStages, 3)
        #expect(seen.allSatisfy { $0.totalStages == 3 })
        #expect(seen.first?.fromVersion == LibraryV1.self)
        #expect(seen.last?.toVersion == LibraryV4.self)
    }

    @Test func errorOfTheProgressEndsTheMigration() throws {
        let store = try VersionedLibraryStore.first()
        #expect(throws: CancellationError.self) {
            try LibraryPlan.migrate(store.configuration) {
                if $0.completedStages == 2 { throw CancellationError() }
            }
        }
        try expectEqual(store.titlesOfV1(), ["Beowulf", "Emma", "Persuasion"])
    }
}

private enum PlanWithoutStages: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { LibraryPlan.schemas }
    static var stages: [MigrationStage] { [] }
}

/// The first stage saves, the second one throws.
private enum FailingPlan: SchemaMigrationPlan {
    struct Failure: Error, Equatable { let number: Int }

    @TaskLocal static var failsInDidMigrate = false

    static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, LibraryV2.self, LibraryV3.self] }

    static var stages: [MigrationStage] {
        [
            LibraryPlan.toV2,
            .custom(
                fromVersion: LibraryV2.self, toVersion: LibraryV3.self,
                willMigrate: { context in
                    try context.delete(model: LibraryV2.Book.self)
                    try context.save()
                    if !failsInDidMigrate { throw Failure(number: 7) }
                },
                didMigrate: { _ in throw Failure(number: 7) }),
        ]
    }
}

private enum NothingFilledPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, LibraryV2.self] }

    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: LibraryV1.self, toVersion: LibraryV2.self, willMigrate: { _ in }, didMigrate: nil)
        ]
    }
}

private enum UnsavedPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, LibraryV2.self] }

    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: LibraryV1.self, toVersion: LibraryV2.self,
                willMigrate: { context in
                    for book in try context.fetch(FetchDescriptor<LibraryV1.Book>()) { book.author = "?" }
                    try context.save()
                },
                didMigrate: { context in
                    for book in try context.fetch(FetchDescriptor<LibraryV2.Book>()) { book.title = "changed" }
                })
        ]
    }
}

private enum PhotosV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Photo.self] }

    @Model final class Photo {
        @Attribute(.externalStorage) var data: Data

        init(data: Data) { self.data = data }
    }
}

private enum PhotosV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Photo.self] }

    @Model final class Photo {
        @Attribute(.externalStorage, originalName: "data") var image: Data
        @Attribute(.externalStorage) var thumbnail: Data?

        init(image: Data) { self.image = image }
    }
}

private enum PhotosPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [PhotosV1.self, PhotosV2.self] }

    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: PhotosV1.self, toVersion: PhotosV2.self, willMigrate: nil,
                didMigrate: { context in
                    for photo in try context.fetch(FetchDescriptor<PhotosV2.Photo>()) {
                        photo.thumbnail = photo.image.prefix(150_000)
                    }
                    try context.save()
                })
        ]
    }
}
