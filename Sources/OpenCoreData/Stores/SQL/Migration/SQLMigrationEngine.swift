import CoreDataModel
import CoreDataPredicates

/// The services of an engine for a lightweight migration: an open transaction that runs statements, and the parts of a
/// store that each engine has in its own way.
///
/// Statements have the placeholder `?` for each value.
package protocol SQLMigrationEngine: AnyObject {
    var dialect: any SQLDialect { get }

    // MARK: Statements

    func run(_ sql: String, _ values: [SQLValue]) throws

    /// The first value of the first row; nil if there is no row, or the value is NULL.
    func integer(_ sql: String, _ values: [SQLValue]) throws -> Int64?

    // MARK: Texts of statements

    /// A name as it stands in statements.
    func identifier(_ name: String) -> String

    /// The name of a table as it stands in statements.
    func table(_ name: String) -> String

    /// The type of a column as it stands in statements.
    func declaration(of kind: SQLStorageKind) -> String

    /// The values of one column as values of another one. The inferred mapping model allows numbers of all types.
    func converted(_ source: SQLColumn, to destination: SQLColumn) -> MigratedColumn

    /// The value of an attribute as a value of a column; nil for what no column of the kind can have.
    func value(_ value: Any, of kind: SQLStorageKind) -> SQLValue?

    // MARK: The store

    /// Whether a table from whose columns some are left over can stay: they are removed without writing its rows again,
    /// or later.
    var keepsTablesWithUnusedColumns: Bool { get }

    /// Removes the indexes and triggers that the new tables don't have.
    func dropTriggersAndIndexes(_ migration: SQLLightweightMigration) throws

    func createTable(_ table: SQLTable, _ migration: SQLLightweightMigration) throws
    func createJoinTable(_ table: SQLJoinTable, _ migration: SQLLightweightMigration) throws

    /// Adds a column to a table that stays.
    ///
    /// - Parameter values: the value for the rows of each entity that has one, by the entity's number.
    func addColumn(_ column: SQLColumn, to table: SQLTable, values: [(number: Int, value: MigratedColumn)]) throws

    /// Whether a table of the source that the destination doesn't use keeps its name for the time being.
    func keepsName(ofUnusedTable name: String, _ migration: SQLLightweightMigration) -> Bool

    /// Removes a table of the source, or leaves it for later.
    func removeTable(_ name: String, _ migration: SQLLightweightMigration) throws

    /// Completes values that SQL can't make, when all rows are written.
    func completeValues(_ migration: SQLLightweightMigration) throws

    /// The value of a derived attribute for the row `S`; nil if the translator of expressions makes it.
    func derivedValue(_ derivation: SQLDerivation) -> String?

    /// Computes a derived attribute whose expression the engine's SQL can't express.
    func computeValues(of attribute: SQLAttribute, _ entity: SQLEntity, _ expression: NSExpression) throws

    /// Creates the indexes and triggers of the new tables that don't exist.
    ///
    /// - Throws: `NSMigrationConstraintViolationError` (134111), by
    ///   ``SQLLightweightMigration/constraintViolation(of:index:_:)``.
    func createIndexesAndTriggers(_ migration: SQLLightweightMigration) throws

    /// The highest key ever given to an object of an entity hierarchy.
    func highestKey(of table: SQLTable) throws -> Int64

    /// Writes the numbers of the entities and the keys that follow.
    ///
    /// - Parameter highest: the highest keys of the source's hierarchies, by the number of the root entity.
    func writeEntities(_ migration: SQLLightweightMigration, highestKeys: [Int: Int64]) throws

    /// An error that says why a store can't be migrated.
    func error(_ code: Int, reason: String, suggestion: String, userInfo: [String: Any]) -> NSError
}

extension SQLMigrationEngine {
    package func run(_ sql: String) throws { try run(sql, []) }
    package func integer(_ sql: String) throws -> Int64? { try integer(sql, []) }
}
