// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// The place of a named value of a row.
enum ImportColumn {
    case attribute(NSAttributeDescription)
    /// A relationship, whose value is an ID or the value of an attribute of the destination.
    case relationship(NSRelationshipDescription, by: NSAttributeDescription?)
    /// The ID of the object, which `store fetch` writes.
    case objectID
    /// The name of the object's entity.
    case entity
    /// A value that is left out.
    case ignored
}

/// Finds the property of each name in a file.
struct ImportColumns {
    let entity: NSEntityDescription
    /// Names in the file whose values are left out.
    let skipped: Set<String>
    /// The names of properties by the names in the file.
    let renamed: [String: String]
    let ignoresRelationships: Bool

    /// The place of a value.
    ///
    /// - Parameter entity: the entity of the row.
    /// - Throws: `ImportMistake` for a name without a place.
    func column(_ name: String, of entity: NSEntityDescription) throws -> ImportColumn {
        if skipped.contains(name) { return .ignored }
        let path = renamed[name] ?? name
        if let property = entity.propertiesByName[path] { return try column(property) }
        if path == "objectID" { return .objectID }
        if path == "entity" { return .entity }
        let parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2, let relationship = entity.relationshipsByName[parts[0]] {
            guard let attribute = relationship.destinationEntity?.attributesByName[parts[1]],
                !attribute.isTransient
            else {
                throw ImportMistake(
                    "'\(path)' names no stored attribute of \(relationship.destinationEntity?.name ?? "")")
            }
            return ignoresRelationships ? .ignored : .relationship(relationship, by: attribute)
        }
        throw ImportMistake(unknown(path, entity))
    }

    private func column(_ property: NSPropertyDescription) throws -> ImportColumn {
        switch property {
        case is NSDerivedAttributeDescription: return .ignored
        case let attribute as NSAttributeDescription where !attribute.isTransient: return .attribute(attribute)
        case let relationship as NSRelationshipDescription where !relationship.isTransient:
            return ignoresRelationships ? .ignored : .relationship(relationship, by: nil)
        default:
            throw ImportMistake("'\(property.name)' is not in the store, since it is transient or fetched")
        }
    }

    private func unknown(_ name: String, _ entity: NSEntityDescription) -> String {
        let names = entity.propertiesByName.keys.sorted()
        var text = "\(entity.name ?? "") has no property '\(ObjectLabel.cut(name, to: 100))'."
        text += Misspelling.suggestion(forProperty: name, of: entity)
        return text + " It has: \(names.joined(separator: ", ")). Leave columns out with --skip, or give them the "
            + "name of a property with --rename '\(ObjectLabel.cut(name, to: 30))=PROPERTY'"
    }
}
