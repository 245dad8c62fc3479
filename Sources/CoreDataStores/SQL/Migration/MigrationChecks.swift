// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The conditions on the rows of a store that a lightweight migration needs.
struct MigrationChecks {
    package let migration: SQLLightweightMigration
    package let dialect: any SQLMigrationDialect

    package var steps: [SQLMigrationStep] { ranges + requiredRelationships }

    private func check(_ check: SQLMigrationCheck, in entity: SQLEntity, where condition: SQLFragment = "")
        -> SQLMigrationStep
    {
        let query: SQLFragment = """
            SELECT Z_PK FROM \(dialect.table(entity.tableName)) WHERE Z_ENT = \(number: entity.number)\
            \(condition) LIMIT 1
            """
        return SQLMigrationStep(.check(check), [dialect.statement(query)])
    }

    /// Numbers fit into the types that they get.
    private var ranges: [SQLMigrationStep] {
        var steps: [SQLMigrationStep] = []
        for entity in migration.tables.flatMap(\.entities) {
            guard let mapped = migration.columns.mapping.entities[entity.destination.name] else { continue }
            for (name, _) in entity.destination.properties.sortedBytewise(by: { $0.key }) {
                guard let attribute = entity.destination.attribute(name),
                    let range = attribute.column.kind.migratedRange,
                    let old = mapped.attributes[name].flatMap({ entity.source.attribute($0.name) }),
                    old.column.kind != attribute.column.kind, old.column.kind != .boolean,
                    !(old.column.kind.migratedRange.map { range.contains($0.lowerBound) } ?? false)
                else { continue }
                steps.append(
                    check(
                        .range(range, attribute: name, entity: entity.source.name), in: entity.source,
                        where: """
                             AND \(dialect.identifier(old.column.name)) NOT BETWEEN \
                            \(value: .integer(range.lowerBound)) AND \(value: .integer(range.upperBound))
                            """))
            }
        }
        return steps
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
                    // The objects would lack a new relationship.
                    steps.append(self.check(check, in: entity.source))
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
