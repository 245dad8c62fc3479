/// Stores of an older version of a schema, whose classes have the same names.
@Suite struct LightweightMigrationTests {
    private func makeOldStore(at url: URL) throws {
        let container = try ModelContainer(
            for: Schema(versionedSchema: NotesV1.self), configurations: ModelConfiguration(url: url))
        let context = ModelContext(container)
        context.insert(NotesV1.Note(heading: "Monday", count: 3))
        try context.save()
    }

    @Test func renamedAndNewPropertiesAreMigrated() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("notes.store")
        try makeOldStore(at: url)
        let container = try ModelContainer(
            for: Schema(versionedSchema: NotesV2.self), migrationPlan: NotesPlan.self,
            configurations: ModelConfiguration(url: url))
        let note = try requireValue(try ModelContext(container).fetch(FetchDescriptor<NotesV2.Note>()).first)
        expectEqual(note.title, "Monday")
        expectEqual(note.count, 3)
        expectEqual(note.isPinned, false)
        expectEqual(note.labels, [])
    }

    @Test func storeOfAnotherProgramIsRefusedWithItsName() throws {
        let folder = try TemporaryFolder()
        let url = try folder.write("no database", to: "text.store")
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
            try ModelContainer(for: Recipe.self, configurations: ModelConfiguration(url: url))
        }
        expectEqual(error?.localizedDescription.contains("text.store"), true)
    }
}

enum NotesV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Note.self] }

    @Model final class Note {
        var heading: String
        var count: Int

        init(heading: String, count: Int) {
            self.heading = heading
            self.count = count
        }
    }
}

enum NotesV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Note.self] }

    @Model final class Note {
        @Attribute(originalName: "heading") var title: String
        var count: Int
        var isPinned: Bool = false
        var labels: [String] = []

        init(title: String) {
            self.title = title
            count = 0
        }
    }
}

enum NotesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [NotesV1.self, NotesV2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: NotesV1.self, toVersion: NotesV2.self)] }
}
