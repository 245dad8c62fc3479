// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Counts the rows of each entity before and after a lightweight migration: all rows that the mapping doesn't delete
/// must be there afterwards.
///
/// Tables whose rows are neither copied nor deleted aren't counted.
struct MigratedRowCounts {
    private let migration: SQLLightweightMigration
    private let dialect: any SQLMigrationDialect
    /// The number of rows by entity of the source.
    private var counts: [Int: Int64] = [:]

    /// Counts the rows before the first step.
    ///
    /// - Throws: `NSMigrationError` (134110) for rows of an entity that their table doesn't have, the errors of the
    ///   engine.
    init(
        _ migration: SQLLightweightMigration, _ dialect: any SQLMigrationDialect, _ executor: any SQLMigrationExecutor
    ) throws {
        self.migration = migration
        self.dialect = dialect
        let stays = migration.tables.filter { Self.stays($0, migration) }.compactMap { $0.source?.name }
        for table in migration.source.tables where !stays.contains(table.name) {
            let numbers = Set(table.entities.map(\.number))
            for (number, count) in try executor.counts(statement(table)) {
                guard let number, numbers.contains(number) else {
                    throw unknownRows(count, number, table, executor)
                }
                counts[number] = count
            }
        }
    }

    private static func stays(_ table: TableMigration, _ migration: SQLLightweightMigration) -> Bool {
        migration.isKept(table) && table.missingEntities.isEmpty
    }

    private func statement(_ table: SQLTable) -> SQLStatement {
        dialect.statement(
            "SELECT CAST(Z_ENT AS BIGINT), COUNT(*) FROM \(dialect.table(table.name)) GROUP BY Z_ENT ORDER BY Z_ENT")
    }

    /// Counts the rows after the last step.
    ///
    /// - Throws: `NSMigrationError` (134110) if some are missing, or too many, the errors of the engine.
    func check(_ executor: any SQLMigrationExecutor) throws {
        for part in migration.tables where part.source != nil && !Self.stays(part, migration) {
            var found: [Int?: Int64] = [:]
            for (number, count) in try executor.counts(statement(part.destination)) { found[number] = count }
            for entity in part.entities {
                let expected = counts[entity.source.number] ?? 0
                let actual = found.removeValue(forKey: entity.destination.number) ?? 0
                guard actual == expected else { throw difference(entity.source.name, expected, actual, executor) }
            }
            if let (_, count) = found.first { throw difference(part.destination.root.name, 0, count, executor) }
        }
    }

    /// Writes a warning into the log about the objects that the migration deletes: the objects of entities that the new
    /// model doesn't have.
    ///
    /// Core Data deletes these objects without a question. A program that opens a store with the wrong model loses all
    /// of them.
    func warnOfLosses(_ executor: any SQLMigrationExecutor) {
        let lost = migration.source.entities.sortedBytewise(by: \.name).compactMap { entity -> String? in
            guard !migration.columns.keptNumbers.contains(entity.number), let count = counts[entity.number] else {
                return nil
            }
            return "\(entity.name) (\(count))"
        }
        if lost.isEmpty { return }
        CoreDataLog.warning(
            """
            The migration of \(executor.storeName) deletes the objects of entities that the new model doesn't have: \
            \(lost.joined(separator: ", ")). If they are needed, the store was opened with the wrong model.
            """)
    }

    // MARK: Errors

    private func unknownRows(
        _ count: Int64, _ number: Int?, _ table: SQLTable, _ executor: any SQLMigrationExecutor
    ) -> NSError {
        executor.error(
            NSMigrationError,
            reason: """
                The table \(table.name) has \(Wording.count(Int(count), "row")) whose Z_ENT is \
                \(number.map(String.init) ?? "empty"): it is no entity of the table.
                """,
            suggestion: "Correct the rows, or delete them: \u{201c}coredata store doctor\u{201d} lists them.",
            userInfo: ["entity": table.root.name])
    }

    private func difference(
        _ entity: String, _ expected: Int64, _ actual: Int64, _ executor: any SQLMigrationExecutor
    ) -> NSError {
        executor.error(
            NSMigrationError,
            reason: """
                The store has \(Wording.count(Int(expected), "object")) of \(entity), and \(actual) after the migration.
                """,
            suggestion: "The store is as before. Migrate it with a mapping model, and report this as a mistake.",
            userInfo: ["entity": entity])
    }
}
