// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The steps that write what the rows of the destination don't get with their other columns: join tables, keys that
/// another form of relationship had before, entity numbers and positions.
struct RelationshipSteps {
    package let migration: SQLLightweightMigration
    package let dialect: any SQLMigrationDialect
    /// The present names of the source's tables.
    package let names: PresentTableNames

    private var columns: MigratedColumns { migration.columns }

    private func step(_ action: SQLMigrationAction, _ text: String) -> SQLMigrationStep {
        SQLMigrationStep(action, text)
    }

    /// Fills what is new.
    package var fill: [SQLMigrationStep] {
        migration.destination.joinTables.filter { !migration.isKept($0) }.flatMap(fill)
            + migration.destination.entities.flatMap(complete) + completeKeysWithoutInverse
    }

    /// Removes references to rows that the migration has not kept.
    package var clear: [SQLMigrationStep] {
        var steps: [SQLMigrationStep] = []
        for entity in migration.destination.entities {
            for case (_, .toOne(let relationship)) in entity.properties.sortedBytewise(by: { $0.key })
            where migration.isIncomplete(relationship.destination.table) {
                steps.append(
                    clear(
                        [relationship.column, relationship.entityColumn, relationship.orderColumn].compactMap { $0 },
                        in: entity.table, missingIn: relationship.destination.table))
            }
        }
        for (key, relationship, _) in columns.keysWithoutInverse {
            guard let owner = columns.destination.entity(for: relationship.description.entity),
                migration.isIncomplete(owner.table)
            else { continue }
            steps.append(clear(key.columns, in: relationship.destination.table, missingIn: owner.table))
        }
        for join in migration.destination.joinTables {
            for (column, table) in [
                (join.ownerColumn, join.owner.table), (join.destinationColumn, join.destination.table),
            ]
            where migration.isIncomplete(table) {
                steps.append(
                    step(
                        .clearReferences(column: column, table: join.name),
                        """
                        DELETE FROM \(dialect.table(join.name)) WHERE \(dialect.identifier(column)) NOT IN \
                        (SELECT Z_PK FROM \(dialect.table(table.name)))
                        """))
            }
        }
        return steps
    }

    private func clear(_ columns: [SQLColumn], in table: SQLTable, missingIn destination: SQLTable) -> SQLMigrationStep
    {
        let names = columns.map { dialect.identifier($0.name) }
        return step(
            .clearReferences(column: columns[0].name, table: table.name),
            """
            UPDATE \(dialect.table(table.name)) SET \(names.map { "\($0) = NULL" }.joined(separator: ", ")) \
            WHERE \(names[0]) IS NOT NULL AND \(names[0]) NOT IN \
            (SELECT Z_PK FROM \(dialect.table(destination.name)))
            """)
    }

    // MARK: Join tables

    private func fill(_ join: SQLJoinTable) -> [SQLMigrationStep] {
        let owner = migration.destination.entity(for: join.relationship.entity) ?? join.owner
        guard
            let pairs = pairs(join.relationship.name, of: owner)
                ?? pairs(join.inverse.name, of: join.destination)?.swapped
        else { return [] }
        var names = [join.ownerColumn, join.destinationColumn]
        var values = ["owner", "member"]
        if let column = join.ownerOrderColumn {
            names.append(column)
            values.append(pairs.inverse)
        }
        if let column = join.destinationOrderColumn {
            names.append(column)
            values.append(pairs.position)
        }
        func insert(_ pairs: MigratedPairs) -> SQLMigrationStep {
            let columns = names.map(dialect.identifier).joined(separator: ", ")
            return step(
                .fillJoinTable(join.name),
                dialect.dialect.insertIfAbsent(
                    into: "\(dialect.table(join.name)) (\(columns))",
                    values: "SELECT \(values.joined(separator: ", ")) FROM (\(pairs.sql)) AS pairs"))
        }
        // A relationship that is its own inverse has a row for each direction.
        return join.isReflexive ? [insert(pairs), insert(pairs.swapped)] : [insert(pairs)]
    }

    /// The pairs of the source of a relationship.
    private func pairs(_ relationship: String, of owner: SQLEntity) -> MigratedPairs? {
        guard let old = columns.sourceEntity(of: owner),
            let source = columns.mapping.entities[owner.name]?.relationships[relationship]
        else { return nil }
        return MigratedPairs(old.properties[source.name], of: old, dialect) { names[$0] }
    }

    // MARK: Keys

    /// Completes the keys of one entity's to-one relationships.
    private func complete(_ entity: SQLEntity) -> [SQLMigrationStep] {
        var steps: [SQLMigrationStep] = []
        for (propertyName, property) in entity.properties.sortedBytewise(by: { $0.key }) {
            guard case .toOne(let relationship) = property, entity.superentity?.toOne(propertyName) == nil else {
                continue
            }
            let old = columns.sourceEntity(of: entity)
            let source = columns.mapping.entities[entity.name]?.relationships[propertyName].flatMap { found in
                old?.toOne(found.name)
            }
            var isFilled = false
            if source == nil, let inverse = relationship.description.inverseRelationship?.name,
                let pairs = pairs(inverse, of: relationship.destination)?.swapped
            {
                steps.append(fill(relationship.column, in: entity, from: pairs))
                isFilled = true
            }
            guard source != nil || isFilled else { continue }
            steps += complete(
                relationship.column, relationship.entityColumn, relationship.orderColumn,
                in: entity.table, referringTo: relationship.destination.table,
                hasNumbers: source?.entityColumn != nil, hasOrder: source?.orderColumn != nil)
        }
        return steps
    }

    /// Completes the keys of to-many relationships without inverse.
    private var completeKeysWithoutInverse: [SQLMigrationStep] {
        var steps: [SQLMigrationStep] = []
        for (key, relationship, source) in columns.keysWithoutInverse {
            guard let owner = columns.destination.entity(for: relationship.description.entity) else { continue }
            var old: SQLForeignKey?
            if case .foreignKey(let found)? = source?.storage, found.isWithoutInverse { old = found }
            if old == nil {
                guard let pairs = pairs(relationship.description.name, of: owner)?.swapped else { continue }
                steps.append(fill(key.column, in: relationship.destination, from: pairs))
            }
            steps += complete(
                key.column, key.entityColumn, key.orderColumn, in: relationship.destination.table,
                referringTo: owner.table, hasNumbers: old?.entityColumn != nil, hasOrder: old?.orderColumn != nil)
        }
        return steps
    }

    /// Writes keys from pairs whose owners are the rows.
    private func fill(_ column: SQLColumn, in entity: SQLEntity, from pairs: MigratedPairs) -> SQLMigrationStep {
        step(
            .fillKeys(column: column.name, table: entity.tableName),
            """
            UPDATE \(dialect.table(entity.tableName)) SET \(dialect.identifier(column.name)) = pairs.member \
            FROM (SELECT owner, MIN(member) AS member FROM (\(pairs.sql)) AS found GROUP BY owner) AS pairs \
            WHERE pairs.owner = Z_PK AND Z_ENT IN (\(entity.numbers.map(String.init).joined(separator: ", ")))
            """)
    }

    private func complete(
        _ column: SQLColumn, _ entityColumn: SQLColumn?, _ orderColumn: SQLColumn?, in table: SQLTable,
        referringTo destination: SQLTable, hasNumbers: Bool, hasOrder: Bool
    ) -> [SQLMigrationStep] {
        let (rows, key) = (dialect.table(table.name), dialect.identifier(column.name))
        var steps: [SQLMigrationStep] = []
        if let entityColumn, !hasNumbers {
            steps.append(
                step(
                    .fillEntities(column: entityColumn.name, table: table.name),
                    """
                    UPDATE \(rows) SET \(dialect.identifier(entityColumn.name)) = \
                    (SELECT d.Z_ENT FROM \(dialect.table(destination.name)) AS d WHERE d.Z_PK = \(rows).\(key)) \
                    WHERE \(key) IS NOT NULL
                    """))
        }
        if let orderColumn, !hasOrder {
            steps.append(
                step(
                    .fillPositions(column: orderColumn.name, table: table.name),
                    """
                    UPDATE \(rows) SET \(dialect.identifier(orderColumn.name)) = p.position \
                    FROM (SELECT Z_PK AS pk, \(MigratedPairs.generated(by: key, "Z_PK")) AS position FROM \(rows) \
                    WHERE \(key) IS NOT NULL) AS p WHERE p.pk = \(rows).Z_PK
                    """))
        }
        return steps
    }
}
