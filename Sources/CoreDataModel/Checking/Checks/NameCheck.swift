// SPDX-License-Identifier: Apache-2.0

/// Finds names that are reserved, that differ by case only, or that are not identifiers.
package enum NameCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        differingByCaseOnly(model.entitiesByNameOrder.map { ($0.name ?? "", $0) }).map { name, other, entity in
            ModelFinding(
                .warning, .name, entity, key: "name", "the entities '\(other)' and '\(name)' differ by case only")
        } + model.entitiesByNameOrder.flatMap { entity in entityName(entity) + properties(entity) }
    }

    private static func entityName(_ entity: NSEntityDescription) -> [ModelFinding] {
        let name = entity.name ?? ""
        return isName(name)
            ? []
            : [
                ModelFinding(
                    .warning, .name, entity, key: "name",
                    """
                    the entity name '\(name)' should begin with a letter and contain only letters, digits and \
                    underscores
                    """
                )
            ]
    }

    private static func properties(_ entity: NSEntityDescription) -> [ModelFinding] {
        let own = entity.ownProperties
        var findings: [ModelFinding] = own.compactMap { property in
            let name = property.name
            if !isName(name) {
                return ModelFinding(
                    .warning, .name, entity, property,
                    "has a name that should begin with a letter and contain only letters, digits and underscores")
            }
            if reservedNames.contains(name) {
                return ModelFinding(
                    .warning, .name, entity, property,
                    "conflicts with a member of that name of NSManagedObject or NSObject")
            }
            if SwiftName.isKeyword(name) {
                return ModelFinding(.warning, .name, entity, property, "has the name of a Swift keyword")
            }
            if let parent = entity.superentity?.property(named: name), let owner = parent.owningEntity?.name {
                return ModelFinding(.warning, .name, entity, property, "is declared by its parent '\(owner)' already")
            }
            return nil
        }
        let inherited = entity.superentity?.properties ?? []
        findings += differingByCaseOnly((inherited + own).map { ($0.name, $0) }).compactMap { name, other, property in
            property.owningEntity === entity
                ? ModelFinding(.warning, .name, entity, property, "and the property '\(other)' differ by case only")
                : nil
        }
        return findings
    }

    /// The elements whose name differs from an earlier name by case only, with that name.
    private static func differingByCaseOnly<Element>(_ named: [(name: String, value: Element)]) -> [(
        String, String, Element
    )] {
        var known: [String: String] = [:]
        return named.compactMap { name, value in
            guard let other = known.updateValue(name, forKey: name.lowercased()), other != name else { return nil }
            return (name, other, value)
        }
    }

    private static func isName(_ name: String) -> Bool { SwiftName.isIdentifier(name) }

    /// Whether the class of an entity can't have a property of this name.
    package static func isReserved(_ name: String) -> Bool { reservedNames.contains(name) || SwiftName.isKeyword(name) }

    /// The members of every managed object.
    private static let reservedNames: Set<String> = [
        "autorelease", "awakeFromFetch", "awakeFromInsert", "changedValues", "class", "committedValues", "copy",
        "dealloc", "debugDescription", "delete",
        "deleted", "description", "didSave", "didTurnIntoFault", "entity", "fault", "faultingState", "hasChanges",
        "hasPersistentChangedValues", "hash",
        "init", "inserted", "isDeleted", "isEqual", "isFault", "isInserted", "isUpdated", "managedObjectContext",
        "mutableCopy", "new",
        "objectID", "objectWillChange", "observationInfo", "prepareForDeletion", "release", "retain", "retainCount",
        "self", "superclass",
        "updated", "willSave", "willTurnIntoFault", "zone",
    ]
}
