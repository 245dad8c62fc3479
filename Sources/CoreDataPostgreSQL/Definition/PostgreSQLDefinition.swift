// SPDX-License-Identifier: Apache-2.0

/// The SQL that creates the tables, indexes and functions of a store in a schema.
struct PostgreSQLDefinition {
    let schema: SQLSchema
    let dialect: PostgreSQLDialect
    /// The name of the schema of the database.
    let name: String

    init(_ schema: SQLSchema, name: String, cluster: PostgreSQLCluster = .none) {
        self.schema = schema
        self.name = name
        dialect = PostgreSQLDialect(schema: name, cluster: cluster)
    }

    /// All statements, in order.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` (134020) for a partial index whose predicate can't be
    ///   written in SQL.
    func statements() throws -> [String] {
        var statements = functions + PostgreSQLCatalog.tables(dialect)
        for table in schema.tables {
            statements.append(createTable(table))
            statements.append(createSequence(table))
        }
        statements += schema.joinTables.map(createJoinTable)
        for table in schema.tables { statements += try indexes(of: table).map(\.statement) }
        statements += triggerFunctions.flatMap(\.statements)
        return statements
    }

    // MARK: Tables

    func createTable(_ table: SQLTable) -> String {
        let columns = table.columns.map { "\(SQLGenerator.identifier($0.name)) \($0.kind.postgreSQLDeclaration)" }
        return "CREATE TABLE \(dialect.table(table.name)) (\(columns.joined(separator: ", ")))"
    }

    /// The keys of an entity hierarchy.
    func createSequence(_ table: SQLTable) -> String {
        "CREATE SEQUENCE \(dialect.table(Self.sequence(table.name))) AS bigint"
    }

    static func sequence(_ table: String) -> String {
        PostgreSQLName.shortened("\(PostgreSQLStoreOpener.stored(table))_keys")
    }

    func createJoinTable(_ table: SQLJoinTable) -> String {
        let keys = [table.ownerColumn, table.destinationColumn].map(SQLGenerator.identifier)
        let columns = table.columns.map { name in
            let isKey = name == table.ownerColumn || name == table.destinationColumn
            return "\(SQLGenerator.identifier(name)) bigint\(isKey ? " NOT NULL" : "")"
        }
        return """
            CREATE TABLE \(dialect.table(table.name)) (\(columns.joined(separator: ", ")), \
            PRIMARY KEY (\(keys.joined(separator: ", "))))
            """
    }
}

extension SQLStorageKind {
    /// The type in `CREATE TABLE`.
    var postgreSQLDeclaration: String {
        switch self {
        case .primaryKey: "bigint PRIMARY KEY"
        case .entityNumber, .version: "integer NOT NULL"
        // The order of bytes, which no update of the server's libraries changes.
        case .string, .uri: "text COLLATE \"C\""
        default: PostgreSQLType(self).name
        }
    }
}
