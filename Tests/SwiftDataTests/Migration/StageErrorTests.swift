import CoreData

/// The errors of stages name the user's store, not the copy on which stages run.
@Suite struct StageErrorTests {
    /// Requires that an error, with all errors within it, says nothing of the copy.
    private func expectNoCopy(_ error: any Error, _ location: SourceLocation = #_sourceLocation) {
        let error = error as NSError
        let text = "\(error) \(error.localizedDescription) \(error.userInfo)"
        #expect(!text.contains(".migrating"), sourceLocation: location)
        for case let cause as NSError in error.userInfo.values { expectNoCopy(cause, location) }
    }

    private func error(of store: VersionedLibraryStore, _ plan: any SchemaMigrationPlan.Type) throws -> any Error {
        do { _ = try store.container(LibraryV3.self, plan) } catch { return error }
        throw NothingThrown()
    }

    private struct NothingThrown: Error {}

    @Test func failingLightweightStageNamesTheStore() throws {
        let store = try VersionedLibraryStore.first()
        // Two books have no author, which the second version requires.
        let error = try error(of: store, LightweightStagesPlan.self)
        #expect(error as? SwiftDataError == .loadIssueModelContainer)
        expectContains(error.localizedDescription, store.url.path)
        expectNoCopy(error)
    }

    @Test func errorOfASaveInAClosureNamesTheStore() throws {
        let store = try VersionedLibraryStore.first()
        do {
            let connection = try SQLiteConnection(path: store.url.path, mode: .readWrite)
            try connection.run(
                "CREATE TRIGGER refusal BEFORE UPDATE ON ZBOOK BEGIN SELECT RAISE(ABORT, 'refused'); END")
        }
        let error = try error(of: store, LibraryPlan.self) as NSError
        expectEqual(error.domain, NSCocoaErrorDomain)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == store.url.path)
        expectNoCopy(error)
    }

    @Test func errorOfTheProgramStaysAsItIs() throws {
        let store = try VersionedLibraryStore.first()
        let error = try error(of: store, FailingPlan.self)
        #expect(error as? FailingPlan.Failure == FailingPlan.Failure(number: 7))
    }
}

private enum LightweightStagesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, LibraryV2.self, LibraryV3.self] }

    static var stages: [MigrationStage] {
        [
            .lightweight(fromVersion: LibraryV1.self, toVersion: LibraryV2.self),
            .lightweight(fromVersion: LibraryV2.self, toVersion: LibraryV3.self),
        ]
    }
}

private enum FailingPlan: SchemaMigrationPlan {
    struct Failure: Error, Equatable { let number: Int }

    static var schemas: [any VersionedSchema.Type] { [LibraryV1.self, LibraryV2.self, LibraryV3.self] }

    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: LibraryV1.self, toVersion: LibraryV2.self,
                willMigrate: { _ in throw Failure(number: 7) }, didMigrate: nil),
            .lightweight(fromVersion: LibraryV2.self, toVersion: LibraryV3.self),
        ]
    }
}
