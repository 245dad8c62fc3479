import Foundation
import SwiftData

typealias Note = NotesSchemaV2.Note
typealias NoteFolder = NotesSchemaV2.NoteFolder
typealias NoteAttachment = NotesSchemaV2.NoteAttachment

enum NotesSchemaV1: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [Note.self] }

    @Model
    final class Note {
        var title: String
        var body: String
        var modified: Date

        init(title: String, body: String = "", modified: Date) {
            self.title = title
            self.body = body
            self.modified = modified
        }
    }
}

enum NotesSchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Note.self, NoteFolder.self, NoteAttachment.self] }

    @Model
    final class Note {
        var title: String
        var body: String
        @Attribute(originalName: "modified") var modifiedAt: Date
        var isPinned: Bool = false
        var folder: NoteFolder?
        @Attribute(.transformable(by: NoteStyleTransformer.self)) var style: NoteStyle?
        @Relationship(deleteRule: .cascade, inverse: \NoteAttachment.note) var attachments: [NoteAttachment]? = []

        init(title: String, body: String = "", modifiedAt: Date, folder: NoteFolder? = nil) {
            self.title = title
            self.body = body
            self.modifiedAt = modifiedAt
            self.folder = folder
        }

        var wordCount: Int { body.split(whereSeparator: \.isWhitespace).count }
    }

    @Model
    final class NoteFolder {
        var name: String
        @Relationship(deleteRule: .nullify, inverse: \Note.folder) var notes: [Note] = []

        init(name: String) { self.name = name }
    }

    @Model
    final class NoteAttachment {
        var name: String
        @Attribute(.externalStorage) var data: Data?
        var note: Note?

        init(name: String, data: Data? = nil) {
            self.name = name
            self.data = data
        }
    }
}

enum NotesMigrationPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [NotesSchemaV1.self, NotesSchemaV2.self] }
    static var stages: [MigrationStage] { [addFolders] }

    static let addFolders = MigrationStage.lightweight(
        fromVersion: NotesSchemaV1.self, toVersion: NotesSchemaV2.self)
}

/// The style of a note, which a transformer of the app stores as text.
final class NoteStyle: NSObject {
    let font: String
    let size: Int

    init(font: String, size: Int) {
        self.font = font
        self.size = size
    }
}

final class NoteStyleTransformer: ValueTransformer {
    static let name = NSValueTransformerName("NoteStyleTransformer")

    static func register() {
        ValueTransformer.setValueTransformer(NoteStyleTransformer(), forName: name)
    }

    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        guard let style = value as? NoteStyle else { return nil }
        return NSData(data: Data("\(style.font);\(style.size)".utf8))
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: ";")
        guard parts.count == 2, let size = Int(parts[1]) else { return nil }
        return NoteStyle(font: String(parts[0]), size: size)
    }
}
