import CoreDataModel
import CoreDataPredicates

/// How the rows of one table of the destination are made from the rows of a source table.
package struct TableMigration {
    /// An entity whose rows are migrated.
    package struct Entity {
        package let source: SQLEntity
        package let destination: SQLEntity
        /// By the names of the destination's columns.
        package let columns: [String: MigratedColumn]
    }

    let engine: any SQLMigrationEngine
    package let destination: SQLTable
    /// Nil for a table of new entities.
    package let source: SQLTable?
    package let entities: [Entity]
    /// Whether the source table's rows go into this table alone, or are removed.
    let isOnlyDestination: Bool
    /// Whether the columns that the destination doesn't have may stay in the table.
    let leavesUnusedColumns: Bool

    /// The numbers of the source's entities whose rows are not in this table afterwards.
    package var missingNumbers: [Int] {
        guard let source else { return [] }
        let kept = Set(entities.map(\.source.number))
        return source.entities.map(\.number).filter { !kept.contains($0) }
    }

    /// The values of a column, for rows of every entity.
    func value(of column: SQLColumn) -> MigratedColumn {
        switch column.kind {
        case .primaryKey, .version: return .column(column.name)
        case .entityNumber: return numbers
        default: break
        }
        let values = entities.map { $0.columns[column.name] ?? .missing }
        guard let first = values.first else { return .missing }
        if values.allSatisfy({ $0 == first }) { return first }
        let cases = zip(entities, values).filter { $1 != .missing }.map { entity, value in
            " WHEN \(entity.source.number) THEN \(value.sql(engine))"
        }
        return .expression("CASE Z_ENT\(cases.joined()) END", values.flatMap(\.bindings))
    }

    /// `Z_ENT`: the numbers of the destination's entities.
    private var numbers: MigratedColumn {
        let changed = entities.filter { $0.source.number != $0.destination.number }
        if changed.isEmpty { return .column("Z_ENT") }
        let cases = entities.map { " WHEN \($0.source.number) THEN \($0.destination.number)" }
        return .expression("CASE Z_ENT\(cases.joined()) END", [])
    }

    // MARK: In place

    /// A column that exists already, or is added to the table.
    package enum KeptColumn {
        /// The column with this name keeps its values, under the name of the destination's column.
        case existing(String, SQLColumn)
        /// A new column, with a value for the rows of some entities.
        case added(SQLColumn, [(number: Int, value: MigratedColumn)])
    }

    /// The columns if the table can stay as it is, but for added columns and other names; nil if its rows must be
    /// written again.
    package var keptColumns: [KeptColumn]? {
        guard let source, isOnlyDestination, numbers == .column("Z_ENT") else { return nil }
        var unused = Set(source.columns.map(\.name))
        var columns: [KeptColumn] = []
        for column in destination.columns {
            let value = value(of: column)
            if case .column(let name) = value {
                guard let old = source.column(named: name),
                    engine.declaration(of: old.kind) == engine.declaration(of: column.kind),
                    unused.remove(name) != nil
                else { return nil }
                columns.append(.existing(name, column))
                continue
            }
            var added: [(number: Int, value: MigratedColumn)] = []
            for entity in entities {
                switch entity.columns[column.name] ?? .missing {
                case .missing: break
                case .expression("?", let values):
                    added.append((entity.source.number, .expression("?", values)))
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
