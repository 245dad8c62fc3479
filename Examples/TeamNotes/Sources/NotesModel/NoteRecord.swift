import CoreData

/// A note as the app and the server send it.
public struct NoteRecord: Codable, Equatable, Sendable {
    public var key: UUID
    public var title: String
    public var text = ""
    public var isPinned = false
    public var isTrashed = false
    public var changed: Date
    public var topics: [String] = []

    public init(key: UUID = UUID(), title: String, changed: Date = Date()) {
        (self.key, self.title, self.changed) = (key, title, changed)
    }

    /// A title and a date are enough, so that an older app may send what it knows.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        key = try container.decodeIfPresent(UUID.self, forKey: .key) ?? UUID()
        title = try container.decode(String.self, forKey: .title)
        text = try container.decodeIfPresent(String.self, forKey: .text) ?? ""
        isPinned = try container.decodeIfPresent(Bool.self, forKey: .isPinned) ?? false
        isTrashed = try container.decodeIfPresent(Bool.self, forKey: .isTrashed) ?? false
        changed = try container.decode(Date.self, forKey: .changed)
        guard NoteJSON.dates.contains(changed) else {
            throw DecodingError.dataCorruptedError(
                forKey: .changed, in: container, debugDescription: "The date is before 1970 or after 9999.")
        }
        topics = try container.decodeIfPresent([String].self, forKey: .topics) ?? []
    }

    public init(_ note: Note) {
        key = note.key ?? UUID()
        title = note.title ?? ""
        text = note.text
        isPinned = note.isPinned
        isTrashed = note.isTrashed
        changed = note.changed
        topics = note.topicNames
    }

    public enum Merge: Sendable {
        case inserted, updated, same, olderThanStored
    }

    /// Puts the values into the note with this key, which is made if it doesn't exist. Of two versions of a note the
    /// newer one wins.
    @discardableResult
    public func merge(into context: NSManagedObjectContext) throws -> Merge {
        let request: NSFetchRequest<Note> = Note.fetchRequest()
        request.predicate = NSPredicate(format: "%K == %@", "key", key as CVarArg)
        request.fetchLimit = 1
        let stored = try context.fetch(request).first
        if let stored {
            let (own, other) = (NoteJSON.milliseconds(changed), NoteJSON.milliseconds(stored.changed))
            if own < other { return .olderThanStored }
            if own == other { return .same }
        }
        let note = stored ?? Note(context: context)
        note.key = key
        note.title = title
        note.text = text
        note.isPinned = isPinned
        note.isTrashed = isTrashed
        note.changed = changed
        note.topicNames = topics
        return stored == nil ? .inserted : .updated
    }
}
