// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The conditions on the rows of a store that a lightweight migration needs.
struct MigrationChecks {
    let migration: SQLLightweightMigration
    let dialect: any SQLMigrationDialect

    var steps: [SQLMigrationStep] { abstractEntities + ranges + requiredRelationships + rooms }

    private func check(_ check: SQLMigrationCheck, in entity: SQLEntity, where condition: SQLFragment = "")
        -> SQLMigrationStep
    {
        let query: SQLFragment = """
            SELECT Z_PK FROM \(dialect.table(entity.tableName)) WHERE Z_ENT = \(number: entity.number)\
            \(condition) LIMIT 1
            """
        return SQLMigrationStep(.check(check), [dialect.statement(query)])
    }

    /// An entity that becomes abstract has no objects.
    private var abstractEntities: [SQLMigrationStep] {
        migration.tables.flatMap(\.entities).filter { $0.destination.isAbstract && !$0.source.isAbstract }.map {
            check(.noObjects(entity: $0.source.name, destination: $0.destination.name), in: $0.source)
        }
    }

    // MARK: Numbers

    /// Numbers fit into the types that they get.
    private var ranges: [SQLMigrationStep] {
        var steps: [SQLMigrationStep] = []
        for entity in migration.tables.flatMap(\.entities) {
            guard let mapped = migration.columns.mapping.entities[entity.destination.name] else { continue }
            for (name, property) in entity.destination.properties.sortedBytewise(by: { $0.key }) {
                guard let former = mapped.attributes[name]?.name, let old = entity.source.properties[former] else {
                    continue
                }
                steps += ranges(of: property, from: old, named: name, entity)
            }
        }
        return steps
    }

    private func ranges(
        of property: SQLProperty, from old: SQLProperty, named name: String, _ entity: TableMigration.Entity
    ) -> [SQLMigrationStep] {
        switch (property, old) {
        case (.attribute(let attribute), .attribute(let old)):
            guard let range = attribute.column.kind.range(forValuesOf: old.column.kind) else { return [] }
            let column = dialect.identifier(old.column.name)
            return [
                check(
                    .range(range.text, attribute: name, entity: entity.source.name), in: entity.source,
                    where: " AND \(range.violation(column))")
            ]
        case (.composite(let composite), .composite(let old)):
            return composite.elements.flatMap { element, property in
                composite.source(of: element, in: old).map {
                    ranges(of: property, from: $0, named: "\(name).\(element)", entity)
                } ?? []
            }
        default: return []
        }
    }

    /// The condition that an object is in no link of a relationship.
    private func isUnrelated(_ name: String, _ entity: SQLEntity) -> SQLFragment {
        var owner = entity
        while let parent = owner.superentity, parent.properties[name] != nil { owner = parent }
        guard let relationship = owner.properties[name]?.relationship,
            let pairs = MigratedRelationship(relationship, of: owner, migration.columns)
                .pairs(dialect, OriginalNames())
        else { return "" }
        return " AND Z_PK NOT IN (SELECT owner FROM (\(pairs.sql)) AS pairs)"
    }

    // MARK: Relationships

    /// No object is related to more objects than the new form of a relationship has room for.
    private var rooms: [SQLMigrationStep] {
        migration.destination.entities.flatMap { entity in
            entity.properties.sortedBytewise(by: { $0.key }).compactMap { name, property -> SQLMigrationStep? in
                guard let relationship = property.relationship, entity.superentity?.properties[name] == nil else {
                    return nil
                }
                let source = MigratedRelationship(relationship, of: entity, migration.columns)
                switch property {
                case .toOne(let toOne) where !source.hasOneMember:
                    return check(source, toOne.destination, of: entity, isSwapped: false)
                case .toMany(let toMany) where !toMany.mayShareMembers && relationship.inverseRelationship == nil:
                    return source.hasOneOwner ? nil : check(source, toMany.destination, of: entity, isSwapped: true)
                default: return nil
                }
            }
        }
    }

    /// - Parameter isSwapped: whether a member has only one owner, otherwise an owner has only one member.
    private func check(
        _ relationship: MigratedRelationship, _ destination: SQLEntity, of owner: SQLEntity, isSwapped: Bool
    ) -> SQLMigrationStep? {
        guard let found = relationship.pairs(dialect, OriginalNames()) else { return nil }
        let pairs = isSwapped ? found.swapped : found
        func sourceName(_ entity: SQLEntity) -> String {
            migration.columns.sourceEntity(of: entity)?.name ?? entity.name
        }
        let check = SQLMigrationCheck.room(
            relationship: relationship.description.name, owner: owner.name,
            object: sourceName(isSwapped ? destination : owner), isMember: isSwapped)
        let query: SQLFragment = """
            SELECT owner FROM (\(pairs.sql)) AS pairs GROUP BY owner HAVING COUNT(DISTINCT member) > 1 \
            ORDER BY owner LIMIT 1
            """
        return SQLMigrationStep(.check(check), [dialect.statement(query)])
    }

    /// No object lacks the destination of a relationship that becomes required, or is new and required.
    private var requiredRelationships: [SQLMigrationStep] {
        var steps: [SQLMigrationStep] = []
        for entity in migration.tables.flatMap(\.entities) where !entity.destination.isAbstract {
            for (name, property) in entity.destination.properties.sortedBytewise(by: { $0.key }) {
                guard let relationship = property.relationship, relationship.mustHaveDestination else { continue }
                let check = SQLMigrationCheck.destination(relationship: name, entity: entity.source.name)
                guard let previous = migration.columns.mapping.entities[entity.destination.name]?.relationships[name]
                else {
                    // The objects would lack a new relationship, unless its inverse has the links.
                    steps.append(self.check(check, in: entity.source, where: isUnrelated(name, entity.destination)))
                    continue
                }
                guard !relationship.isToMany, previous.isOptional, let old = entity.source.toOne(previous.name)
                else { continue }
                steps.append(
                    self.check(
                        check, in: entity.source, where: " AND \(dialect.identifier(old.column.name)) IS NULL"))
            }
        }
        return steps
    }
}

extension NSRelationshipDescription {
    /// Whether an object without a destination is invalid. A required relationship to many objects without a minimum
    /// count may be empty.
    fileprivate var mustHaveDestination: Bool { !isOptional && !isTransient && (!isToMany || minCount > 0) }
}
