// SPDX-License-Identifier: Apache-2.0

/// The tables that are in the schema of a store, by their names on the server.
struct PostgreSQLStoredTables {
    /// The columns of each table, in their order.
    let columns: [String: [String]]

    init(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws {
        // The views of information_schema look at all schemas of the database, which takes long where there are many.
        let result = try connection.execute(
            """
            SELECT c.relname::text, a.attname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid \
            WHERE c.relnamespace = to_regnamespace($1) AND c.relkind IN ('r', 'p', 'v', 'f') \
            AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum
            """, PostgreSQLParameters([.text(dialect.schemaText)]))
        columns = Dictionary(grouping: result.map { ($0.text(0), $0.text(1)) }, by: \.0).mapValues { $0.map(\.1) }
    }

    /// The tables that a model requires and the schema lacks, and such columns of its other tables.
    func missing(of schema: SQLSchema) -> [MissingSchemaPart] {
        schema.missingParts(in: columns.mapValues(Set.init), stored: PostgreSQLStoreOpener.stored)
    }
}
