// SPDX-License-Identifier: Apache-2.0

/// Whether programs with the old model can go on after a migration.
///
/// They can if the migration only adds: entities in new hierarchies, attributes that are optional or have a default
/// value, optional relationships, indexes. If the cleanup is deferred, the migration may also remove such parts from
/// the model: the database keeps them for the old programs.
struct CompatibleMigration {
    private let migration: SQLLightweightMigration

    init(_ migration: SQLLightweightMigration) { self.migration = migration }

    var isCompatible: Bool {
        migration.tables.allSatisfy(isCompatible) && keepsTables
    }

    // MARK: Tables

    /// Whether the tables of the source stay, or are left over.
    private var keepsTables: Bool {
        let tables = Set(migration.tables.compactMap { $0.source?.name })
        let joins = migration.destination.joinTables
        let isLeft = migration.isDeferred
        return migration.source.tables.allSatisfy { tables.contains($0.name) || isLeft }
            && migration.source.joinTables.allSatisfy { old in
                guard let new = joins.first(where: { $0.name == old.name }) else { return isLeft }
                return migration.isKept(new)
            }
    }

    private func isCompatible(_ part: TableMigration) -> Bool {
        guard let source = part.source else { return true }
        // Older programs would meet rows of unknown entities, or miss rows.
        guard source.name == part.destination.name, part.missingEntities.isEmpty,
            part.entities.count == part.destination.entities.count, let columns = part.keptColumns
        else { return false }
        for case .existing(let name, let column) in columns {
            guard name == column.name, source.column(named: name)?.kind == column.kind else { return false }
        }
        return part.entities.allSatisfy { isCompatible($0.destination, with: $0.source) }
    }

    // MARK: Entities

    private func isCompatible(_ new: SQLEntity, with old: SQLEntity) -> Bool {
        guard new.name == old.name, new.isAbstract == old.isAbstract,
            new.superentity?.name == old.superentity?.name,
            new.entity.versionHashModifier == old.entity.versionHashModifier
        else { return false }
        let constraints = Set(old.uniquenessConstraints.map(\.names))
        guard new.uniquenessConstraints.allSatisfy({ constraints.contains($0.names) }) else { return false }
        var found: Set<String> = []
        for (name, property) in new.properties {
            guard let former = migration.formerName(of: name, in: new), let previous = old.properties[former] else {
                if !isOptional(property) { return false }
                continue
            }
            guard former == name, isCompatible(property, with: previous) else { return false }
            found.insert(former)
        }
        return old.properties.allSatisfy { name, property in
            if found.contains(name) { return true }
            if case .attribute(let attribute) = property, attribute.derivation != nil { return false }
            return migration.isDeferred && isOptional(property)
        }
    }

    /// Whether programs that don't know a property can insert objects, and delete objects that the property refers to.
    private func isOptional(_ property: SQLProperty) -> Bool {
        switch property {
        case .attribute(let attribute):
            if let derivation = attribute.derivation { return derivation.isMaintainedByTriggers }
            let value = attribute.description.defaultValue
            return attribute.description.isOptional || value != nil && !(value is NSNull)
        case .composite(let composite):
            return composite.attributes.allSatisfy { isOptional(.attribute($0)) }
        case .toOne(let relationship): return relationship.description.isOptional
        case .toMany(let relationship): return relationship.description.isOptional
        }
    }

    private func isCompatible(_ new: SQLProperty, with old: SQLProperty) -> Bool {
        switch (new, old) {
        case (.attribute(let new), .attribute(let old)):
            return new.column.name == old.column.name && isCompatible(new.description, with: old.description)
                && new.derivationText == old.derivationText
        case (.composite(let new), .composite(let old)):
            return new.attributes.map(\.column.name) == old.attributes.map(\.column.name)
                && zip(new.attributes, old.attributes).allSatisfy { isCompatible($0.description, with: $1.description) }
        case (.toOne(let new), .toOne(let old)):
            return new.column.name == old.column.name && new.entityColumn?.name == old.entityColumn?.name
                && new.orderColumn?.name == old.orderColumn?.name
                && isCompatible(new.description, with: old.description)
        case (.toMany(let new), .toMany(let old)):
            return columns(new) == columns(old) && isCompatible(new.description, with: old.description)
        default: return false
        }
    }

    private func isCompatible(_ new: NSAttributeDescription, with old: NSAttributeDescription) -> Bool {
        new.attributeType == old.attributeType && (new.isOptional || !old.isOptional)
            && new.valueTransformerName == old.valueTransformerName
            && new.attributeValueClassName == old.attributeValueClassName
            && new.versionHashModifier == old.versionHashModifier
    }

    private func isCompatible(_ new: NSRelationshipDescription, with old: NSRelationshipDescription) -> Bool {
        new.destinationEntity?.name == old.destinationEntity?.name && (new.isOptional || !old.isOptional)
            && new.minCount <= old.minCount && new.maxCount == old.maxCount && new.isOrdered == old.isOrdered
            && new.inverseRelationship?.name == old.inverseRelationship?.name
            && new.versionHashModifier == old.versionHashModifier
    }

    private func columns(_ relationship: SQLToMany) -> [String] {
        switch relationship.storage {
        case .foreignKey(let key): [relationship.destination.tableName] + key.columns.map(\.name)
        case .join(let join): [join.table.name] + join.table.columns
        }
    }
}

extension SQLLightweightMigration {
    /// The name that a property of an entity has in the source; nil for a new property.
    func formerName(of name: String, in entity: SQLEntity) -> String? {
        let mapped = columns.mapping.entities[entity.name]
        if let former = mapped?.attributes[name]?.name ?? mapped?.relationships[name]?.name { return former }
        // A derived attribute has no mapping: its source is the attribute of the same name.
        let previous = columns.sourceEntity(of: entity)?.attribute(name)
        return entity.attribute(name)?.derivation != nil && previous?.derivation != nil ? name : nil
    }
}
