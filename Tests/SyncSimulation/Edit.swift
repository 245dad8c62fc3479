import CoreData

/// The changes of an app in its context.
struct Edit {
    private let context: NSManagedObjectContext
    private let makeUUID: () -> UUID

    init(_ context: NSManagedObjectContext, _ makeUUID: @escaping () -> UUID) {
        self.context = context
        self.makeUUID = makeUUID
    }

    mutating func make(_ change: Change) throws {
        switch change {
        case .insertNote(let value):
            let note = insert("Note")
            note.setValue(makeUUID(), forKey: "id")
            note.setValue("note \(value)", forKey: "title")
        case .insertFolder(let value): insert("Folder").setValue("folder \(value)", forKey: "name")
        case .insertTag(let value): insert("Tag").setValue("Tag \(value % 8)", forKey: "name")
        case .insertComment(let note, let value):
            guard let note = try object("Note", note) else { return }
            let comment = insert("Comment")
            comment.setValue("comment \(value)", forKey: "text")
            comment.setValue(note, forKey: "note")
        case .set(let note, let attribute, let value):
            let names = SimulationModel.numbers.filter { $0 != "sum" }
            try object("Note", note)?.setValue(value, forKey: names[attribute % names.count])
        case .setRank(let note, let value): try object("Note", note)?.setValue(value, forKey: "rank")
        case .add(let note, let value):
            guard let note = try object("Note", note) else { return }
            let present = (note.value(forKey: "sum") as? NSNumber)?.int64Value ?? 0
            note.setValue(NSNumber(value: present + Int64(value)), forKey: "sum")
        case .show(let note, let isFilm, let value):
            // A value has up to 40 bytes; one in eight is missing.
            let bytes = Data("\(value % 12) ".utf8) + Data(repeating: UInt8(value % 12), count: value % 12 * 3)
            try object("Note", note)?.setValue(value % 8 == 0 ? nil : bytes, forKey: isFilm ? "film" : "picture")
        case .pair(let note, let other, let value):
            for index in [note, other] { try object("Note", index)?.setValue(value, forKey: "pair") }
        case .move(let note, let folder):
            try object("Note", note)?.setValue(try folder.flatMap { try object("Folder", $0) }, forKey: "folder")
        case .tag(let note, let tag, let isTagged):
            guard let note = try object("Note", note), let tag = try object("Tag", tag) else { return }
            let tags = note.mutableSetValue(forKey: "tags")
            if isTagged { tags.add(tag) } else { tags.remove(tag) }
        case .insertLine(let folder, let place, let value):
            guard let folder = try object("Folder", folder) else { return }
            let line = insert("Line")
            line.setValue("line \(value)", forKey: "text")
            let lines = folder.mutableOrderedSetValue(forKey: "lines")
            lines.insert(line, at: place % (lines.count + 1))
        case .reorder(let folder, let from, let to):
            guard let lines = try object("Folder", folder)?.mutableOrderedSetValue(forKey: "lines"), lines.count > 0
            else { return }
            lines.moveObjects(at: IndexSet(integer: from % lines.count), to: to % lines.count)
        case .rename(let kind, let object, let value):
            let (entity, key) = Self.kinds[kind % Self.kinds.count]
            // Tags have unique names.
            try self.object(entity, object)?.setValue("\(entity) \(entity == "Tag" ? value % 8 : value)", forKey: key)
        case .delete(let kind, let object):
            let (entity, _) = Self.kinds[kind % Self.kinds.count]
            if let object = try self.object(entity, object) { context.delete(object) }
        case .insertAgain(let note, let value):
            // The UUID of a note is that of its index: another replica may insert it, too.
            let id = UUID(uuid: (1, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8(note % 4)))
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.predicate = NSPredicate(format: "id == %@", id as NSUUID)
            guard try context.count(for: request) == 0 else { return }
            let new = insert("Note")
            new.setValue(id, forKey: "id")
            new.setValue("again \(value)", forKey: "title")
        }
    }

    private static let kinds = [
        ("Note", "title"), ("Folder", "name"), ("Comment", "text"), ("Tag", "name"), ("Line", "text"),
    ]

    private func insert(_ entity: String) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    }

    /// The object with a number, in the order of their keys.
    private func object(_ entity: String, _ index: Int) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.includesPendingChanges = false
        request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
        let objects = try context.fetch(request).filter { !$0.isDeleted }
        return objects.isEmpty ? nil : objects[index % objects.count]
    }
}
