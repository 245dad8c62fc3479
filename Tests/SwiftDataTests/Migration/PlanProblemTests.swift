/// Plans with mistakes, which containers refuse and `check()` reports.
@Suite struct PlanProblemTests {
    /// The text of the error of a plan, which a container and `check()` throw alike.
    private func problem(_ plan: any SchemaMigrationPlan.Type) throws -> String {
        let store = try VersionedLibraryStore()
        let thrown = #expect(throws: SwiftDataError.loadIssueModelContainer) {
            try store.container(LibraryV3.self, plan)
        }
        let checked = #expect(throws: SwiftDataError.loadIssueModelContainer) { try plan.check() }
        expectEqual(thrown?.localizedDescription, checked?.localizedDescription)
        expectEqual(thrown?.localizedDescription.contains("\(plan)"), true)
        expectFalse(FileManager.default.fileExists(atPath: store.url.path))
        return try requireValue(thrown?.localizedDescription)
    }

    @Test func repeatedVersionIsNamed() throws {
        let text = try problem(RepeatingPlan.self)
        expectContains(text, "LibraryV2 (2.0.0) is twice")
    }

    @Test func versionsInDescendingOrderAreNamed() throws {
        let text = try problem(DescendingPlan.self)
        expectContains(text, "LibraryV1 (1.0.0) comes after LibraryV3 (3.0.0)")
    }

    @Test func equalVersionNumbersAreNamed() throws {
        let text = try problem(SameNumberPlan.self)
        expectContains(text, "LibraryV3 (3.0.0)")
        expectContains(text, "OtherV3 (3.0.0)")
        expectContains(text, "versionIdentifier")
    }

    @Test func skippedVersionIsNamed() throws {
        let text = try problem(SkippingPlan.self)
        expectContains(text, "from LibraryV1 (1.0.0) to LibraryV3 (3.0.0) skips LibraryV2 (2.0.0)")
    }

    @Test func missingStageIsNamed() throws {
        let text = try problem(GapPlan.self)
        expectContains(text, "No stage leads from LibraryV2 (2.0.0) to LibraryV3 (3.0.0)")
    }

    @Test func repeatedStageIsNamed() throws {
        let text = try problem(TwiceStagedPlan.self)
        expectContains(text, "from LibraryV1 (1.0.0) to LibraryV2 (2.0.0) is there twice")
    }

    @Test func stageToItsOwnVersionIsNamed() throws {
        let text = try problem(CircularPlan.self)
        expectContains(text, "from LibraryV2 (2.0.0) to LibraryV2 (2.0.0) leads nowhere")
    }

    @Test func stageOfAnUnlistedVersionIsNamed() throws {
        let text = try problem(UnlistedPlan.self)
        expectContains(text, "from LibraryV3 (3.0.0) to LibraryV4 (4.0.0) names a version that isn't in schemas")
    }

    @Test func versionsWithEqualHashesAreNamed() throws {
        let text = try problem(EqualPlan.self)
        expectContains(text, "LibraryV3 (3.0.0) and CopyOfV3 (3.1.0) have equal version hashes")
    }

    @Test func mistakeInAVersionIsNamed() throws {
        let text = try problem(MistakenPlan.self)
        expectContains(text, "MistakenV4 (4.0.0)")
        expectContains(text, "two models have this name")
    }

    @Test func allMistakesAreReportedAtOnce() throws {
        let text = try problem(ManyMistakesPlan.self)
        expectContains(text, "is twice")
        expectContains(text, "leads nowhere")
    }

    @Test func planThatDoesNotLeadToTheContainersSchemaIsRefused() throws {
        let store = try VersionedLibraryStore.first()
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
            try store.container(LibraryV4.self, ShortPlan.self)
        }
        let text = try requireValue(error?.localizedDescription)
        expectContains(text, "ShortPlan")
        expectContains(text, "LibraryV2 (2.0.0)")
        expectContains(text, "Book.pages")
    }

    @Test func planThatDoesNotLeadToTheContainersSchemaIsOfNoConcernToANewStore() throws {
        let store = try VersionedLibraryStore()
        for _ in 1...2 { _ = try store.container(LibraryV4.self, ShortPlan.self) }
    }

    @Test func versionsWithEqualHashesMayBeListedWithoutStages() throws {
        let store = try VersionedLibraryStore.first()
        for _ in 1...2 {
            let context = ModelContext(try store.container(CopyOfV2.self, EqualUnstagedPlan.self))
            try expectEqual(context.fetchCount(FetchDescriptor<OneMoreV2.Book>()), 3)
        }
        try EqualUnstagedPlan.check()
    }

    @Test func stageMayLeadBack() throws {
        let store = try VersionedLibraryStore()
        let new = ModelContext(try store.container(OneMoreV2.self, BackwardPlan.self))
        new.insert(OneMoreV2.Book(title: "Emma", pages: 400))
        try new.save()
        let old = ModelContext(try store.container(LibraryV1.self, BackwardPlan.self))
        try expectEqual(old.fetch(FetchDescriptor<LibraryV1.Book>()).map(\.title), ["Emma"])
    }

    @Test func changeWithoutLightweightMigrationIsFoundByTheCheck() throws {
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try IncompatiblePlan.check() }
        let text = try requireValue(error?.localizedDescription)
        expectContains(text, "IncompatibleV2 (2.0.0)")
        expectContains(text, "title")
    }

    @Test func goodPlanPassesTheCheck() throws { try LibraryPlan.check() }

    @Test func planWithoutVersionsChangesNothing() throws {
        let store = try VersionedLibraryStore.first()
        try expectEqual(
            ModelContext(store.container(LibraryV1.self, EmptyPlan.self)).fetchCount(
                FetchDescriptor<LibraryV1.Book>()), 3)
        try EmptyPlan.check()
        expectEmpty(try EmptyPlan.preview(store.configuration))
    }

    // MARK: Previews

    @Test func previewNamesStagesAndChangesAndLeavesTheStore() throws {
        let store = try VersionedLibraryStore.first()
        let stages = try LibraryPlan.preview(store.configuration)
        expectEqual(
            stages.map { "\($0.fromVersion) \($0.toVersion)" },
            [
                "LibraryV1 LibraryV2", "LibraryV2 LibraryV3", "LibraryV3 LibraryV4",
            ])
        expectEqual(stages.map(\.hasWillMigrate), [true, true, false])
        expectEqual(stages.map(\.hasDidMigrate), [true, true, false])
        expectEqual(stages[0].changes, ["Book.author: now required"])
        #expect(stages[2].changes.contains { $0.contains("Book.pages") })
        try expectEqual(store.titlesOfV1(), ["Beowulf", "Emma", "Persuasion"])
    }

    @Test func previewOfTheLastVersionIsEmpty() throws {
        let store = try VersionedLibraryStore()
        _ = try store.container(LibraryV4.self)
        expectEmpty(try LibraryPlan.preview(store.configuration))
    }
}

// MARK: - Plans

private enum RepeatingPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
        [LibraryV1.self, LibraryV2.self, LibraryV2.self, LibraryV3.self]
    }
    static var stages: [MigrationStage] { [] }
}

private enum DescendingPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LibraryV3.self, LibraryV1.self] }
    static var stages: [MigrationStage] { [] }
}

private enum OtherV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { LibraryV4.models }
}

private enum SameNumberPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LibraryV3.self, OtherV3.self] }
    static var stages: [MigrationStage] { [] }
}

private enum SkippingPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, LibraryV2.self, LibraryV3.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: LibraryV1.self, toVersion: LibraryV3.self)] }
}

private enum GapPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { SkippingPlan.schemas }
    static var stages: [MigrationStage] { [LibraryPlan.toV2] }
}

private enum TwiceStagedPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { SkippingPlan.schemas }
    static var stages: [MigrationStage] {
        [LibraryPlan.toV2, LibraryPlan.toV3, .lightweight(fromVersion: LibraryV1.self, toVersion: LibraryV2.self)]
    }
}

private enum CircularPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { SkippingPlan.schemas }
    static var stages: [MigrationStage] {
        [
            LibraryPlan.toV2, LibraryPlan.toV3,
            .lightweight(fromVersion: LibraryV2.self, toVersion: LibraryV2.self),
        ]
    }
}

private enum UnlistedPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { SkippingPlan.schemas }
    static var stages: [MigrationStage] { [LibraryPlan.toV2, LibraryPlan.toV3, LibraryPlan.toV4] }
}

private enum CopyOfV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 1, 0)
    static var models: [any PersistentModel.Type] { LibraryV3.models }
}

private enum EqualPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LibraryV2.self, LibraryV3.self, CopyOfV3.self] }
    static var stages: [MigrationStage] {
        [LibraryPlan.toV3, .lightweight(fromVersion: LibraryV3.self, toVersion: CopyOfV3.self)]
    }
}

private enum EqualUnstagedPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
        [LibraryV1.self, CopyOfV1.self, OneMoreV2.self, CopyOfV2.self]
    }
    static var stages: [MigrationStage] { [] }
}

private enum MistakenV4: VersionedSchema {
    static let versionIdentifier = Schema.Version(4, 0, 0)
    static var models: [any PersistentModel.Type] { [LibraryV3.Author.self, LibraryV1.Book.self] }
}

private enum MistakenPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LibraryV3.self, MistakenV4.self] }
    static var stages: [MigrationStage] { [] }
}

private enum ManyMistakesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { RepeatingPlan.schemas }
    static var stages: [MigrationStage] {
        [.lightweight(fromVersion: LibraryV3.self, toVersion: LibraryV3.self)]
    }
}

private enum ShortPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, LibraryV2.self] }
    static var stages: [MigrationStage] { [] }
}

private enum EmptyPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [] }
    static var stages: [MigrationStage] { [] }
}

private enum IncompatibleV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Book.self] }

    @Model final class Book {
        var title: Date
        var author: String?

        init(title: Date) { self.title = title }
    }
}

private enum IncompatiblePlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, IncompatibleV2.self] }
    static var stages: [MigrationStage] { [] }
}

private enum OneMoreV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Book.self] }

    @Model final class Book {
        var title: String
        var author: String?
        var pages = 0

        init(title: String, pages: Int) {
            self.title = title
            self.pages = pages
        }
    }
}

private enum CopyOfV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 1, 0)
    static var models: [any PersistentModel.Type] { LibraryV1.models }
}

private enum CopyOfV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 1, 0)
    static var models: [any PersistentModel.Type] { OneMoreV2.models }
}

private enum BackwardPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, OneMoreV2.self] }
    static var stages: [MigrationStage] {
        [
            .lightweight(fromVersion: LibraryV1.self, toVersion: OneMoreV2.self),
            .lightweight(fromVersion: OneMoreV2.self, toVersion: LibraryV1.self),
        ]
    }
}
