import CoreData
import CoreDataSyncServer

/// Teams with projects and tasks, which members see, and notes that belong to one user.
enum ScopedModel {
    /// A user gets the teams of the memberships, the user's notes, and all labels.
    static let scopes = scopes(following: ["team.projects.tasks", "team.members"])
    /// The same without projects and tasks.
    static let narrowScopes = scopes(following: ["team.members"])

    private static func scopes(following paths: [String]) -> [SyncScope] {
        [SyncScope("Memberships", follows: paths), SyncScope("OwnNotes"), SyncScope("Labels")]
    }

    static func make() -> NSManagedObjectModel {
        let (team, member, project) = (entity("Team", "name"), entity("Member", "user"), entity("Project", "name"))
        let (task, note, label) = (entity("Task", "name"), entity("Note", "title", "owner"), entity("Label", "name"))
        relate(member, "team", team, "members", isOptional: true)
        relate(project, "team", team, "projects", isOptional: true)
        relate(task, "project", project, "tasks", isOptional: false)
        relate(note, "task", task, "notes", isOptional: true)
        relate(task, "label", label, "tasks", isOptional: true)
        let model = NSManagedObjectModel()
        model.entities = [team, member, project, task, note, label]
        add("Memberships", "Member", NSPredicate(format: "user == $USER"), to: model)
        add("OwnNotes", "Note", NSPredicate(format: "owner == $USER OR owner IN $SHARED"), to: model)
        add("Labels", "Label", nil, to: model)
        return model
    }

    static func add(_ name: String, _ entity: String, _ predicate: NSPredicate?, to model: NSManagedObjectModel) {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
        request.entity = model.entitiesByName[entity]
        request.predicate = predicate
        model.setFetchRequestTemplate(request, forName: name)
    }

    private static func entity(_ name: String, _ texts: String...) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = texts.map { text in
            let attribute = NSAttributeDescription()
            attribute.name = text
            attribute.attributeType = .stringAttributeType
            return attribute
        }
        return entity
    }

    private static func relate(
        _ one: NSEntityDescription, _ name: String, _ other: NSEntityDescription, _ inverseName: String,
        isOptional: Bool
    ) {
        let (relationship, inverse) = (NSRelationshipDescription(), NSRelationshipDescription())
        (relationship.name, relationship.destinationEntity) = (name, other)
        (inverse.name, inverse.destinationEntity) = (inverseName, one)
        (relationship.maxCount, inverse.maxCount) = (1, 0)
        relationship.isOptional = isOptional
        inverse.deleteRule = isOptional ? .nullifyDeleteRule : .cascadeDeleteRule
        relationship.inverseRelationship = inverse
        inverse.inverseRelationship = relationship
        one.properties.append(relationship)
        other.properties.append(inverse)
    }
}
