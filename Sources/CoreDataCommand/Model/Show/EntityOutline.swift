import CoreDataModel
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
        if let modifier = entity.versionHashModifier, !modifier.isEmpty { lines.append("  hash modifier \(modifier)") }
        if let generation = entity.sourceAttributes["codeGenerationType"] {
            lines.append("  code generation \(generation)")
        }
        if let name = entity.explicitSpotlightDisplayName {
            lines.append("  Spotlight display name \(ModelFormatter.text(of: name))")
        }
        lines += entity.uniquenessConstraintNames.map { "  unique (\($0.joined(separator: ", ")))" }
        let indexed = entity.indexes.map { $0.elements.compactMap(\.propertyName) }
        // The old lists that no fetch index repeats.
        lines += entity.compoundIndexNames.filter { !indexed.contains($0) }.map {
            "  compound index (\($0.joined(separator: ", ")))"
        }
        return lines
    }

    private func own<Property: NSPropertyDescription>(_ kind: Property.Type) -> [Property] {
        entity.declaredProperties.compactMap { $0 as? Property }.sorted { $0.name < $1.name }
    }

    private var attributes: [[String]] {
        own(NSAttributeDescription.self).map { attribute in
            [
                attribute.name, AttributeOutline(attribute: attribute).typeName,
                AttributeOutline(attribute: attribute).notes,
            ]
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
            let request = property.fetchRequest.map(NSManagedObjectModel.text(of:)) ?? "(no fetch request)"
            return [property.name, request, PropertyOutline(property: property).notes.joined(separator: ", ")]
        }
    }

    private var indexes: [[String]] {
        entity.indexes.sorted { $0.name < $1.name }.map { [$0.name, ModelFormatter.text(of: $0)] }
    }

    private var userInfo: [[String]] {
        (entity.userInfo ?? [:]).map { [ModelFormatter.text(of: $0.key.base), ModelFormatter.text(of: $0.value)] }.sorted {
            $0[0] < $1[0]
        }
    }

    /// A section with its rows in columns.
    private func section(_ title: String, _ rows: [[String]]) -> [String] {
        guard !rows.isEmpty else { return [] }
        return ["  \(title)"] + ColumnLayout(rows: rows).lines.map { "    \($0)" }
    }
}
