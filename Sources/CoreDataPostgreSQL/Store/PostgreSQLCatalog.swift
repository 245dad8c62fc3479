// SPDX-License-Identifier: Apache-2.0

/// The part of a store that outlives a version of its model: the numbers of its entities, the positions of properties
/// in the history, and the models that programs may use.
///
/// The newest model made the tables. A program with an older model that is still accepted finds all of its model's
/// tables and columns there.
struct PostgreSQLCatalog: Sendable {
    /// A version of the model that the store accepts.
    struct Model: Sendable {
        /// Grows with each migration.
        let number: Int
        /// The version hashes, as ``PostgreSQLCatalog/text(of:)`` writes them.
        let hashes: String
    }

    /// The newest one is last.
    private(set) var models: [Model]
    private(set) var numbers: StoredEntityNumbers
    /// By entity number and name of the property.
    private(set) var positions: [Int: [String: Int]]

    /// The tables, in the order of their creation.
    static func tables(_ dialect: PostgreSQLDialect) -> [String] {
        [
            """
            CREATE TABLE \(dialect.table("z_metadata")) (z_version integer PRIMARY KEY, z_uuid text NOT NULL, \
            z_plist bytea NOT NULL)
            """,
            """
            CREATE TABLE \(dialect.table("z_modelcache")) (z_number integer PRIMARY KEY, z_hashes text NOT NULL, \
            z_content bytea NOT NULL)
            """,
            """
            CREATE TABLE \(dialect.table("z_entity")) (z_number integer PRIMARY KEY, z_name text NOT NULL, \
            z_super integer NOT NULL, z_removed boolean NOT NULL DEFAULT FALSE)
            """,
            """
            CREATE TABLE \(dialect.table("z_property")) (z_entity integer NOT NULL, z_name text NOT NULL, \
            z_position integer NOT NULL, PRIMARY KEY (z_entity, z_name))
            """,
            // An empty name of a column stands for the table. A table with a primary key can be moved while other
            // sessions write to it.
            """
            CREATE TABLE \(dialect.table("z_unused")) (z_table text NOT NULL, z_column text NOT NULL, \
            PRIMARY KEY (z_table, z_column))
            """,
        ] + (dialect.cluster.isCluster ? [] : [PostgreSQLServerRun.definition(dialect)])
    }

    static let tableNames = [
        "z_metadata", "z_modelcache", "z_entity", "z_property", "z_unused", PostgreSQLServerRun.tableName,
    ]

    // MARK: Reading

    /// The catalog of a new store.
    init() {
        models = []
        numbers = StoredEntityNumbers(byName: [:], highest: 0)
        positions = [:]
    }

    /// Reads the tables.
    init(_ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect) throws {
        models = try connection.execute(
            "SELECT z_number, z_hashes FROM \(dialect.table("z_modelcache")) ORDER BY z_number"
        ).map { Model(number: Int($0.int64(0)), hashes: $0.text(1)) }
        numbers = StoredEntityNumbers(byName: [:], highest: 0)
        let entities = try connection.execute("SELECT z_number, z_name, z_removed FROM \(dialect.table("z_entity"))")
        for row in entities {
            let number = Int(row.int64(0))
            numbers.highest = max(numbers.highest, number)
            if !row.bool(2) { numbers.byName[row.text(1)] = number }
        }
        positions = [:]
        let properties = try connection.execute(
            "SELECT z_entity, z_name, z_position FROM \(dialect.table("z_property"))")
        for row in properties {
            positions[Int(row.int64(0)), default: [:]][row.text(1)] = Int(row.int64(2))
        }
    }

    /// The number of the accepted model with version hashes; nil if there is none.
    func model(withHashes hashes: [String: Data]) -> Int? {
        let text = Self.text(of: hashes)
        return models.last { $0.hashes == text }?.number
    }

    /// Version hashes as one text, which is equal for equal hashes.
    static func text(of hashes: [String: Data]) -> String {
        hashes.sortedBytewise { $0.key }.map { "\($1.base64EncodedString()) \($0)" }.joined(separator: "\n")
    }

    // MARK: Writing

    /// The statements that write the entities of a schema, with the positions of their properties.
    ///
    /// - Parameter former: the name that a property of an entity had before; nil for a new property.
    func statements(
        for schema: SQLSchema, _ dialect: PostgreSQLDialect, former: (SQLEntity, String) -> String? = { $1 }
    ) -> [SQLFragment] {
        var statements: [SQLFragment] = []
        for entity in schema.entities {
            statements.append(
                """
                INSERT INTO \(dialect.table("z_entity")) (z_number, z_name, z_super) VALUES \
                (\(number: entity.number), \(value: .text(entity.name)), \(number: entity.superentity?.number ?? 0)) \
                ON CONFLICT (z_number) DO UPDATE SET z_name = excluded.z_name, z_super = excluded.z_super
                """)
            let known = positions[entity.number] ?? [:]
            var next = (known.values.max() ?? -1) + 1
            for name in entity.properties.keys.sortedBytewise() {
                let position: Int
                if let found = former(entity, name).flatMap({ known[$0] }) {
                    position = found
                } else {
                    position = next
                    next += 1
                }
                // A property that the new model lacks keeps its position, unless another property has its name.
                statements.append(
                    """
                    INSERT INTO \(dialect.table("z_property")) (z_entity, z_name, z_position) VALUES \
                    (\(number: entity.number), \(value: .text(name)), \(number: position)) \
                    ON CONFLICT (z_entity, z_name) DO UPDATE SET z_position = excluded.z_position
                    """)
            }
        }
        return statements
    }

    /// Marks the entities that a schema doesn't have as removed. Their numbers are not given again.
    static func removeEntities(except schema: SQLSchema, _ dialect: PostgreSQLDialect) -> SQLFragment {
        let numbers = SQLValue.keys(schema.entities.map { Int64($0.number) })
        return """
            UPDATE \(dialect.table("z_entity")) SET z_removed = TRUE \
            WHERE NOT z_number = ANY(\(value: numbers)::bigint[])
            """
    }

    /// Adds a model, which is the newest one from now on.
    ///
    /// - Parameter keepsOthers: whether programs with older models may go on.
    static func addModel(
        of schema: SQLSchema, keepsOthers: Bool, _ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect
    ) throws {
        let table = dialect.table("z_modelcache")
        let archive = try ModelArchive.encode(schema.model, as: .storeCache)
        let result = try connection.execute(
            """
            INSERT INTO \(table) (z_number, z_hashes, z_content) \
            SELECT COALESCE(MAX(z_number), 0) + 1, $1, $2 FROM \(table) RETURNING z_number
            """,
            PostgreSQLParameters([
                .text(text(of: schema.versionHashes)), .bytes(archive),
            ]))
        guard !keepsOthers, result.rowCount > 0 else { return }
        try deleteModels(olderThan: result[0].int64(0), connection, dialect)
    }

    /// Deletes models. Programs with these models can't save from now on.
    static func deleteModels(
        olderThan number: Int64, _ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect
    ) throws {
        _ = try connection.execute(
            "DELETE FROM \(dialect.table("z_modelcache")) WHERE z_number < $1",
            PostgreSQLParameters([.integer(number)]))
    }

    // MARK: The model in the store

    /// The newest model; nil if the store has none.
    ///
    /// - Throws: the errors of a damaged archive.
    static func newestModel(
        _ connection: PostgreSQLConnection, _ dialect: PostgreSQLDialect
    ) throws -> NSManagedObjectModel? {
        let result = try connection.execute(
            "SELECT z_content FROM \(dialect.table("z_modelcache")) ORDER BY z_number DESC LIMIT 1")
        guard result.rowCount > 0 else { return nil }
        let archive = result[0].data(0)
        return archive.isEmpty ? nil : try ModelArchive.decode(archive)
    }
}

extension SQLSchema {
    /// The schema of a model on the server.
    convenience init(
        postgreSQL model: NSManagedObjectModel, configuration: String?,
        storedNumbers: StoredEntityNumbers? = nil
    ) throws {
        try self.init(
            model: model, configuration: configuration, storedNumbers: storedNumbers,
            nameLimit: PostgreSQLName.limit)
    }
}
