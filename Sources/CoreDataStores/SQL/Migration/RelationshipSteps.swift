// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The steps that write the parts of relationships which the rows of the destination don't get with their other
/// columns: join tables, keys whose relationship had another form before, entity numbers and positions.
struct RelationshipSteps {
    let migration: SQLLightweightMigration
    let dialect: any SQLMigrationDialect
    /// The present names of the source's tables.
    let names: PresentTableNames

    private var columns: MigratedColumns { migration.columns }

    private func source(of relationship: NSRelationshipDescription, _ entity: SQLEntity) -> MigratedRelationship {
        MigratedRelationship(relationship, of: entity, columns)
    }

    private func step(_ action: SQLMigrationAction, _ text: String) -> SQLMigrationStep {
        SQLMigrationStep(action, text)
    }

    /// Fills new join tables and columns.
    var fill: [SQLMigrationStep] {
        migration.destination.joinTables.filter { !migration.isKept($0) }.flatMap(fill)
            + migration.destination.entities.flatMap(complete) + completeKeysWithoutInverse
    }

    /// Removes references to rows that the migration has not kept.
    var clear: [SQLMigrationStep] {
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
        guard let pairs = source(of: join.relationship, join.owner).pairs(dialect, self) else { return [] }
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

    // MARK: Keys

    /// Completes the keys of one entity's to-one relationships.
    private func complete(_ entity: SQLEntity) -> [SQLMigrationStep] {
        var steps: [SQLMigrationStep] = []
        for (propertyName, property) in entity.properties.sortedBytewise(by: { $0.key }) {
            guard case .toOne(let relationship) = property, entity.superentity?.toOne(propertyName) == nil else {
                continue
            }
            let source = source(of: relationship.description, entity)
            guard let pairs = source.pairs(dialect, self) else { continue }
            // The rows have the keys from the relationship's own sources already.
            let own = source.ownSources?.compactMap { part -> SQLToOne? in
                if case .toOne(let relationship) = part.property { return relationship }
                return nil
            }
            if own == nil { steps.append(fill(relationship.column, in: entity, from: pairs)) }
            steps += complete(
                relationship.column, relationship.entityColumn, relationship.orderColumn,
                in: entity.table, referringTo: relationship.destination.table, from: pairs,
                hasNumbers: own?.allSatisfy { $0.entityColumn != nil } ?? false,
                hasOrder: own?.allSatisfy { $0.orderColumn != nil } ?? false)
        }
        return steps
    }

    /// Completes the keys of to-many relationships without inverse.
    private var completeKeysWithoutInverse: [SQLMigrationStep] {
        var steps: [SQLMigrationStep] = []
        for (key, relationship, old) in columns.keysWithoutInverse {
            guard let owner = columns.destination.entity(for: relationship.description.entity),
                let pairs = source(of: relationship.description, owner).pairs(dialect, self)?.swapped
            else { continue }
            if old == nil { steps.append(fill(key.column, in: relationship.destination, from: pairs)) }
            steps += complete(
                key.column, key.entityColumn, key.orderColumn, in: relationship.destination.table,
                referringTo: owner.table, from: pairs, hasNumbers: old?.entityColumn != nil,
                hasOrder: old?.orderColumn != nil)
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
        referringTo destination: SQLTable, from pairs: MigratedPairs, hasNumbers: Bool, hasOrder: Bool
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
                    FROM (SELECT owner, \(pairs.inverse) AS position FROM (\(pairs.sql)) AS pairs) AS p \
                    WHERE p.owner = \(rows).Z_PK AND \(key) IS NOT NULL
                    """))
        }
        return steps
    }
}

extension RelationshipSteps: SourceNames {
    func name(of table: String) -> String { names[table] }

    func name(of column: String, in table: SQLTable) -> String {
        for part in migration.tables where part.source === table {
            for case .existing(column, let new) in part.keptColumns ?? [] { return new.name }
        }
        return column
    }
}
