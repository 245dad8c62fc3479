// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The texts and steps of lightweight migrations in SQLite.
struct SQLiteMigrationDialect: SQLMigrationDialect {
    /// An index or a trigger in a file, with its text.
    struct StoredObject {
        let type: String
        let name: String
        let table: String
        /// Nil for an index that belongs to its table.
        let text: String?
    }

    /// The indexes and triggers of the file.
    let storedObjects: [StoredObject]

    var dialect: any SQLDialect { SQLiteDialect() }
    // A table in the file has the same columns as Apple's framework would make, so a table with unused columns is
    // written again without them.
    var keepsTablesWithUnusedColumns: Bool { false }
    // A file may come from anywhere, and no older program goes on with it.
    var keepsTablesOfSubentities: Bool { false }

    // MARK: Texts of statements

    func identifier(_ name: String) -> String { SQLiteText.identifier(name) }
    func table(_ name: String) -> String { SQLiteText.identifier(name) }
    func declaration(of kind: SQLStorageKind) -> String { kind.declaredType }

    func converted(_ source: SQLColumn, to destination: SQLColumn) -> MigratedColumn {
        let column = SQLiteText.identifier(source.name)
        switch (source.kind, destination.kind) {
        case (.binary, .externalBinary):
            // The mark of a value in the column itself; a reader accepts it for values of any size.
            return .expression("CAST(x'01' || \(column) AS BLOB)")
        case (.externalBinary, .binary):
            // A value in a file has the mark 2.
            return .inlined("CASE WHEN SUBSTR(\(column), 1, 1) = x'01' THEN SUBSTR(\(column), 2) ELSE \(column) END")
        case (let from, .boolean) where from.isNumber && from != .boolean:
            return .expression("\(column) <> 0")
        case (.double, let to), (.float, let to), (.decimal, let to):
            if to.isInteger { return .expression("CAST(\(column) AS INTEGER)") }
            if source.kind == .decimal, to == .double || to == .float {
                return .expression("CAST(\(column) AS REAL)")
            }
            return .column(source.name)
        case (let from, .double) where from.isInteger || from == .boolean,
            (let from, .float) where from.isInteger || from == .boolean:
            return .expression("CAST(\(column) AS REAL)")
        default:
            return .column(source.name)
        }
    }

    func value(_ value: Any, of kind: SQLStorageKind) -> SQLValue? {
        // The mark of a value in the column itself.
        if kind == .externalBinary { return (value as? Data).map { .bytes(Data([1]) + $0) } }
        return kind.migratedValue(value)
    }

    func createTable(_ table: SQLTable, of schema: SQLSchema) -> String {
        SQLiteDefinition(schema).createTable(table)
    }

    func createJoinTable(_ table: SQLJoinTable, of schema: SQLSchema) -> String {
        SQLiteDefinition(schema).createJoinTable(table)
    }

    // MARK: Tables

    func keepsName(ofUnusedTable name: String, _ migration: SQLLightweightMigration) -> Bool { false }

    func removesRenamedTables(_ migration: SQLLightweightMigration) -> Bool { !migration.isDeferred }

    func addColumn(_ column: SQLColumn, to table: SQLTable, values: [MigratedColumn.EntityValue]) throws
        -> [SQLStatement]
    {
        let (rows, name) = (SQLiteText.identifier(table.name), SQLiteText.identifier(column.name))
        let addition: SQLFragment = "ALTER TABLE \(rows) ADD COLUMN \(name) \(column.kind.declaredType)"
        let updates = values.map { entity -> SQLFragment in
            "UPDATE \(rows) SET \(name) = \(entity.value.sql(self)) WHERE Z_ENT = \(number: entity.number)"
        }
        return ([addition] + updates).map(statement)
    }

    func removeUnused(_ migration: SQLLightweightMigration) -> [SQLMigrationStep] { [] }

    // MARK: Indexes and triggers

    /// Drops all triggers, R-trees, and the indexes that the destination doesn't have.
    func dropIndexesAndTriggers(_ migration: SQLLightweightMigration) throws -> [SQLMigrationStep] {
        let trees = SQLiteDefinition(migration.source).allRTreeIndexes
        let owned = Set(
            (migration.source.tables.map(\.name) + migration.source.joinTables.map(\.name) + trees.map(\.name))
                .map { $0.uppercased() })
        let kept = Set(try keptIndexes(migration).map(\.name))
        return storedObjects.compactMap { object in
            guard owned.contains(object.table.uppercased()) else { return nil }
            let name = SQLiteText.identifier(object.name)
            switch object.type {
            case "trigger": return SQLMigrationStep(.dropTrigger(object.name), "DROP TRIGGER \(name)")
            case "index" where object.text != nil && !kept.contains(object.name):
                return SQLMigrationStep(.dropIndex(object.name), "DROP INDEX \(name)")
            default: return nil
            }
        }
            + trees.map {
                SQLMigrationStep(.dropTable($0.name), "DROP TABLE IF EXISTS \(SQLiteText.identifier($0.name))")
            }
    }

    /// The indexes of the file that the destination has too, on tables that stay. SQLite changes the text of an index
    /// whose table or column gets another name.
    private func keptIndexes(_ migration: SQLLightweightMigration) throws -> [StoredObject] {
        let definition = SQLiteDefinition(migration.destination)
        let wanted = Set(try migration.destination.tables.flatMap { try definition.createIndexes(of: $0) })
        var tables = Set(migration.keptNames.map { $0.uppercased() })
        for table in migration.tables {
            for case .existing(let name, let column) in table.keptColumns ?? [] where name != column.name {
                tables.remove(table.destination.name.uppercased())
            }
        }
        return storedObjects.filter { object in
            object.type == "index" && tables.contains(object.table.uppercased())
                && object.text.map(wanted.contains) ?? false
        }
    }

    func createIndexesAndTriggers(_ migration: SQLLightweightMigration) throws -> [SQLMigrationStep] {
        let definition = SQLiteDefinition(migration.destination)
        let existing = Set(try keptIndexes(migration).compactMap(\.text))
        var steps: [SQLMigrationStep] = []
        for tree in definition.allRTreeIndexes {
            steps.append(
                SQLMigrationStep(
                    .createTable(tree.name),
                    [definition.createRTreeIndex(tree), definition.fillRTreeIndex(tree)].map {
                        SQLStatement(text: $0, bindings: [])
                    }))
        }
        for table in migration.destination.tables {
            for text in try definition.createIndexes(of: table) where !existing.contains(text) {
                steps.append(SQLMigrationStep(.createIndex(table: table), text))
            }
        }
        return steps + definition.triggers.map { SQLMigrationStep(.createTrigger(table: nil), $0) }
    }

    // MARK: Keys

    func recordEntities(_ migration: SQLLightweightMigration, highestKeys: [Int: Int64]) -> [SQLMigrationStep] {
        // The entries of entities that no model has go too: a new entity may have such a name.
        let deletion: SQLFragment = """
            DELETE FROM Z_PRIMARYKEY WHERE Z_ENT <= \(number: SQLiteEntityNumbers.range.upperBound)
            """
        let insertions = migration.tables.flatMap { table in
            table.destination.entities.map { entity -> SQLFragment in
                let isRoot = entity === table.destination.root
                let highest = isRoot ? table.source.flatMap { highestKeys[$0.root.number] } ?? 0 : 0
                return """
                    INSERT OR REPLACE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES \
                    (\(number: entity.number), \(value: .text(entity.name)), \
                    \(number: entity.superentity?.number ?? 0), \(value: .integer(highest)))
                    """
            }
        }
        return [SQLMigrationStep(.recordEntities, ([deletion] + insertions).map(statement))]
    }
}
