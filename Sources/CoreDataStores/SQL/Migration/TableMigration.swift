// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// How the rows of one table of the destination are made from the rows of a source table.
package struct TableMigration {
    /// An entity whose rows are migrated.
    package struct Entity {
        package let source: SQLEntity
        package let destination: SQLEntity
        /// By the names of the destination's columns.
        let columns: [String: MigratedColumn]
    }

    package let destination: SQLTable
    /// Nil for a table of new entities.
    package let source: SQLTable?
    package let entities: [Entity]
    /// The columns if the table can stay as it is, but for added columns and other names; nil if its rows must be
    /// written again.
    package private(set) var keptColumns: [KeptColumn]?

    /// - Parameters:
    ///   - isOnlyDestination: whether the source table's rows go into this table alone, or are removed.
    ///   - leavesUnusedColumns: whether the columns that the destination doesn't have may stay in the table.
    init(
        to destination: SQLTable, from source: SQLTable?, entities: [Entity], isOnlyDestination: Bool,
        leavesUnusedColumns: Bool, _ dialect: any SQLMigrationDialect
    ) {
        self.destination = destination
        self.source = source
        self.entities = entities
        if let source, isOnlyDestination {
            keptColumns = keptColumns(of: source, leavesUnusedColumns: leavesUnusedColumns, dialect)
        }
    }

    /// The source's entities whose rows are not in this table afterwards.
    package var missingEntities: [SQLEntity] {
        guard let source else { return [] }
        let kept = Set(entities.map(\.source.number))
        return source.entities.filter { !kept.contains($0.number) }
    }

    /// The values of a column, for rows of every entity.
    package func value(of column: SQLColumn) -> MigratedColumn {
        switch column.kind {
        case .primaryKey, .version: return .column(column.name)
        case .entityNumber: return numbers
        default: break
        }
        let values = entities.map { $0.columns[column.name] ?? .missing }
        guard let first = values.first else { return .missing }
        if values.allSatisfy({ $0 == first }) { return first }
        return .byEntity(
            zip(entities, values).filter { $1 != .missing }.map { entity, value in
                MigratedColumn.EntityValue(number: entity.source.number, value: value)
            })
    }

    /// `Z_ENT`: the numbers of the destination's entities.
    private var numbers: MigratedColumn {
        let changed = entities.filter { $0.source.number != $0.destination.number }
        if changed.isEmpty { return .column("Z_ENT") }
        let cases = entities.map { " WHEN \($0.source.number) THEN \($0.destination.number)" }
        return .expression("CASE Z_ENT\(cases.joined()) END")
    }

    // MARK: In place

    /// A column that exists already, or is added to the table.
    package enum KeptColumn {
        /// The column with this name keeps its values, under the name of the destination's column.
        case existing(String, SQLColumn)
        /// A new column, with a value for the rows of some entities.
        case added(SQLColumn, [MigratedColumn.EntityValue])
    }

    /// The column of the source that has the values of a column; nil if there is none, or not for all rows.
    ///
    /// The column of a subentity's property is NULL in the rows of other entities. The source's column has the same
    /// NULLs if none of these entities has a property in it.
    private func keptName(of column: SQLColumn, _ dialect: any SQLMigrationDialect) -> String? {
        let value = value(of: column)
        if case .column(let name) = value { return name }
        guard dialect.keepsTablesOfSubentities, case .byEntity(let values) = value,
            case .column(let name)? = values.first?.value
        else { return nil }
        let owners = Set(values.map(\.number))
        let isKept =
            values.allSatisfy { $0.value == .column(name) }
            && entities.allSatisfy { owners.contains($0.source.number) == $0.source.hasProperty(inColumn: name) }
        return isKept ? name : nil
    }

    private func keptColumns(
        of source: SQLTable, leavesUnusedColumns: Bool, _ dialect: any SQLMigrationDialect
    ) -> [KeptColumn]? {
        guard numbers == .column("Z_ENT") else { return nil }
        var unused = Set(source.columns.map(\.name))
        var columns: [KeptColumn] = []
        for column in destination.columns {
            if let name = keptName(of: column, dialect) {
                guard let old = source.column(named: name),
                    dialect.declaration(of: old.kind) == dialect.declaration(of: column.kind),
                    unused.remove(name) != nil
                else { return nil }
                columns.append(.existing(name, column))
                continue
            }
            var added: [MigratedColumn.EntityValue] = []
            for entity in entities {
                let value = entity.columns[column.name] ?? .missing
                switch value {
                case .missing: break
                case .constant: added.append(MigratedColumn.EntityValue(number: entity.source.number, value: value))
                default: return nil
                }
            }
            columns.append(.added(column, added))
        }
        // A column that is left over is removed with its table, or later.
        let names = Set(destination.columns.map { $0.name.uppercased() })
        let mayStay = leavesUnusedColumns && unused.allSatisfy { !names.contains($0.uppercased()) }
        return unused.isEmpty || mayStay ? columns : nil
    }
}

extension SQLEntity {
    /// Whether a column has values of an attribute or a to-one relationship of the entity.
    fileprivate func hasProperty(inColumn name: String) -> Bool {
        func has(_ property: SQLProperty) -> Bool {
            switch property {
            case .attribute(let attribute): attribute.column.name == name
            case .composite(let composite): composite.attributes.contains { $0.column.name == name }
            case .toOne(let relationship):
                [relationship.column, relationship.entityColumn, relationship.orderColumn].contains { $0?.name == name }
            case .toMany: false
            }
        }
        return properties.values.contains(where: has)
    }
}
