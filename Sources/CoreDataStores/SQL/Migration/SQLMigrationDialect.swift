// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The engine-specific parts of a lightweight migration: texts of statements, and steps for features that only this
/// engine has. A dialect needs no database.
package protocol SQLMigrationDialect {
    var dialect: any SQLDialect { get }

    // MARK: Texts of statements

    /// A name as it stands in statements.
    func identifier(_ name: String) -> String

    /// The name of a table as it stands in statements.
    func table(_ name: String) -> String

    /// The type of a column as it stands in statements.
    func declaration(of kind: SQLStorageKind) -> String

    /// The values of one column, converted to values of another column. The inferred mapping model allows numbers of
    /// all types.
    func converted(_ source: SQLColumn, to destination: SQLColumn) -> MigratedColumn

    /// The value of an attribute as a value of a column; nil for a value that a column of the kind can't have.
    func value(_ value: Any, of kind: SQLStorageKind) -> SQLValue?

    func createTable(_ table: SQLTable, of schema: SQLSchema) -> String
    func createJoinTable(_ table: SQLJoinTable, of schema: SQLSchema) -> String

    // MARK: Tables

    /// Whether a table from whose columns some are left over can stay: they are removed without writing its rows again,
    /// or later.
    var keepsTablesWithUnusedColumns: Bool { get }

    /// Whether a table with columns of subentities can stay. Rows that are written again are checked for entities that
    /// the model doesn't have.
    var keepsTablesOfSubentities: Bool { get }

    /// Whether a table of the source that the destination doesn't use keeps its name.
    func keepsName(ofUnusedTable name: String, _ migration: SQLLightweightMigration) -> Bool

    /// Whether the tables that have got another name are removed at the end.
    func removesRenamedTables(_ migration: SQLLightweightMigration) -> Bool

    // MARK: Steps

    /// Removes the indexes and triggers that the new tables don't have.
    func dropIndexesAndTriggers(_ migration: SQLLightweightMigration) throws -> [SQLMigrationStep]

    /// Adds a column to a table that stays.
    ///
    /// - Parameter values: the value for the rows of each entity that has one.
    func addColumn(_ column: SQLColumn, to table: SQLTable, values: [MigratedColumn.EntityValue]) throws
        -> [SQLStatement]

    /// Removes the columns that are left over in tables which stay, or records that they are for later.
    func removeUnused(_ migration: SQLLightweightMigration) throws -> [SQLMigrationStep]

    /// Creates the indexes and triggers of the new tables that don't exist.
    func createIndexesAndTriggers(_ migration: SQLLightweightMigration) throws -> [SQLMigrationStep]

    /// Records the numbers of the entities and the keys that follow.
    ///
    /// - Parameter highestKeys: the highest keys of the source's hierarchies, by the number of the root entity.
    func recordEntities(_ migration: SQLLightweightMigration, highestKeys: [Int: Int64]) -> [SQLMigrationStep]
}

extension SQLMigrationDialect {
    func statement(_ fragment: SQLFragment) -> SQLStatement { fragment.statement(dialect) }
}
