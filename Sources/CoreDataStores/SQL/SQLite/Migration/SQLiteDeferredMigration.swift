// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The deferred cleanup of a lightweight migration: it removes the unused columns and tables.
struct SQLiteDeferredMigration {
    /// A connection with a write transaction.
    let connection: SQLiteConnection
    /// The schema of the file.
    let schema: SQLSchema

    /// The parts of the work, each of which removes a table or a column.
    func steps() throws -> [SQLMigrationStep] {
        let present = try connection.tables()
        let tables = present.keys.filter { $0.hasPrefix(SQLLightweightMigration.unusedPrefix) }.sorted()
        let columns = schema.tables.flatMap { table -> [(table: String, column: String)] in
            let used = Set(table.columns.map { $0.name.uppercased() })
            let found = present.first { $0.key.uppercased() == table.name.uppercased() }
            return (found?.value ?? []).filter { !used.contains($0.uppercased()) }.map { (table.name, $0) }
        }
        return tables.map { SQLMigrationStep(.dropTable($0), "DROP TABLE \(SQLiteText.identifier($0))") }
            + columns.map { table, column in
                SQLMigrationStep(
                    .dropColumn(column, table: table),
                    "ALTER TABLE \(SQLiteText.identifier(table)) DROP COLUMN \(SQLiteText.identifier(column))")
            }
    }

    func run(_ steps: some Sequence<SQLMigrationStep>) throws {
        for statement in steps.flatMap(\.statements) { try connection.uncachedStatement(statement.text).run() }
    }

    /// Whether the metadata of a file say that there is work.
    static func isPending(_ metadata: SQLiteStoreMetadata) -> Bool {
        let value = metadata.dictionary[NSPersistentStoreDeferredLightweightMigrationOptionKey]
        return (value as? NSNumber)?.boolValue ?? false
    }
}

extension SQLiteDatabase {
    /// Does parts of the work that a migration has left.
    ///
    /// - Parameter tasks: the greatest number of parts.
    /// - Returns: whether no work is left.
    package func finishDeferredMigration(tasks: Int) throws -> Bool {
        for _ in 0..<tasks {
            let isFinished = try withOpen { open in
                // Each part is a transaction, so that other processes don't wait for all.
                try MigrationLog.step("Deferred work of \(open.file.path)") {
                    try open.withWriteTransaction { () -> Bool in
                        let work = SQLiteDeferredMigration(connection: open.connection, schema: open.schema)
                        let steps = try work.steps()
                        try work.run(steps.prefix(1))
                        guard steps.count <= 1 else { return false }
                        let stored = try SQLiteStoreMetadata.read(on: open.connection)
                        var dictionary = stored.dictionary
                        dictionary[NSPersistentStoreDeferredLightweightMigrationOptionKey] = nil
                        try SQLiteStoreMetadata(identifier: stored.identifier, dictionary: dictionary)
                            .write(on: open.connection)
                        return true
                    }
                }
            }
            if isFinished { return true }
        }
        return false
    }

    /// Gives the space back that the work has freed, in parts.
    package func giveBackFreePages() throws {
        guard try withOpen({ $0.connection.hasManyFreePages }) else { return }
        while try withOpen({ $0.connection.giveBackSomeFreePages() }) {}
    }
}
