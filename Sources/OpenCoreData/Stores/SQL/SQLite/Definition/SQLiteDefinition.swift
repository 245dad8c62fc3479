import CoreDataModel
import CoreDataPredicates

/// The SQL text that makes a new store's tables, indexes and triggers, exactly as Apple's framework writes it.
package struct SQLiteDefinition {
    let schema: SQLSchema

    package init(_ schema: SQLSchema) {
        self.schema = schema
    }

    /// All statements in order of creation.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` (134020) for a partial index whose predicate can't be
    ///   written in a definition.
    package func statements() throws -> [String] {
        var statements: [String] = []
        for table in schema.tables {
            statements.append(createTable(table))
            for entity in table.entities {
                statements += schema.joinTables(namedBy: entity).map(createJoinTable)
            }
        }
        statements += schema.entities.flatMap(boxIndexes).map(createBoxIndex)
        for table in schema.tables { statements += try createIndexes(of: table) }
        statements += schema.entities.flatMap(boxIndexes).flatMap(boxTriggers)
        statements += schema.entities.flatMap(derivedAttributeTriggers)
        statements += Self.systemTables
        return statements
    }

    package static let systemTables = [
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
    ]

    package func createTable(_ table: SQLTable) -> String {
        let columns = table.columns.map { "\(SQLiteText.identifier($0.name)) \($0.declaredType)" }
        return "CREATE TABLE \(SQLiteText.identifier(table.name)) ( \(columns.joined(separator: ", ")) )"
    }

    package func createJoinTable(_ table: SQLJoinTable) -> String {
        let columns = table.columns.map { "\(SQLiteText.identifier($0)) INTEGER" }.joined(separator: ", ")
        let (owner, content) = (
            SQLiteText.identifier(table.ownerColumn), SQLiteText.identifier(table.destinationColumn)
        )
        return "CREATE TABLE \(SQLiteText.identifier(table.name)) ( \(columns), PRIMARY KEY (\(owner), \(content)) )"
    }
}
