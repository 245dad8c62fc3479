import OpenCoreData

/// An entity as text for a person: a heading, then what it declares itself, inherited properties left out.
struct EntityOutline {
    let entity: NSEntityDescription

    var lines: [String] {
        [heading]
            + details
            + section("attributes", attributes)
            + section("relationships", relationships)
            + section("fetched properties", fetchedProperties)
            + section("indexes", indexes)
            + section("user info", userInfo)
    }

    private var heading: String {
        var words = [entity.name ?? "(no name)"]
        if let parent = entity.superentity?.name { words.append(": \(parent)") }
        if entity.isAbstract { words.append("(abstract)") }
        return words.joined(separator: " ")
    }

    private var details: [String] {
        var lines: [String] = []
        if let className = entity.managedObjectClassName, className != "NSManagedObject" {
            lines.append("  class \(className)")
        }
        if let renamed = entity.renamingIdentifier, renamed != entity.name { lines.append("  renamed from \(renamed)") }
        lines.append("  hash \(Hexadecimal.text(of: entity.versionHash))")
        for constraint in entity.uniquenessConstraints {
            let names = constraint.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" }
            lines.append("  unique (\(names.joined(separator: ", ")))")
        }
        return lines
    }

    private func own<Property: NSPropertyDescription>(_ kind: Property.Type) -> [Property] {
        let inherited = entity.superentity?.propertiesByName ?? [:]
        return entity.properties.compactMap { $0 as? Property }
            .filter { inherited[$0.name] == nil }
            .sorted { $0.name < $1.name }
    }

    private var attributes: [[String]] {
        own(NSAttributeDescription.self).map { attribute in
            [attribute.name, AttributeOutline(attribute: attribute).typeName, AttributeOutline(attribute: attribute).notes]
        }
    }

    private var relationships: [[String]] {
        own(NSRelationshipDescription.self).map { relationship in
            let kind = relationship.isToMany ? (relationship.isOrdered ? "ordered to-many" : "to-many") : "to-one"
            return [
                relationship.name, "\(kind) \(relationship.destinationEntity?.name ?? "(no destination)")",
                RelationshipOutline(relationship: relationship).notes,
            ]
        }
    }

    private var fetchedProperties: [[String]] {
        own(NSFetchedPropertyDescription.self).map { property in
            let target = property.fetchRequest?.entityName ?? "(no entity)"
            return [property.name, target, property.fetchRequest?.predicate.map { "where \($0.predicateText)" } ?? ""]
        }
    }

    private var indexes: [[String]] {
        entity.indexes.sorted { $0.name < $1.name }.map { index in
            let elements = index.elements.map { element in
                (element.propertyName ?? "expression") + (element.isAscending ? "" : " descending")
            }
            let condition = index.partialIndexPredicate.map { "where \($0.predicateText)" } ?? ""
            return [index.name, "(\(elements.joined(separator: ", ")))", condition]
        }
    }

    private var userInfo: [[String]] {
        (entity.userInfo ?? [:]).map { ["\($0.key)", "\($0.value)", ""] }.sorted { $0[0] < $1[0] }
    }

    /// A section with its rows in columns.
    private func section(_ title: String, _ rows: [[String]]) -> [String] {
        guard !rows.isEmpty else { return [] }
        return ["  \(title)"] + ColumnLayout(rows: rows).lines.map { "    \($0)" }
    }
}
