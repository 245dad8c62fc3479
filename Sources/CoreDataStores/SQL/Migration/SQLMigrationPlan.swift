// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The steps of a lightweight migration, in order. Making them needs no database.
package struct SQLMigrationPlan {
    /// Steps that the log measures together.
    struct Phase {
        let title: String
        let steps: [SQLMigrationStep]
        /// How much work the phase is, in proportion to the others; nil for a phase after which no progress is told.
        var size: Float?
    }

    let phases: [Phase]
    private let migration: SQLLightweightMigration
    private let dialect: any SQLMigrationDialect

    package var steps: [SQLMigrationStep] { phases.flatMap(\.steps) }

    /// The number before and after the migration of each entity that stays.
    var entityNumbers: [(source: Int, destination: Int)] {
        migration.tables.flatMap { $0.entities.map { ($0.source.number, $0.destination.number) } }
    }

    /// Plans a migration.
    ///
    /// - Parameters:
    ///   - migration: the source of each table and column.
    ///   - dialect: the texts of the store's engine.
    ///   - highestKeys: the highest keys ever given to objects of the source's hierarchies, by the number of the root
    ///     entity.
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` (134020) for a partial index whose predicate can't be
    ///   written in SQL, and the errors of a derivation that can't be translated.
    package init(
        _ migration: SQLLightweightMigration, _ dialect: any SQLMigrationDialect, highestKeys: [Int: Int64]
    ) throws {
        self.migration = migration
        self.dialect = dialect
        var names = PresentTableNames()
        let checks = MigrationChecks(migration: migration, dialect: dialect).steps
        let tables = TableSteps(migration: migration, dialect: dialect)
        let creation = try dialect.dropIndexesAndTriggers(migration) + tables.create(&names)
        var phases = [
            Phase(title: "check the values", steps: checks),
            Phase(title: "drop triggers and indexes, create tables", steps: creation),
        ]
        for table in migration.tables {
            guard let source = table.source else { continue }
            let rows = Float(highestKeys[source.root.number] ?? 1)
            phases.append(
                Phase(
                    title: "table \(table.destination.name)", steps: try tables.fill(table, &names),
                    size: migration.isKept(table) ? 1 : max(1, rows)))
        }
        let relationships = RelationshipSteps(migration: migration, dialect: dialect, names: names)
        let drops =
            dialect.removesRenamedTables(migration)
            ? names.temporary.sorted().map {
                SQLMigrationStep(.dropTable($0), "DROP TABLE \(dialect.table($0))")
            } : []
        phases.append(Phase(title: "relationships", steps: relationships.fill + drops + relationships.clear))
        phases.append(
            Phase(
                title: "external data and derived attributes",
                steps: try tables.readExternalData + dialect.removeUnused(migration)
                    + DerivedValueSteps(migration: migration, dialect: dialect).steps()))
        phases.append(Phase(title: "indexes and triggers", steps: try dialect.createIndexesAndTriggers(migration)))
        phases.append(
            Phase(title: "entities", steps: dialect.recordEntities(migration, highestKeys: highestKeys)))
        self.phases = phases
    }

    // MARK: Executing

    /// The part of the work that the rows of the tables are; the rest are relationships and indexes.
    private static let partOfTables: Float = 0.7

    /// Executes the steps.
    ///
    /// - Parameters:
    ///   - executor: the engine of the store, with an open transaction that can write.
    ///   - progress: called with the part that is done, from 0 to 1, after each table. An error ends the migration.
    /// - Throws: `NSMigrationConstraintViolationError` (134111) for rows that violate a uniqueness constraint,
    ///   `NSMigrationError` (134110) for values that don't fit, and the engine's errors. The caller rolls back.
    package func run(on executor: any SQLMigrationExecutor, progress: (Float) throws -> Void = { _ in }) throws {
        let counts = try MigratedRowCounts(migration, dialect, executor)
        counts.warnOfLosses(executor)
        for line in migration.summary { MigrationLog.write(line) }
        let size = max(1, phases.reduce(0) { $0 + ($1.size ?? 0) })
        var done: Float = 0
        for phase in phases {
            try MigrationLog.step(phase.title) { for step in phase.steps { try executor.execute(step) } }
            guard let part = phase.size else { continue }
            done += part
            try progress(Self.partOfTables * done / size)
        }
        try counts.check(executor)
        try progress(1)
    }
}

/// An engine that executes the steps of a lightweight migration, in an open transaction.
package protocol SQLMigrationExecutor {
    /// The path or URL of the store, for messages.
    var storeName: String { get }

    func run(_ statement: SQLStatement) throws

    /// The first value of the first row; nil if there is no row, or the value is NULL.
    func integer(_ statement: SQLStatement) throws -> Int64?

    /// The rows of a statement with a number, which may be NULL, and a count.
    func counts(_ statement: SQLStatement) throws -> [(number: Int?, count: Int64)]

    /// Puts the contents of files of external data in the place of their names.
    func readExternalData(of column: SQLColumn, in table: SQLTable) throws

    /// The rows of a select of a plan's columns.
    func rows(_ plan: RowPlan, _ select: SQLStatement) throws -> RowList

    /// Writes values of a column into the rows of some keys.
    func write(_ values: [(key: Int64, value: SQLValue)], to column: SQLColumn, of table: SQLTable) throws

    /// Whether an error says that rows violate a unique index.
    func isUniqueViolation(_ error: any Error) -> Bool

    /// An error that says why a store can't be migrated.
    func error(_ code: Int, reason: String, suggestion: String, userInfo: [String: Any]) -> NSError
}

extension SQLMigrationExecutor {
    fileprivate func execute(_ step: SQLMigrationStep) throws {
        switch step.action {
        case .check(let check):
            for statement in step.statements {
                if let key = try integer(statement) { throw check.violation(by: key, self) }
            }
        case .readExternalData(let column, let table): try readExternalData(of: column, in: table)
        case .computeInProcess(let column): try column.write(on: self)
        case .createIndex(let table):
            for statement in step.statements {
                do {
                    try run(statement)
                } catch  where isUniqueViolation(error) {
                    throw constraintViolation(of: table, index: statement.text, error)
                }
            }
        default: for statement in step.statements { try run(statement) }
        }
    }

    /// The error of a uniqueness constraint that rows violate.
    ///
    /// - Parameters:
    ///   - table: the table with the rows.
    ///   - index: the statement that creates the index.
    ///   - cause: the error of the engine.
    private func constraintViolation(of table: SQLTable, index: String, _ cause: any Error) -> NSError {
        let constraints = table.entities.flatMap { entity in
            entity.uniquenessConstraints.map { (entity.name, $0.names) }
        }
        let violated = constraints.first { index.contains("Z_\($0.0)_UNIQUE_\($0.1.joined(separator: "_"))") }
        let (entity, names) = violated ?? (table.root.name, [])
        return error(
            NSMigrationConstraintViolationError,
            reason: """
                Some objects of \(entity) have the same values of \(names.joined(separator: ", ")), which are unique \
                in the new model.
                """,
            suggestion: "Make the values differ with the old model.",
            userInfo: ["entity": entity, NSUnderlyingErrorKey: cause])
    }
}
