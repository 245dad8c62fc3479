// SPDX-License-Identifier: Apache-2.0

/// Indexes and uniqueness constraints must refer to stored properties of their entity.
enum IndexCheck: ModelCheck {
    static let findsErrors = true

    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        model.entitiesByNameOrder.flatMap { entity -> [ModelFinding] in
            let indexes = entity.indexes.flatMap { index in
                names(index).flatMap { findings(entity, "index '\(index.name)'", index.name, $0, isConstraint: false) }
                    + (index.elements.isEmpty
                        ? [
                            ModelFinding(
                                .warning, .index, entity, key: index.name,
                                "index '\(index.name)' of entity '\(entity.name ?? "")' is empty")
                        ] : [])
            }
            let constraints = entity.uniquenessConstraintNames.flatMap { list in
                list.flatMap {
                    findings(
                        entity, "uniqueness constraint (\(list.joined(separator: ", ")))", $0, $0, isConstraint: true)
                }
            }
            return duplicateNames(entity) + indexes + constraints
        }
    }

    private static func names(_ index: NSFetchIndexDescription) -> [String] {
        index.elements.filter { !($0.property is NSExpressionDescription) }.compactMap(\.propertyName)
    }

    private static func duplicateNames(_ entity: NSEntityDescription) -> [ModelFinding] {
        var seen: Set<String> = []
        return entity.indexes.map(\.name).filter { !seen.insert($0).inserted }.map { name in
            ModelFinding(
                .warning, .index, entity, key: name, "entity '\(entity.name ?? "")' has two indexes named '\(name)'")
        }
    }

    private static func findings(
        _ entity: NSEntityDescription, _ subject: String, _ key: String, _ name: String, isConstraint: Bool
    ) -> [ModelFinding] {
        let problem: String
        let property = entity.property(named: name)
        switch property {
        case nil:
            problem =
                "which is not one of its properties"
                + NearestNames.findingSuggestion(for: name, in: entity.properties)
        case let property? where property.isTransient: problem = "which is transient"
        case let relationship as NSRelationshipDescription where relationship.isToMany:
            problem = "which is a to-many relationship"
        case is NSFetchedPropertyDescription: problem = "which is a fetched property"
        case let attribute as NSAttributeDescription
        where isConstraint && [.transformableAttributeType, .compositeAttributeType].contains(attribute.attributeType):
            problem = "whose values can't be compared"
        default: return []
        }
        return [
            ModelFinding(
                property == nil ? .error : .warning, .index, entity, key: key,
                "the \(subject) of entity '\(entity.name ?? "")' names '\(name)', \(problem)")
        ]
    }
}
