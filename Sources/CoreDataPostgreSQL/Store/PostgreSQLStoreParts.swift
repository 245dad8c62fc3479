// SPDX-License-Identifier: Apache-2.0

/// The objects of the database that a store consists of.
///
/// A removal drops only these objects. If objects of other programs depend on them, such as views and foreign keys in
/// other schemas, the removal fails. Indexes, triggers and the like are dropped with their tables.
struct PostgreSQLStoreParts {
    private let connection: PostgreSQLConnection
    private let dialect: PostgreSQLDialect
    private let tables: [String]
    private let sequences: [String]
    /// With the types of their parameters, as they stand in statements.
    private let functions: [String]

    private static let systemTables = PostgreSQLCatalog.tableNames + ["z_transaction", "z_change", "z_history"]

    /// Finds the objects.
    init(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws {
        func names(_ text: String) throws -> [String] {
            let result = try connection.execute(text, PostgreSQLParameters([.text(dialect.schemaText)]))
            return result.map { $0.text(0) }
        }
        // Tables of entities have the three columns of Core Data; join tables have two keys, and names with a number. A
        // name with a letter outside of ASCII is in quotes, and so in upper case.
        let tables = try names(
            """
            SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = to_regnamespace($1) AND c.relkind = 'r' \
            AND (c.relname IN (\(Self.systemTables.map { "'\($0)'" }.joined(separator: ", "))) \
            OR 3 = (SELECT COUNT(*) FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attisdropped \
            AND a.attname IN ('z_pk', 'z_ent', 'z_opt')) \
            OR c.relname ~* '^z_[0-9]' AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid \
            AND a.attnum > 0 AND NOT a.attisdropped \
            AND (a.atttypid <> 'bigint'::regtype OR a.attname !~* '^(z_|reflexive$)'))) \
            ORDER BY 1
            """)
        sequences = try names(
            """
            SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = to_regnamespace($1) AND c.relkind = 'S' \
            ORDER BY 1
            """
        ).filter { sequence in
            tables.contains { PostgreSQLStoreOpener.stored(PostgreSQLDefinition.sequence($0)) == sequence }
        }
        // The name has its schema if that isn't searched.
        functions = try names(
            """
            SELECT p.oid::regprocedure::text FROM pg_proc p WHERE p.pronamespace = to_regnamespace($1) \
            AND (p.proname LIKE 'z\\_da\\_%' OR p.proname LIKE 'z\\_nd\\_%' OR p.proname LIKE 'z\\_maybe\\_%' \
            OR p.proname IN ('z_utf16_length', 'z_text_equal', 'z_text_begins', \
            'z_text_ends', 'z_text_contains', 'z_reserve_keys')) ORDER BY 1
            """)
        self.connection = connection
        self.dialect = dialect
        self.tables = tables
    }

    private func quoted(_ name: String) -> String { dialect.schemaText + "." + PostgreSQLDialect.quoted(name) }

    /// The statements that drop the objects, and nothing beside them. One statement drops all tables, and one all
    /// functions: they may depend on each other.
    var dropStatements: [String] {
        func drop(_ kind: String, _ names: [String]) -> [String] {
            names.isEmpty ? [] : ["DROP \(kind) \(names.joined(separator: ", "))"]
        }
        return drop("TABLE", tables.map(quoted)) + drop("SEQUENCE", sequences.map(quoted))
            + drop("FUNCTION", functions)
    }

    // MARK: What depends on them

    /// The most names in an error.
    private static let nameLimit = 100

    /// Checks that the objects can be dropped alone, before a store that is open is closed for it.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) with the names of what depends on them.
    func checkRemovable() throws {
        let names = try dependents()
        guard !names.isEmpty else { return }
        let url = connection.location.publicURL
        throw CoreDataErrors.error(
            NSPersistentStoreOperationError,
            "The store \u{201c}\(url.absoluteString)\u{201d} can\u{2019}t be removed.",
            reason: "Other objects of the database depend on its tables: \(names.joined(separator: ", ")).",
            suggestion: "Drop these objects first, or have their owner do it.", userInfo: [NSURLErrorKey: url])
    }

    /// Descriptions of the objects that depend on the store's and aren't parts of them, as the server has them.
    private func dependents() throws -> [String] {
        // The types of dependencies: a part goes with its owner ('a', 'i', 'P', 'S'), any other object ('n') stays.
        let result = try connection.execute(
            """
            WITH RECURSIVE part(class, object) AS (\
            SELECT 'pg_class'::regclass::oid, unnest($1::text[])::regclass::oid \
            UNION ALL SELECT 'pg_proc'::regclass::oid, unnest($2::text[])::regprocedure::oid \
            UNION SELECT d.classid, d.objid FROM pg_depend d \
            JOIN part p ON d.refclassid = p.class AND d.refobjid = p.object WHERE d.deptype IN ('a', 'i', 'P', 'S')) \
            SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid) FROM pg_depend d \
            JOIN part p ON d.refclassid = p.class AND d.refobjid = p.object \
            WHERE d.deptype = 'n' AND NOT EXISTS (SELECT FROM part o WHERE o.class = d.classid AND o.object = d.objid) \
            ORDER BY 1 LIMIT \(Self.nameLimit)
            """,
            PostgreSQLParameters([
                .list((tables + sequences).map { .text(quoted($0)) }), .list(functions.map { .text($0) }),
            ]))
        return result.map { $0.text(0) }
    }
}
