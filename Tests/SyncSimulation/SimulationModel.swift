import CoreData

/// The model of the stores of a simulation: each policy, each kind of relationship and delete rule.
enum SimulationModel {
    nonisolated(unsafe) static let model = make()

    /// A model of its own, to be changed.
    static func copy() -> NSManagedObjectModel { make() }

    /// The attributes of a note that operations set, and the range of their random values.
    static let numbers = ["latest", "server", "client", "sum", "refuse", "hook"]

    /// The size from which on a value travels apart, in histories about large values.
    static let leastBlobBytes = 8

    private static func make() -> NSManagedObjectModel {
        let (folder, note, comment, tag) = (entity("Folder"), entity("Note"), entity("Comment"), entity("Tag"))
        let line = entity("Line")
        line.properties = [attribute("text", .stringAttributeType)]
        let id = attribute("id", .UUIDAttributeType)
        id.userInfo = ["syncIdentity": "yes"]
        let rank = attribute("rank", .integer64AttributeType)
        rank.setValidationPredicates(
            [NSPredicate(format: "SELF <= 100")], withValidationWarnings: ["A rank is 100 at most."])
        note.properties = [
            id, attribute("title", .stringAttributeType), attribute("pair", .integer64AttributeType), rank,
        ]
        for policy in numbers {
            let number = attribute(policy, .integer64AttributeType)
            number.userInfo = ["syncPolicy": policy]
            note.properties.append(number)
        }
        // Large values, which come with their notes or after them.
        let film = attribute("film", .binaryDataAttributeType)
        film.userInfo = ["syncBlob": "later"]
        let picture = attribute("picture", .binaryDataAttributeType)
        for attribute in [picture, film] { attribute.allowsExternalBinaryDataStorage = true }
        note.properties += [picture, film]
        folder.properties = [attribute("name", .stringAttributeType)]
        folder.userInfo = ["syncPolicy": "revive"]
        comment.properties = [attribute("text", .stringAttributeType)]
        tag.properties = [attribute("name", .stringAttributeType)]
        tag.uniquenessConstraints = [["name"]]
        relate(note, "folder", toMany: false, .nullifyDeleteRule, folder, "notes", toMany: true, .nullifyDeleteRule)
        relate(comment, "note", toMany: false, .nullifyDeleteRule, note, "comments", toMany: true, .cascadeDeleteRule)
        comment.relationshipsByName["note"]?.isOptional = false
        relate(line, "page", toMany: false, .nullifyDeleteRule, folder, "lines", toMany: true, .nullifyDeleteRule)
        folder.relationshipsByName["lines"]?.isOrdered = true
        relate(note, "tags", toMany: true, .nullifyDeleteRule, tag, "users", toMany: true, .denyDeleteRule)
        let model = NSManagedObjectModel()
        model.entities = [folder, note, comment, tag, line]
        return model
    }

    private static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        return attribute
    }

    private static func relate(
        _ one: NSEntityDescription, _ name: String, toMany: Bool, _ rule: NSDeleteRule, _ other: NSEntityDescription,
        _ inverseName: String, toMany inverseToMany: Bool, _ inverseRule: NSDeleteRule
    ) {
        let (relationship, inverse) = (NSRelationshipDescription(), NSRelationshipDescription())
        (relationship.name, relationship.destinationEntity, relationship.deleteRule) = (name, other, rule)
        (inverse.name, inverse.destinationEntity, inverse.deleteRule) = (inverseName, one, inverseRule)
        relationship.maxCount = toMany ? 0 : 1
        inverse.maxCount = inverseToMany ? 0 : 1
        relationship.inverseRelationship = inverse
        inverse.inverseRelationship = relationship
        one.properties.append(relationship)
        other.properties.append(inverse)
    }
}
