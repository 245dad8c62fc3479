// SPDX-License-Identifier: Apache-2.0

/// Renaming identifiers must be unique.
enum RenamingCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        let entities = model.entitiesByNameOrder
        return duplicates(entities.map { ($0.name ?? "", $0.renamingIdentifier, $0) }).map { entity, other in
            ModelFinding(
                .warning, .renaming, entity, key: "elementID",
                """
                the entities '\(other)' and '\(entity.name ?? "")' have the same renaming identifier \
                '\(entity.renamingIdentifier ?? "")'
                """
            )
        }
            + entities.flatMap { entity in
                duplicates(entity.ownProperties.map { ($0.name, $0.renamingIdentifier, $0) }).map { property, other in
                    ModelFinding(
                        .warning, .renaming, entity, property,
                        "and '\(other)' have the same renaming identifier '\(property.renamingIdentifier ?? "")'")
                }
            }
    }

    private static func duplicates<Element>(_ items: [(name: String, identifier: String?, value: Element)]) -> [(
        Element, String
    )] {
        var known: [String: String] = [:]
        return items.compactMap { name, identifier, value in
            guard let identifier, let other = known.updateValue(name, forKey: identifier) else { return nil }
            return (value, other)
        }
    }
}
