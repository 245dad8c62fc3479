import CoreData

package func entity(_ name: String, _ properties: [NSPropertyDescription] = []) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = properties
    return entity
}

package func attribute(_ name: String, _ type: NSAttributeType, optional: Bool = true, defaultValue: Any? = nil)
    -> NSAttributeDescription
{
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = optional
    attribute.defaultValue = defaultValue
    return attribute
}

package func composite(
    _ name: String, _ elements: [NSAttributeDescription], optional: Bool = true, defaultValue: Any? = nil
) -> NSCompositeAttributeDescription {
    let composite = NSCompositeAttributeDescription()
    composite.name = name
    composite.elements = elements
    composite.isOptional = optional
    composite.defaultValue = defaultValue
    return composite
}

package func toOne(
    _ name: String, _ destination: NSEntityDescription, rule: NSDeleteRule = .nullifyDeleteRule, optional: Bool = true
) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = 1
    relationship.deleteRule = rule
    relationship.isOptional = optional
    return relationship
}

package func toMany(
    _ name: String, _ destination: NSEntityDescription, rule: NSDeleteRule = .nullifyDeleteRule, ordered: Bool = false,
    minCount: Int = 0,
    maxCount: Int = 0, optional: Bool = true
) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.minCount = minCount
    relationship.maxCount = maxCount
    relationship.deleteRule = rule
    relationship.isOrdered = ordered
    relationship.isOptional = optional
    return relationship
}

/// Makes each relationship the other's inverse.
package func pair(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
    one.inverseRelationship = other
    other.inverseRelationship = one
}

package func model(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
}
