import OpenCoreData

/// One object taken out of its context: its ID, its entity, and the values of its stored properties by name.
struct ObjectRecord {
    let reference: ObjectReference
    let entityName: String
    /// Attributes first, then relationships, each sorted by name.
    let cells: [(name: String, value: CellValue)]

    init(_ object: NSManagedObject) {
        reference = ObjectReference(object.objectID)
        entityName = object.entity.name ?? ""
        cells = Self.properties(of: object.entity).map { property in
            let value = object.value(forKey: property.name)
            return switch property {
            case let attribute as NSAttributeDescription: (property.name, CellValue(attribute: attribute, value: value))
            case let relationship as NSRelationshipDescription:
                (property.name, CellValue(relationship: relationship, value: value))
            default: (property.name, .none)
            }
        }
    }

    /// What of an entity is printed: transient and fetched properties are not in the store.
    static func properties(of entity: NSEntityDescription) -> [NSPropertyDescription] {
        let attributes: [NSPropertyDescription] = Array(entity.attributesByName.values)
        let relationships: [NSPropertyDescription] = Array(entity.relationshipsByName.values)
        return [attributes, relationships].flatMap { group in
            group.filter { !$0.isTransient }.sorted { $0.name < $1.name }
        }
    }
}
