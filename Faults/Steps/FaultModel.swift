import OpenCoreData

/// The model of all scenarios: a counter, rows with an image each, and groups with their rows in an order.
enum FaultModel {
    static func make() -> NSManagedObjectModel {
        let counter = entity("Counter", [attribute("number", .integer64AttributeType)])
        let image = attribute("image", .binaryDataAttributeType)
        image.allowsExternalBinaryDataStorage = true
        let row = entity(
            "Row",
            [
                attribute("number", .integer64AttributeType), attribute("position", .integer64AttributeType),
                attribute("seen", .integer64AttributeType), attribute("text", .stringAttributeType), image,
            ])
        let group = entity("Group", [attribute("number", .integer64AttributeType)])
        let members = relationship("members", row, .cascadeDeleteRule)
        members.isOrdered = true
        members.maxCount = 0
        let owner = relationship("group", group, .nullifyDeleteRule)
        owner.maxCount = 1
        members.inverseRelationship = owner
        owner.inverseRelationship = members
        group.properties.append(members)
        row.properties.append(owner)
        let model = NSManagedObjectModel()
        model.entities = [counter, row, group]
        return model
    }

    static func entity(_ name: String, _ attributes: [NSAttributeDescription]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes
        return entity
    }

    static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    static func relationship(_ name: String, _ destination: NSEntityDescription, _ rule: NSDeleteRule)
        -> NSRelationshipDescription
    {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.deleteRule = rule
        relationship.isOptional = true
        return relationship
    }
}
