import CoreData
import CoreDataServer

/// A kind of objects that clients list, read and change.
struct Resource: Sendable {
    let path: String
    let entity: String
    /// The properties that clients see.
    let shown: SnapshotProperties
    /// The properties that clients may write.
    let written: SnapshotProperties
    /// The attributes by which a list may be filtered and ordered.
    let fields: [String: FilterField]

    static func tasks(_ model: NSManagedObjectModel) throws -> Resource {
        try Resource(
            "tasks", "Task", model, shown: ["key", "title", "notes", "isDone", "priority", "due", "assignee.name"],
            written: ["title", "notes", "isDone", "priority", "due", "assignee"],
            fields: ["title": .text, "isDone": .boolean, "priority": .integer, "due": .date])
    }

    static func members(_ model: NSManagedObjectModel) throws -> Resource {
        try Resource(
            "members", "Member", model, shown: ["key", "name", "email"], written: ["name", "email"],
            fields: ["name": .text, "email": .text])
    }

    private init(
        _ path: String, _ entity: String, _ model: NSManagedObjectModel, shown: [String], written: [String],
        fields: [String: FilterField]
    ) throws {
        guard let description = model.entitiesByName[entity] else {
            throw Settings.Problem(description: "The model has no \(entity).")
        }
        let identifiers = ["Task": "key", "Member": "key"]
        self.path = path
        self.entity = entity
        self.shown = try SnapshotProperties(
            shown, of: description, identifiers: identifiers, versionKey: "version")
        self.written = try SnapshotProperties(
            written, of: description, identifiers: identifiers, versionKey: "version")
        self.fields = fields
    }

    // MARK: Objects, on the queue of a context

    /// The objects of a team.
    func predicate(_ team: String) -> NSPredicate { NSPredicate(format: "owner == %@", team) }

    /// The object with a key, if it belongs to a team.
    func object(_ key: UUID, of team: String, in context: NSManagedObjectContext) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "key == %@ AND owner == %@", key as NSUUID, team)
        request.fetchLimit = 1
        request.relationshipKeyPathsForPrefetching = shown.relationshipKeyPaths
        return try context.fetch(request).first
    }

    /// Whether a team may name an object.
    static func belongs(_ object: NSManagedObject, to team: String) -> Bool {
        object.value(forKey: "owner") as? String == team
    }
}
