// Migrates a store of SwiftData through three versions of its schema.
// snippet.versions
// snippet.hide
import MusicLibrary
// snippet.show
import SwiftData

enum NotesV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Note.self] }

    @Model
    final class Note {
        var heading: String
        var author: String?

        init(heading: String, author: String? = nil) {
            self.heading = heading
            self.author = author
        }
    }
}

enum NotesV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Note.self] }

    @Model
    final class Note {
        @Attribute(originalName: "heading") var title: String
        var author: String
        var isPinned: Bool = false

        init(title: String, author: String) {
            self.title = title
            self.author = author
        }
    }
}
// snippet.end

// snippet.newest
enum NotesV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Note.self, Person.self] }

    @Model
    final class Note {
        var title: String
        var author: String
        var isPinned: Bool = false
        var writer: Person?

        init(title: String, author: String) {
            self.title = title
            self.author = author
        }
    }

    @Model
    final class Person {
        @Attribute(.unique) var name: String
        @Relationship(inverse: \Note.writer) var notes: [Note] = []

        init(name: String) { self.name = name }
    }
}
// snippet.end

// snippet.plan
enum NotesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [NotesV1.self, NotesV2.self, NotesV3.self] }
    static var stages: [MigrationStage] { [toV2, toV3] }

    static let toV2 = MigrationStage.custom(
        fromVersion: NotesV1.self, toVersion: NotesV2.self,
        willMigrate: { context in
            // The classes of the old version: the author becomes required.
            for note in try context.fetch(FetchDescriptor<NotesV1.Note>()) where note.author == nil {
                note.author = "Unknown"
            }
            try context.save()
        },
        didMigrate: nil)

    static let toV3 = MigrationStage.custom(
        fromVersion: NotesV2.self, toVersion: NotesV3.self,
        willMigrate: nil,
        didMigrate: { context in
            // The classes of the new version: each author becomes a model.
            let notes = try context.fetch(FetchDescriptor<NotesV3.Note>())
            for (name, notes) in Dictionary(grouping: notes, by: \.author) {
                let person = NotesV3.Person(name: name)
                context.insert(person)
                person.notes = notes
            }
            try context.save()
        })
}
// snippet.end

// snippet.hide
expect(FileManager.default.changeCurrentDirectoryPath(temporaryFolder().path))
// snippet.show
// snippet.file
let file = URL(fileURLWithPath: "Notes.store")
// snippet.end
// snippet.hide
do {
    let first = ModelContext(try ModelContainer(for: NotesV1.Note.self, configurations: ModelConfiguration(url: file)))
    first.insert(NotesV1.Note(heading: "Monday", author: "Ada"))
    first.insert(NotesV1.Note(heading: "Tuesday"))
    try first.save()
}
// snippet.show

// snippet.check
try NotesPlan.check()
for stage in try NotesPlan.preview(ModelConfiguration(url: file)) {
    print("\(stage.fromVersion) to \(stage.toVersion)")
    for change in stage.changes { print("  \(change)") }
}
// snippet.end

// snippet.progress
try NotesPlan.migrate(ModelConfiguration(url: file)) { progress in
    print("\(Int(progress.fractionCompleted * 100)) %, to \(progress.toVersion)")
}
// snippet.end

// snippet.container
let container = try ModelContainer(
    for: Schema(versionedSchema: NotesV3.self), migrationPlan: NotesPlan.self,
    configurations: ModelConfiguration(url: file))
for person in try container.mainContext.fetch(FetchDescriptor<NotesV3.Person>(sortBy: [SortDescriptor(\.name)])) {
    print("\(person.name): \(person.notes.map(\.title))")
}
// snippet.end
// snippet.hide
let people = try container.mainContext.fetch(FetchDescriptor<NotesV3.Person>(sortBy: [SortDescriptor(\.name)]))
expect(people.map(\.name) == ["Ada", "Unknown"])
expect(people.map { $0.notes.map(\.title) } == [["Monday"], ["Tuesday"]])
