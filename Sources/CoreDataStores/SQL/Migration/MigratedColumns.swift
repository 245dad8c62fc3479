// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Finds the source of each column.
package struct MigratedColumns {
    let dialect: any SQLMigrationDialect
    let source: SQLSchema
    let destination: SQLSchema
    package let mapping: LightweightMapping
    /// The numbers of the source's entities whose objects the destination has.
    let keptNumbers: Set<Int>
    /// The to-many relationships of the destination that have no inverse, with the columns of the source that have
    /// exactly their keys.
    private(set) var keysWithoutInverse: [(key: SQLForeignKey, relationship: SQLToMany, source: SQLForeignKey?)] = []

    init(
        dialect: any SQLMigrationDialect, source: SQLSchema, destination: SQLSchema, mapping: LightweightMapping
    ) {
        self.dialect = dialect
        self.source = source
        self.destination = destination
        self.mapping = mapping
        keptNumbers = Set(
            destination.entities.compactMap { entity in
                mapping.entities[entity.name]?.source.flatMap(source.entity(for:))?.number
            })
        keysWithoutInverse = findKeysWithoutInverse()
    }

    /// The source entity of an entity of the destination, if the store has both.
    package func sourceEntity(of entity: SQLEntity) -> SQLEntity? {
        mapping.entities[entity.name]?.source.flatMap(source.entity(for:))
    }

    /// The columns of an entity's rows.
    ///
    /// - Throws: `NSMigrationError` (134110) for a default value that no column can have.
    func columns(of entity: SQLEntity, from old: SQLEntity) throws -> [String: MigratedColumn] {
        guard let mapped = mapping.entities[entity.name] else { return [:] }
        var columns: [String: MigratedColumn] = [:]
        for (name, property) in entity.properties {
            switch property {
            case .attribute(let attribute):
                let previous = mapped.attributes[name].flatMap { old.attribute($0.name) }
                columns[attribute.column.name] =
                    attribute.derivation != nil
                    ? derived(attribute, old) : try value(of: attribute, from: previous, entity)
            case .composite(let composite):
                let previous = mapped.attributes[name].flatMap { old.composite($0.name) }
                try addElements(of: composite, from: previous, entity, to: &columns)
            case .toOne(let relationship):
                let previous = mapped.relationships[name].flatMap { old.toOne($0.name) }
                addKey(
                    column: relationship.column, entityColumn: relationship.entityColumn,
                    orderColumn: relationship.orderColumn, of: relationship.destination,
                    from: previous.map { ($0.column, $0.entityColumn, $0.orderColumn) }, to: &columns)
            case .toMany: break
            }
        }
        addKeysWithoutInverse(of: entity, from: old, to: &columns)
        return columns
    }

    // MARK: Attributes

    private func value(of attribute: SQLAttribute, from previous: SQLAttribute?, _ entity: SQLEntity) throws
        -> MigratedColumn
    {
        let value = previous.map { dialect.converted($0.column, to: attribute.column) } ?? .missing
        let description = attribute.description
        // A new attribute has its default value in all rows. A missing value is replaced where one is required.
        let isReplaced = previous == nil || !description.isOptional && previous?.description.isOptional != false
        guard isReplaced, let stored = try defaultValue(of: attribute, entity) else { return value }
        return value.replacingNull(by: stored)
    }

    /// The default value of an attribute as a value of its column; nil if it has none.
    ///
    /// - Throws: `NSMigrationError` (134110) for a default value that no column can have.
    package func defaultValue(of attribute: SQLAttribute, _ entity: SQLEntity) throws -> SQLValue? {
        guard let value = attribute.description.defaultValue, !(value is NSNull) else { return nil }
        return try stored(value, attribute, entity)
    }

    private func stored(_ value: Any, _ attribute: SQLAttribute, _ entity: SQLEntity) throws -> SQLValue {
        if let value = dialect.value(value, of: attribute.column.kind) { return value }
        if attribute.column.kind == .transformable {
            let slot = entity.entity.entityLayout.slot(named: attribute.description.name)
            if let slot { return .bytes(try TransformableCoding.encode(value, slot: slot)) }
        }
        throw CoreDataErrors.error(
            NSMigrationError, "The store can\u{2019}t be migrated.",
            reason: "The default value of \(entity.name).\(attribute.description.name) is no value of its type.",
            suggestion: "Give the attribute another default value.",
            userInfo: ["entity": entity.name, "attribute": attribute.description.name])
    }

    /// A derived value stays if it was derived in the same way. Otherwise it is computed when all rows are written.
    private func derived(_ attribute: SQLAttribute, _ old: SQLEntity) -> MigratedColumn {
        guard let previous = old.attribute(attribute.description.name), previous.column.kind == attribute.column.kind,
            !needsComputing(attribute, old)
        else { return .missing }
        return .column(previous.column.name)
    }

    /// Whether a derived attribute has no values that its source has computed in the same way.
    func needsComputing(_ attribute: SQLAttribute, _ old: SQLEntity) -> Bool {
        guard let previous = old.attribute(attribute.description.name), let now = attribute.derivationText else {
            return true
        }
        guard previous.derivationText == now, let new = attribute.derivation, let former = previous.derivation else {
            return true
        }
        return !keepsSource(of: new, former, old)
    }

    /// Whether the values stay that an attribute is derived from.
    private func keepsSource(of new: SQLDerivation, _ former: SQLDerivation, _ old: SQLEntity) -> Bool {
        switch (new, former) {
        case (.computedOnSave, .computedOnSave): true
        case (.count(let new), .count(let former)): keepsMembers(new, former)
        case (.sum(let new, let column), .sum(let former, let formerColumn)):
            keepsMembers(new, former) && keepsValues(column, of: new.destination, formerColumn, of: former.destination)
        case (.key(let new, let column), .key(let former, let formerColumn)):
            keepsRelationship(new.description, former.description)
                && keepsObjects(new.destination, former.destination)
                && keepsValues(column, of: new.destination, formerColumn, of: former.destination)
        default: false
        }
    }

    private func keepsMembers(_ new: SQLToMany, _ former: SQLToMany) -> Bool {
        keepsRelationship(new.description, former.description) && keepsObjects(new.destination, former.destination)
    }

    private func keepsRelationship(_ new: NSRelationshipDescription, _ former: NSRelationshipDescription) -> Bool {
        mapping.entities[new.entity.name ?? ""]?.relationships[new.name]?.name == former.name
    }

    /// Whether no entity of a hierarchy goes with its objects.
    private func keepsObjects(_ new: SQLEntity, _ former: SQLEntity) -> Bool {
        guard sourceEntity(of: new) === former else { return false }
        return former.numbers.allSatisfy(keptNumbers.contains)
    }

    private func keepsValues(
        _ column: SQLColumn, of new: SQLEntity, _ formerColumn: SQLColumn, of former: SQLEntity
    ) -> Bool {
        func name(_ column: SQLColumn, _ entity: SQLEntity) -> String? {
            entity.properties.keys.first { entity.attribute($0)?.column.name == column.name }
        }
        guard let key = name(column, new), let attribute = new.attribute(key),
            let formerKey = mapping.entities[new.name]?.attributes[key]?.name,
            let previous = former.attribute(formerKey),
            previous.column.name == formerColumn.name
        else { return false }
        // A converted value, or a default value in place of NULL, changes the derived value.
        if case .column(formerColumn.name)? = try? value(of: attribute, from: previous, new) { return true }
        return false
    }

    private func addElements(
        of composite: SQLComposite, from previous: SQLComposite?, _ entity: SQLEntity,
        to columns: inout [String: MigratedColumn]
    ) throws {
        for (name, element) in composite.elements {
            switch (element, previous.flatMap { composite.source(of: name, in: $0) }) {
            case (.attribute(let attribute), .attribute(let old)?):
                columns[attribute.column.name] = try value(of: attribute, from: old, entity)
            case (.attribute(let attribute), _):
                columns[attribute.column.name] = try value(of: attribute, from: nil, entity)
            case (.composite(let inner), .composite(let old)?):
                try addElements(of: inner, from: old, entity, to: &columns)
            case (.composite(let inner), _): try addElements(of: inner, from: nil, entity, to: &columns)
            default: break
            }
        }
    }

    // MARK: Relationships

    /// Adds the columns of a key to other rows.
    private func addKey(
        column: SQLColumn, entityColumn: SQLColumn?, orderColumn: SQLColumn?, of referred: SQLEntity,
        from previous: (column: SQLColumn, entityColumn: SQLColumn?, orderColumn: SQLColumn?)?,
        to columns: inout [String: MigratedColumn]
    ) {
        guard let previous else { return }
        columns[column.name] = .column(previous.column.name)
        if let orderColumn { columns[orderColumn.name] = previous.orderColumn.map { .column($0.name) } ?? .missing }
        // Without a column of the source, the number is read from the rows when all are written.
        if let entityColumn, let old = previous.entityColumn { columns[entityColumn.name] = renumbered(old) }
    }

    /// A column of entity numbers, with the source's numbers mapped to the destination's.
    private func renumbered(_ column: SQLColumn) -> MigratedColumn {
        let pairs = destination.entities.compactMap { entity in
            sourceEntity(of: entity).map { ($0.number, entity.number) }
        }
        if pairs.allSatisfy({ $0 == $1 }) { return .column(column.name) }
        let cases = pairs.map { " WHEN \($0) THEN \($1)" }
        return .expression("CASE \(dialect.identifier(column.name))\(cases.joined()) END")
    }

    /// Adds the keys of to-many relationships without inverse, which are in the rows of their members.
    private func addKeysWithoutInverse(
        of member: SQLEntity, from old: SQLEntity, to columns: inout [String: MigratedColumn]
    ) {
        for (key, relationship, oldKey) in keysWithoutInverse {
            guard relationship.destination.includes(number: member.number), let oldKey else { continue }
            addKey(
                column: key.column, entityColumn: key.entityColumn, orderColumn: key.orderColumn, of: member,
                from: (oldKey.column, oldKey.entityColumn, oldKey.orderColumn), to: &columns)
        }
    }

    private func findKeysWithoutInverse() -> [(key: SQLForeignKey, relationship: SQLToMany, source: SQLForeignKey?)] {
        destination.entities.flatMap { owner in
            owner.properties.sortedBytewise(by: { $0.key }).compactMap { name, property in
                guard case .toMany(let relationship) = property,
                    case .foreignKey(let key) = relationship.storage, key.isWithoutInverse,
                    owner.superentity?.toMany(name) == nil
                else { return nil }
                return (key, relationship, keys(of: relationship, owner))
            }
        }
    }

    private func keys(of relationship: SQLToMany, _ owner: SQLEntity) -> SQLForeignKey? {
        guard
            case .toMany(let former)? = MigratedRelationship(relationship.description, of: owner, self)
                .onlySource?.property,
            case .foreignKey(let key) = former.storage, key.isWithoutInverse,
            relationship.destination.table.entities.lazy.compactMap(sourceEntity).first?.table
                === former.destination.table
        else { return nil }
        return key
    }
}
