// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// A lightweight migration of a store in tables, in place and by SQL: where the rows and values of the new tables come
/// from. ``SQLMigrationPlan`` has its steps.
///
/// Rows keep their primary keys and versions. A table whose columns are only added or renamed stays; the rows of any
/// other table are written into a new one. Tables that are replaced or removed have temporary names during the
/// migration.
package struct SQLLightweightMigration {
    package let source: SQLSchema
    package let destination: SQLSchema
    package let columns: MigratedColumns
    package let tables: [TableMigration]
    /// Whether unused columns and tables are left for a deferred cleanup.
    package let isDeferred: Bool

    /// - Parameters:
    ///   - source: the schema of the store.
    ///   - destination: the schema that the store gets.
    ///   - isDeferred: whether unused columns and tables may stay.
    ///   - dialect: the texts of the store's engine.
    /// - Throws: `NSInferredMappingModelError` (134190), `NSMigrationError` (134110).
    package init(
        from source: SQLSchema, to destination: SQLSchema, isDeferred: Bool, _ dialect: any SQLMigrationDialect
    ) throws {
        self.isDeferred = isDeferred
        self.source = source
        self.destination = destination
        let columns = MigratedColumns(
            dialect: dialect, source: source, destination: destination,
            mapping: try LightweightMapping(from: source.model, to: destination.model))
        self.columns = columns
        var used: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]
        var parts: [(SQLTable, SQLTable?, [TableMigration.Entity])] = []
        for table in destination.tables {
            var old: SQLTable?
            var entities: [TableMigration.Entity] = []
            for entity in table.entities {
                guard let found = columns.sourceEntity(of: entity) else { continue }
                old = found.table
                used[ObjectIdentifier(found.table), default: []].insert(ObjectIdentifier(table))
                entities.append(
                    TableMigration.Entity(
                        source: found, destination: entity, columns: try columns.columns(of: entity, from: found)))
            }
            parts.append((table, old, entities))
        }
        tables = parts.map { table, old, entities in
            TableMigration(
                to: table, from: old, entities: entities,
                isOnlyDestination: old.map { used[ObjectIdentifier($0)]?.count == 1 } ?? false,
                leavesUnusedColumns: isDeferred || dialect.keepsTablesWithUnusedColumns, dialect)
        }
    }

    /// The prefix of the names of unused tables.
    static let unusedPrefix = "Z_MIGRATED_"

    func isKept(_ table: TableMigration) -> Bool { table.keptColumns != nil }

    /// Whether a join table stays as it is.
    package func isKept(_ join: SQLJoinTable) -> Bool {
        guard
            case .toMany(let old)? = MigratedRelationship(join.relationship, of: join.owner, columns)
                .onlySource?.property,
            case .join(let former) = old.storage
        else { return false }
        return former.table.name == join.name && former.table.columns == join.columns
            && former.table.relationship.name == old.description.name
            && former.table.forward.ownerColumn == former.ownerColumn
    }

    /// The names of the tables that stay under their names.
    package var keptNames: Set<String> {
        Set(
            tables.filter { isKept($0) && $0.source?.name == $0.destination.name }.map(\.destination.name)
                + destination.joinTables.filter { isKept($0) }.map(\.name))
    }

    /// Whether rows of the source are missing in a table.
    func isIncomplete(_ table: SQLTable) -> Bool {
        tables.first { $0.destination === table }.map { !$0.missingEntities.isEmpty || $0.source == nil } ?? false
    }

    /// A line for the log about each table: whether it is new, stays, is written again or is removed.
    var summary: [String] {
        let used = Set(tables.compactMap(\.source?.name))
        let kept = tables.map { table in
            let name = table.destination.name
            guard let source = table.source else { return "table \(name): new" }
            let origin = source.name == name ? "" : " from \(source.name)"
            guard let columns = table.keptColumns else { return "table \(name)\(origin): all rows are written again" }
            let added = columns.count { if case .added = $0 { true } else { false } }
            return "table \(name)\(origin): stays, with \(Wording.count(added, "new column"))"
        }
        return kept
            + source.tables.filter { !used.contains($0.name) }.map { "table \($0.name): removed" }
            + destination.joinTables.map { "table \($0.name): \(isKept($0) ? "stays" : "written again")" }
    }
}
