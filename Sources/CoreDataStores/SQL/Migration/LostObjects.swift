// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The objects that a lightweight migration deletes: those of entities that the new model doesn't have.
///
/// Core Data deletes them without a question. A program that opens a store with the wrong model loses all of them so:
/// a warning in the log tells how many.
struct LostObjects {
    /// The entities without a successor, with a query for the number of their objects.
    private let queries: [(entity: String, query: SQLStatement)]

    init(_ migration: SQLLightweightMigration, _ dialect: any SQLMigrationDialect) {
        let kept = Set(migration.destination.entities.compactMap { migration.columns.sourceEntity(of: $0)?.name })
        queries = migration.source.entities.filter { !kept.contains($0.name) }.sortedBytewise(by: \.name).map {
            let query: SQLFragment = """
                SELECT COUNT(*) FROM \(dialect.table($0.tableName)) WHERE Z_ENT = \(number: $0.number)
                """
            return ($0.name, dialect.statement(query))
        }
    }

    /// Writes a warning into the log if there are such objects.
    ///
    /// - Throws: the errors of the engine.
    func warn(of executor: any SQLMigrationExecutor) throws {
        let counts = try queries.map { ($0.entity, try executor.integer($0.query) ?? 0) }.filter { $0.1 > 0 }
        if counts.isEmpty { return }
        CoreDataLog.warning(
            """
            The migration of \(executor.storeName) deletes the objects of entities that the new model doesn't have: \
            \(counts.map { "\($0.0) (\($0.1))" }.joined(separator: ", ")). If they are needed, the store was opened \
            with the wrong model.
            """)
    }
}
