import CoreData

/// Teams, their members and their tasks.
enum TeamModel {
    /// The greatest length of a team's name.
    static let slugLimit = 40
    /// The dates that tasks may have: those from 1970 to 9999. Databases differ in the others.
    static let dates = Date(timeIntervalSince1970: 0)..<Date(timeIntervalSince1970: 253_402_300_800)

    static func make() -> NSManagedObjectModel {
        let team = entity("Team")
        let member = entity("Member")
        let task = entity("Task")
        team.properties = [
            attribute(
                "slug", .stringAttributeType,
                rules: [("length >= 1", "empty"), ("length <= \(slugLimit)", "too long")]),
            attribute("created", .dateAttributeType),
        ]
        team.uniquenessConstraints = [["slug"]]
        let name = attribute(
            "name", .stringAttributeType, rules: [("length >= 1", "empty"), ("length <= 100", "too long")])
        let email = attribute(
            "email", .stringAttributeType, rules: [("SELF CONTAINS '@'", "no address"), ("length <= 200", "too long")])
        let assigned = relationship("assigned", to: task, isToMany: true)
        member.properties = identity() + [name, email, assigned]
        member.uniquenessConstraints = [["key"], ["owner", "email"]]

        let title = attribute(
            "title", .stringAttributeType, rules: [("length >= 1", "empty"), ("length <= 200", "too long")])
        let notes = attribute("notes", .stringAttributeType, rules: [("length <= 10000", "too long")])
        notes.isOptional = true
        let isDone = attribute("isDone", .booleanAttributeType)
        isDone.defaultValue = NSNumber(value: false)
        let priority = attribute(
            "priority", .integer16AttributeType, rules: [("SELF >= 0", "low"), ("SELF <= 9", "high")])
        priority.defaultValue = NSNumber(value: 5)
        let due = attribute("due", .dateAttributeType)
        due.isOptional = true
        due.setValidationPredicates(
            [NSPredicate(format: "SELF >= %@ AND SELF < %@", dates.lowerBound as NSDate, dates.upperBound as NSDate)],
            withValidationWarnings: ["out of range"])
        let assignee = relationship("assignee", to: member, isToMany: false)
        (assignee.inverseRelationship, assigned.inverseRelationship) = (assigned, assignee)
        task.properties = identity() + [title, notes, isDone, priority, due, assignee]
        task.uniquenessConstraints = [["key"]]
        task.indexes = [
            NSFetchIndexDescription(
                name: "byOwner",
                elements: ["owner", "due", "key"].compactMap { name in
                    task.propertiesByName[name].map {
                        NSFetchIndexElementDescription(property: $0, collationType: .binary)
                    }
                })
        ]
        let model = NSManagedObjectModel()
        model.entities = [team, member, task]
        return model
    }

    /// The attributes that name an object, and say which team may see it. The history keeps them after a deletion.
    private static func identity() -> [NSAttributeDescription] {
        let key = attribute("key", .UUIDAttributeType)
        let owner = attribute("owner", .stringAttributeType)
        for attribute in [key, owner] { attribute.preservesValueInHistoryOnDeletion = true }
        return [key, owner]
    }

    private static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType, rules: [(format: String, warning: String)] = []
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = false
        attribute.setValidationPredicates(
            rules.map { NSPredicate(format: $0.format) }, withValidationWarnings: rules.map(\.warning))
        return attribute
    }

    private static func relationship(
        _ name: String, to destination: NSEntityDescription, isToMany: Bool
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = isToMany ? 0 : 1
        relationship.deleteRule = .nullifyDeleteRule
        relationship.isOptional = true
        return relationship
    }
}
