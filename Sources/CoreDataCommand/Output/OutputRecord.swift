import OpenCoreData

/// One row of output, taken out of its context: values by name.
struct OutputRecord {
    /// The values of the columns.
    let cells: [(name: String, value: CellValue)]
    /// What has no column, told where rows carry names themselves.
    var details: [(name: String, value: CellValue)] = []
}

extension OutputRecord {
    /// An object: its ID, then its stored properties, attributes first, then relationships, each sorted by name.
    init(_ object: NSManagedObject) {
        let values = Self.properties(of: object.entity).map { property -> (name: String, value: CellValue) in
            let value = object.value(forKey: property.name)
            return switch property {
            case let attribute as NSAttributeDescription: (property.name, CellValue(attribute: attribute, value: value))
            case let relationship as NSRelationshipDescription:
                (property.name, CellValue(relationship: relationship, value: value))
            default: (property.name, .none)
            }
        }
        cells = [("objectID", .reference(ObjectReference(object.objectID)))] + values
        details = [("entity", .text(object.entity.name ?? ""))]
    }

    /// The columns of an entity's objects.
    static func columns(of entity: NSEntityDescription) -> [String] {
        ["objectID"] + properties(of: entity).map(\.name)
    }

    /// What of an entity is printed: transient and fetched properties are not in the store.
    private static func properties(of entity: NSEntityDescription) -> [NSPropertyDescription] {
        let attributes: [NSPropertyDescription] = Array(entity.attributesByName.values)
        let relationships: [NSPropertyDescription] = Array(entity.relationshipsByName.values)
        return [attributes, relationships].flatMap { group in
            group.filter { !$0.isTransient }.sorted { $0.name < $1.name }
        }
    }
}
