// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// The text of a model, for `coredata model show`.
struct ModelOutline {
    let model: NSManagedObjectModel

    var lines: [String] {
        var lines: [String] = []
        let identifiers = model.versionIdentifiers.map { "\($0)" }.filter { !$0.isEmpty }.sorted()
        if !identifiers.isEmpty { lines.append("Version identifiers: \(identifiers.joined(separator: ", "))") }
        lines.append("Checksum: \(model.versionChecksum)")
        lines.append("Entities: \(model.entities.count)")
        for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            lines.append("")
            lines += EntityOutline(entity: entity).lines
        }
        lines += section("Configurations", configurations)
        lines += section("Fetch requests", fetchRequests)
        lines += section(
            "Localization", (model.localizationDictionary ?? [:]).map { "\($0.key) = \($0.value)" }.sorted())
        return lines
    }

    private var configurations: [String] {
        model.configurations.sorted().map { name in
            let members = (model.entities(forConfigurationName: name) ?? []).compactMap(\.name).sorted()
            return "\(name): \(members.joined(separator: ", "))"
        }
    }

    private var fetchRequests: [String] {
        model.fetchRequestTemplatesByName.sorted { $0.key < $1.key }.map { name, request in
            "\(name): \(NSManagedObjectModel.text(of: request))"
        }
    }

    private func section(_ title: String, _ members: [String]) -> [String] {
        members.isEmpty ? [] : ["", "\(title):"] + members.map { "  \($0)" }
    }
}

/// The text of an entity: a heading and its own declarations, without inherited properties.
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
        // The compound indexes that aren't fetch indexes too.
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
        (entity.userInfo ?? [:]).map { [ModelFormatter.text(of: $0.key.base), ModelFormatter.text(of: $0.value)] }
            .sorted {
                $0[0] < $1[0]
            }
    }

    /// A section with its rows in columns.
    private func section(_ title: String, _ rows: [[String]]) -> [String] {
        guard !rows.isEmpty else { return [] }
        return ["  \(title)"] + ColumnLayout(rows: rows).lines.map { "    \($0)" }
    }
}
