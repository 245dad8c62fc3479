// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The present names of the source's tables, where they differ from their own.
struct PresentTableNames {
    private var byName: [String: String] = [:]
    /// The names of the tables that are removed in the end.
    private(set) var temporary: Set<String> = []

    subscript(name: String) -> String { byName[name] ?? name }

    /// A name for a table that doesn't stay.
    mutating func addTemporaryName(of name: String) -> String {
        let temporary = "\(SQLLightweightMigration.unusedPrefix)\(byName.count)"
        byName[name] = temporary
        self.temporary.insert(temporary)
        return temporary
    }

    /// Records that a table stays under a new name.
    mutating func keep(_ name: String, as new: String) {
        temporary.remove(self[name])
        byName[name] = new
    }
}

/// The steps that create, change and fill the tables of entities.
struct TableSteps {
    let migration: SQLLightweightMigration
    let dialect: any SQLMigrationDialect

    private func step(_ action: SQLMigrationAction, _ fragments: SQLFragment...) -> SQLMigrationStep {
        SQLMigrationStep(action, fragments.map(dialect.statement))
    }

    /// Renames each table that doesn't keep its name, and creates the new tables.
    func create(_ names: inout PresentTableNames) -> [SQLMigrationStep] {
        let (source, destination) = (migration.source, migration.destination)
        let keptNames = migration.keptNames
        var steps: [SQLMigrationStep] = []
        for name in source.tables.map(\.name) + source.joinTables.map(\.name)
        where !keptNames.contains(name) && !dialect.keepsName(ofUnusedTable: name, migration) {
            let temporary = names.addTemporaryName(of: name)
            steps.append(
                step(.renameTable(name, to: temporary), "ALTER TABLE \(dialect.table(name)) RENAME TO \(temporary)"))
        }
        steps += migration.tables.filter { !migration.isKept($0) }.map {
            SQLMigrationStep(
                .createTable($0.destination.name), dialect.createTable($0.destination, of: destination))
        }
        steps += destination.joinTables.filter { !migration.isKept($0) }.map {
            SQLMigrationStep(.createTable($0.name), dialect.createJoinTable($0, of: destination))
        }
        return steps
    }

    /// Writes the rows of a table, or changes the table in place.
    func fill(_ table: TableMigration, _ names: inout PresentTableNames) throws -> [SQLMigrationStep] {
        guard let old = table.source else { return [] }
        let (name, oldName) = (table.destination.name, names[old.name])
        guard let kept = table.keptColumns else { return [copyRows(of: table, from: oldName)] }
        var steps: [SQLMigrationStep] = []
        if dialect.table(oldName) != dialect.table(name) {
            steps.append(
                step(
                    .renameTable(oldName, to: name),
                    "ALTER TABLE \(dialect.table(oldName)) RENAME TO \(dialect.identifier(name))"))
            names.keep(old.name, as: name)
        }
        steps += try change(table.destination, kept)
        let missing = table.missingEntities
        if !missing.isEmpty {
            steps.append(
                step(
                    .deleteRows(table: name, entities: missing.map(\.name)),
                    "DELETE FROM \(dialect.table(name)) WHERE Z_ENT IN (\(Self.list(missing.map(\.number))))"))
        }
        return steps
    }

    private static func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }

    private func copyRows(of table: TableMigration, from oldName: String) -> SQLMigrationStep {
        let columns = table.destination.columns
        let names = columns.map { dialect.identifier($0.name) }.joined(separator: ", ")
        let values = SQLFragment(columns.map { table.value(of: $0).sql(dialect) }, separator: ", ")
        let name = table.destination.name
        return step(
            .copyRows(from: oldName, to: name, entities: table.entities.map(\.source.name)),
            """
            INSERT INTO \(dialect.table(name)) (\(names)) SELECT \(values) \
            FROM \(dialect.table(oldName)) WHERE Z_ENT IN (\(Self.list(table.entities.map(\.source.number))))
            """)
    }

    /// Adds and renames columns.
    private func change(_ table: SQLTable, _ columns: [TableMigration.KeptColumn]) throws -> [SQLMigrationStep] {
        var steps: [SQLMigrationStep] = []
        func rename(_ name: String, to new: String) {
            steps.append(
                step(
                    .renameColumn(name, to: new, table: table.name),
                    """
                    ALTER TABLE \(dialect.table(table.name)) RENAME COLUMN \(dialect.identifier(name)) \
                    TO \(dialect.identifier(new))
                    """))
        }
        // By way of names that no other column has: columns may have exchanged their names.
        var renamed: [(temporary: String, name: String)] = []
        for case .existing(let old, let column) in columns where old != column.name {
            let temporary = "\(SQLLightweightMigration.unusedPrefix)\(renamed.count)"
            rename(old, to: temporary)
            renamed.append((temporary, column.name))
        }
        for (temporary, name) in renamed { rename(temporary, to: name) }
        for case .added(let column, let values) in columns {
            steps.append(
                SQLMigrationStep(
                    .addColumn(column.name, table: table.name),
                    try dialect.addColumn(column, to: table, values: values)))
        }
        return steps
    }

    /// Reads the values of attributes whose external storage was switched off from their files.
    var readExternalData: [SQLMigrationStep] {
        migration.tables.flatMap { part in
            part.destination.columns.filter { column in
                part.entities.contains { $0.columns[column.name]?.hasFileNames ?? false }
            }.map { SQLMigrationStep(.readExternalData($0, table: part.destination), []) }
        }
    }
}
