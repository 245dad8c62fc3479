import Foundation
import SwiftData
import TestSupport
import Testing

@Suite struct NotesTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.file("notes.store") }

    init() throws {
        NoteStyleTransformer.register()
        folder = try TemporaryFolder()
    }

    private func launch() throws -> ModelContext {
        let schema = Schema(versionedSchema: NotesSchemaV2.self)
        return ModelContext(
            try ModelContainer(
                for: schema, migrationPlan: NotesMigrationPlan.self,
                configurations: ModelConfiguration(schema: schema, url: url)))
    }

    private func launchOfTheFirstVersion() throws -> ModelContext {
        let schema = Schema(versionedSchema: NotesSchemaV1.self)
        return ModelContext(
            try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema, url: url)))
    }

    @Test func graphOfTheSecondVersionIsSaved() throws {
        let context = try launch()
        let work = NoteFolder(name: "Work")
        let note = Note(title: "Plan", body: "one two  three", modifiedAt: day(1), folder: work)
        note.attachments?.append(NoteAttachment(name: "a.txt", data: Data([1])))
        context.insert(note)
        try context.save()
        let after = try launch()
        let plan = try after.one(Note.self)
        expectEqual(plan.wordCount, 3)
        expectEqual(plan.folder?.notes.count, 1)
        expectEqual(plan.attachments?.first?.data, Data([1]))
    }

    @Test func storeOfTheFirstVersionMigrates() throws {
        let old = try launchOfTheFirstVersion()
        old.insert(NotesSchemaV1.Note(title: "Old", body: "Text", modified: day(2)))
        try old.save()
        let after = try launch()
        let note = try after.one(Note.self)
        expectEqual(note.title, "Old")
        expectEqual(note.modifiedAt, day(2))
        expectFalse(note.isPinned)
        expectEqual(note.attachments?.isEmpty, true)
    }

    @Test func transformerOfTheAppIsUsed() throws {
        let context = try launch()
        let note = Note(title: "Styled", modifiedAt: day(1))
        note.style = NoteStyle(font: "Serif", size: 14)
        context.insert(note)
        try context.save()
        let after = try launch()
        let styled = try after.one(Note.self)
        expectEqual(styled.style?.font, "Serif")
        expectEqual(styled.style?.size, 14)
        styled.style = nil
        try after.save()
        let again = try launch()
        try expectEqual(again.one(Note.self).style, nil)
    }

    @Test func folderLeavesItsNotes() throws {
        let context = try launch()
        context.insert(Note(title: "Kept", modifiedAt: day(1), folder: NoteFolder(name: "Gone")))
        try context.save()
        context.delete(try context.one(NoteFolder.self))
        try context.save()
        let after = try launch()
        try expectEqual(after.one(Note.self).folder, nil)
    }

    @Test func schemaHasTheVersion() throws {
        let context = try launch()
        expectEqual(context.container.schema.version, Schema.Version(2, 0, 0))
        expectEqual(context.container.schema.entities.map(\.name).sorted(), ["Note", "NoteAttachment", "NoteFolder"])
    }
}
