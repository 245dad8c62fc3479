import CoreData

/// A class that describes the properties of its entity.
protocol DescribedInCode: NSManagedObject {
    static var attributes: [AttributeRow] { get }
    static var relationships: [RelationshipRow] { get }
}

struct AttributeRow {
    let name: String
    let type: NSAttributeType
    var isOptional = true
}

/// A to-one relationship. It has the names of destination and inverse, as both may not exist yet.
struct RelationshipRow {
    let name: String
    let destination: String
    let inverse: String
    let deleteRule: NSDeleteRule
    var isRequired = false
}

enum ModelInCode {
    /// Creates the entities with names and classes first, then their properties, and the inverses last.
    static func model(of classes: [any DescribedInCode.Type]) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = classes.map { type in
            let entity = NSEntityDescription()
            entity.name = String(describing: type)
            entity.managedObjectClassName = NSStringFromClass(type)
            return entity
        }
        let entities = model.entitiesByName
        for type in classes {
            entities[String(describing: type)]?.properties =
                type.attributes.map(attribute) + type.relationships.map { relationship($0, entities) }
        }
        for type in classes {
            for row in type.relationships {
                let relationship = entities[String(describing: type)]?.relationshipsByName[row.name]
                relationship?.inverseRelationship = entities[row.destination]?.relationshipsByName[row.inverse]
            }
        }
        return model
    }

    private static func attribute(_ row: AttributeRow) -> NSPropertyDescription {
        let attribute = NSAttributeDescription()
        attribute.name = row.name
        attribute.attributeType = row.type
        attribute.isOptional = row.isOptional
        return attribute
    }

    private static func relationship(_ row: RelationshipRow, _ entities: [String: NSEntityDescription])
        -> NSPropertyDescription
    {
        let relationship = NSRelationshipDescription()
        relationship.name = row.name
        relationship.destinationEntity = entities[row.destination]
        relationship.deleteRule = row.deleteRule
        relationship.minCount = row.isRequired ? 1 : 0
        relationship.maxCount = 1
        relationship.isOptional = !row.isRequired
        return relationship
    }
}
