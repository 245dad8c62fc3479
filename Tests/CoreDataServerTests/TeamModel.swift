import CoreData
import CoreDataTestSupport

/// Teams, their members and tasks: an attribute of every type that snapshots have, and every kind of relationship.
enum TeamModel {
    static func make() -> NSManagedObjectModel {
        let team = entity("Team")
        let person = entity("Person")
        let member = entity("Member")
        let task = entity("Task")
        let step = entity("Step")
        let tag = entity("Tag")
        person.subentities = [member]
        let tasks = toMany("tasks", task, rule: .cascadeDeleteRule)
        let owner = toOne("team", team)
        pair(tasks, owner)
        let assignee = toOne("assignee", member)
        let assigned = toMany("assigned", task)
        pair(assignee, assigned)
        let steps = toMany("steps", step, rule: .cascadeDeleteRule, ordered: true)
        let stepTask = toOne("task", task)
        pair(steps, stepTask)
        let tags = toMany("tags", tag)
        let tagged = toMany("tasks", task)
        pair(tags, tagged)
        let title = attribute("title", .stringAttributeType, optional: false)
        title.setValidationPredicates(
            [NSPredicate(format: "length >= 1"), NSPredicate(format: "length <= 20")],
            withValidationWarnings: ["too short", "too long"])
        let place = composite(
            "place", [attribute("city", .stringAttributeType), attribute("height", .integer16AttributeType)])
        team.properties = [
            attribute("name", .stringAttributeType), attribute("open", .integer32AttributeType, defaultValue: 0), tasks,
        ]
        person.properties = [attribute("name", .stringAttributeType), attribute("email", .stringAttributeType)]
        person.uniquenessConstraints = [["email"]]
        member.properties = [assigned]
        task.properties = [
            title, attribute("isDone", .booleanAttributeType, optional: false, defaultValue: false),
            attribute("effort", .integer16AttributeType), attribute("weight", .doubleAttributeType),
            attribute("ratio", .floatAttributeType), attribute("cost", .decimalAttributeType),
            attribute("due", .dateAttributeType), attribute("image", .binaryDataAttributeType),
            attribute("key", .UUIDAttributeType), attribute("link", .URIAttributeType),
            attribute("big", .integer64AttributeType), attribute("extra", .transformableAttributeType), place, owner,
            assignee, steps, tags,
        ]
        step.properties = [attribute("name", .stringAttributeType, optional: false), stepTask]
        tag.properties = [attribute("name", .stringAttributeType), tagged]
        return model([team, person, member, task, step, tag])
    }
}
