import Dispatch

/// Runs lightweight migrations of PostgreSQL stores.
///
/// Tables stay where they can: the server adds, renames and removes columns without writing rows again. A migration
/// with which older programs can go on leaves what they use.
final class PostgreSQLMigrationEngine: SQLMigrationEngine {
    private let connection: PostgreSQLConnection
    private let postgreSQL: PostgreSQLDialect
    private let catalog: PostgreSQLCatalog
    private let schemaName: String
    /// Whether programs with the model of the source can go on.
    var isCompatible = false

    /// - Parameter connection: a connection with a transaction that has locked the tables.
    init(_ connection: PostgreSQLConnection, _ catalog: PostgreSQLCatalog) {
        self.connection = connection
        self.catalog = catalog
        schemaName = connection.location.schema
        postgreSQL = PostgreSQLDialect(schema: schemaName)
    }

    var dialect: any SQLDialect { postgreSQL }
    var keepsTablesWithUnusedColumns: Bool { true }

    // MARK: Statements

    func run(_ sql: String, _ values: [SQLValue]) throws {
        if values.isEmpty { return try connection.executeScript(sql) }
        _ = try connection.execute(Self.numbered(sql), PostgreSQLParameters(values))
    }

    func integer(_ sql: String, _ values: [SQLValue]) throws -> Int64? {
        let result = try connection.execute(Self.numbered(sql), PostgreSQLParameters(values))
        return result.rowCount > 0 && !result[0].isNull(0) ? result[0].int64(0) : nil
    }

    /// A statement with `$1`, `$2`, … for each `?` that is not in a name or a constant.
    static func numbered(_ sql: String) -> String {
        var text = ""
        var count = 0
        var quote: Character?
        for character in sql {
            if character == "?", quote == nil {
                count += 1
                text += "$\(count)"
                continue
            }
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            }
            text.append(character)
        }
        return text
    }

    // MARK: Texts of statements

    func identifier(_ name: String) -> String { SQLGenerator.identifier(name) }
    func table(_ name: String) -> String { postgreSQL.table(name) }
    func declaration(of kind: SQLStorageKind) -> String { kind.postgreSQLDeclaration }

    func converted(_ source: SQLColumn, to destination: SQLColumn) -> MigratedColumn {
        let column = identifier(source.name)
        guard source.kind != destination.kind, source.kind.isNumber, destination.kind.isNumber else {
            return .column(source.name)
        }
        let isReal = source.kind == .double || source.kind == .float
        switch destination.kind {
        case .boolean: return .expression("CAST(\(column) <> 0 AS integer)", [])
        case .integer16, .integer32, .integer64:
            // The server would round.
            let whole = isReal || source.kind == .decimal ? "TRUNC(\(column))" : column
            return .expression("CAST(\(whole) AS \(declaration(of: destination.kind)))", [])
        case .decimal where isReal:
            // By the shortest text that is the number: a direct conversion has 15 digits.
            return .expression("CAST(CAST(\(column) AS text) AS numeric)", [])
        default: return .expression("CAST(\(column) AS \(declaration(of: destination.kind)))", [])
        }
    }

    func value(_ value: Any, of kind: SQLStorageKind) -> SQLValue? { kind.migratedValue(value) }

    func derivedValue(_ derivation: SQLDerivation) -> String? {
        // The tables are those of the destination, whatever the definition is of.
        derivedValues?.derivedValue(derivation)
    }

    /// The number of rows that are read and written together.
    private static let rowsOfStatement: Int64 = 10_000

    func computeValues(of attribute: SQLAttribute, _ entity: SQLEntity, _ expression: NSExpression) throws {
        let attributes = entity.properties.compactMap { name, property -> (name: String, column: SQLColumn)? in
            guard case .attribute(let read) = property, read.column.kind.hasPlainValues else { return nil }
            return (name, read.column)
        }
        let rows = table(entity.tableName)
        let names = attributes.map { ", " + identifier($0.column.name) }.joined()
        let numbers = entity.numbers.map(String.init).joined(separator: ", ")
        let type = PostgreSQLType(attribute.column.kind)
        var last: Int64 = 0
        while true {
            let found = try connection.execute(
                """
                SELECT Z_PK\(names) FROM \(rows) WHERE Z_ENT IN (\(numbers)) AND Z_PK > $1 \
                ORDER BY Z_PK LIMIT \(Self.rowsOfStatement)
                """, PostgreSQLParameters([.integer(last)]))
            guard found.rowCount > 0 else { return }
            var keys = PostgreSQLArray(type: .int8, capacity: found.rowCount)
            var values = PostgreSQLArray(type: type, capacity: found.rowCount)
            for index in 0..<found.rowCount {
                let row = found[index]
                let object = NSMutableDictionary()
                for (position, (name, column)) in attributes.enumerated() where !row.isNull(position + 1) {
                    object[name] = column.kind.object(row.value(position + 1))
                }
                last = row.int64(0)
                keys.append(int64: last)
                let value = expression.expressionValue(with: object, context: nil)
                if let value, let stored = attribute.column.kind.migratedValue(value) {
                    values.append(stored)
                } else {
                    values.appendNull()
                }
            }
            var parameters = PostgreSQLParameters()
            parameters.append(array: keys)
            parameters.append(array: values)
            _ = try connection.execute(
                """
                UPDATE \(rows) AS t SET \(identifier(attribute.column.name)) = v.c2 \
                FROM unnest($1::bigint[], $2::\(type.name)[]) AS v(c1, c2) WHERE t.Z_PK = v.c1
                """, parameters)
        }
    }

    /// The definition of the destination.
    private var derivedValues: PostgreSQLDefinition?

    // MARK: Tables

    private func definition(_ schema: SQLSchema) -> PostgreSQLDefinition {
        PostgreSQLDefinition(schema, name: schemaName)
    }

    func createTable(_ table: SQLTable, _ migration: SQLLightweightMigration) throws {
        try run(definition(migration.destination).createTable(table))
    }

    func createJoinTable(_ table: SQLJoinTable, _ migration: SQLLightweightMigration) throws {
        try run(definition(migration.destination).createJoinTable(table))
    }

    func addColumn(
        _ column: SQLColumn, to table: SQLTable, values: [(number: Int, value: MigratedColumn)]
    ) throws {
        let (rows, name) = (self.table(table.name), identifier(column.name))
        let first = values.first?.value
        let isCommon = values.count == table.entities.count && values.allSatisfy { $0.value == first }
        let constant: String? =
            if case .expression("?", let bindings)? = first, let value = bindings.first {
                try literal(value) + "::" + PostgreSQLType(column.kind).name
            } else { nil }
        if isCommon, let constant {
            // The server keeps the value for the rows that are there, without writing them.
            try run("ALTER TABLE \(rows) ADD COLUMN \(name) \(declaration(of: column.kind)) DEFAULT \(constant)")
            if !isCompatible { try run("ALTER TABLE \(rows) ALTER COLUMN \(name) DROP DEFAULT") }
            return
        }
        try run("ALTER TABLE \(rows) ADD COLUMN \(name) \(declaration(of: column.kind))")
        for (number, value) in values {
            try run(
                "UPDATE \(rows) SET \(name) = \(value.sql(self)) WHERE Z_ENT = ?",
                value.bindings + [.integer(Int64(number))])
        }
        // Programs with the older model insert rows without the column.
        if isCompatible, let constant { try run("ALTER TABLE \(rows) ALTER COLUMN \(name) SET DEFAULT \(constant)") }
    }

    /// A value as a constant. Definitions have no parameters, so that the server writes it.
    private func literal(_ value: SQLValue) throws -> String {
        let result = try connection.execute("SELECT quote_literal($1)", PostgreSQLParameters([value]))
        return result.rowCount > 0 ? result[0].text(0) : "NULL"
    }

    func keepsName(ofUnusedTable name: String, _ migration: SQLLightweightMigration) -> Bool {
        guard migration.isDeferred else { return false }
        return unusedTables(migration).contains(name)
    }

    /// The tables of the source that the destination doesn't have.
    private func unusedTables(_ migration: SQLLightweightMigration) -> [String] {
        let used = Set(migration.tables.compactMap { $0.source?.name } + migration.destination.tables.map(\.name))
        let joins = Set(migration.destination.joinTables.map(\.name))
        return migration.source.tables.map(\.name).filter { !used.contains($0) }
            + migration.source.joinTables.map(\.name).filter { !joins.contains($0) }
    }

    func removeTable(_ name: String, _ migration: SQLLightweightMigration) throws {
        try run("DROP TABLE \(table(name))")
    }

    // MARK: What is left over

    /// Removes the columns that the destination doesn't have, or leaves them for later.
    func completeValues(_ migration: SQLLightweightMigration) throws {
        derivedValues = definition(migration.destination)
        for part in migration.tables {
            guard let source = part.source, let kept = part.keptColumns else { continue }
            var unused = Set(source.columns.map(\.name))
            for case .existing(let name, _) in kept { unused.remove(name) }
            for name in unused.sorted() {
                if migration.isDeferred {
                    try leave(part.destination.name, column: name)
                } else {
                    try run("ALTER TABLE \(table(part.destination.name)) DROP COLUMN \(identifier(name))")
                }
            }
        }
        guard migration.isDeferred else { return }
        for name in unusedTables(migration) { try leave(name, column: nil) }
    }

    private func leave(_ name: String, column: String?) throws {
        try run(
            "INSERT INTO \(table("z_unused")) (z_table, z_column) VALUES (?, ?)",
            [.text(name), column.map { .text($0) } ?? .null])
    }

    // MARK: Indexes and triggers

    func dropTriggersAndIndexes(_ migration: SQLLightweightMigration) throws {
        if !isCompatible { try CompatibilityTriggers.dropAll(connection, postgreSQL) }
        let kept = Set(try keptFunctions(migration).map(\.name))
        for function in definition(migration.source).triggerFunctions where !kept.contains(function.name) {
            try run("DROP FUNCTION IF EXISTS \(function.name)() CASCADE")
        }
        let wanted = try indexes(migration.destination)
        for index in try indexes(migration.source).subtracting(wanted) {
            try run("DROP INDEX IF EXISTS \(postgreSQL.schemaText).\(index.name)")
        }
    }

    private func indexes(_ schema: SQLSchema) throws -> Set<PostgreSQLIndex> {
        let definition = definition(schema)
        return Set(try schema.tables.flatMap { try definition.indexes(of: $0) })
    }

    /// The functions of both schemas whose tables stay.
    private func keptFunctions(_ migration: SQLLightweightMigration) throws -> Set<PostgreSQLTriggerFunction> {
        let kept = keptTables(migration)
        return Set(definition(migration.source).triggerFunctions)
            .intersection(definition(migration.destination).triggerFunctions)
            .filter { $0.tables.isSubset(of: kept) }
    }

    /// The names of the tables that stay under their names.
    private func keptTables(_ migration: SQLLightweightMigration) -> Set<String> {
        Set(
            migration.tables.filter { migration.isKept($0) && $0.source?.name == $0.destination.name }
                .map(\.destination.name) + migration.destination.joinTables.filter { migration.isKept($0) }.map(\.name))
    }

    func createIndexesAndTriggers(_ migration: SQLLightweightMigration) throws {
        let definition = definition(migration.destination)
        let keptTables = keptTables(migration)
        let present = try indexes(migration.source)
        for table in migration.destination.tables {
            for index in try definition.indexes(of: table) {
                if keptTables.contains(index.table), present.contains(index) { continue }
                do {
                    try run(index.statement)
                } catch let failure as PostgreSQLFailure where failure.isUniqueViolation {
                    throw migration.constraintViolation(of: table, index: index.statement, failure)
                }
            }
        }
        let kept = try keptFunctions(migration)
        for function in definition.triggerFunctions where !kept.contains(function) {
            for statement in function.statements { try run(statement) }
        }
        if isCompatible { try CompatibilityTriggers(migration, connection, postgreSQL).create() }
    }

    // MARK: Keys

    private func sequence(_ table: String) -> String { self.table(PostgreSQLDefinition.sequence(table)) }

    func highestKey(of table: SQLTable) throws -> Int64 {
        try integer(
            """
            SELECT GREATEST((SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END \
            FROM \(sequence(table.name))), COALESCE((SELECT MAX(z_pk) FROM \(self.table(table.name))), 0))
            """, []) ?? 0
    }

    func writeEntities(_ migration: SQLLightweightMigration, highestKeys: [Int: Int64]) throws {
        let names = Set(migration.destination.tables.map(\.name))
        let unused = migration.isDeferred ? Set(unusedTables(migration)) : []
        for table in migration.source.tables where !names.contains(table.name) && !unused.contains(table.name) {
            try run("DROP SEQUENCE \(sequence(table.name))")
        }
        for part in migration.tables {
            let name = sequence(part.destination.name)
            if migration.source.tables.contains(where: { $0.name == part.destination.name }) {
                if part.source?.name == part.destination.name { continue }
            } else {
                try run("CREATE SEQUENCE \(name) AS bigint")
            }
            // The keys of a table with another name, or of the other entities of a table, are not given again.
            let highest = part.source.flatMap { highestKeys[$0.root.number] } ?? 0
            _ = try integer(
                "SELECT setval(?::text::regclass, ?, ?::integer = 1)",
                [
                    .text(name), .integer(max(highest, 1)), .integer(highest > 0 ? 1 : 0),
                ])
        }
        let destination = migration.destination
        if !isCompatible { try PostgreSQLCatalog.removeEntities(except: destination, connection, postgreSQL) }
        try catalog.write(destination, connection, postgreSQL) { entity, name in
            let mapped = migration.columns.mapping.entities[entity.name]
            return mapped?.attributes[name]?.name ?? mapped?.relationships[name]?.name
        }
    }

    func error(_ code: Int, reason: String, suggestion: String, userInfo: [String: Any]) -> NSError {
        let url = connection.location.publicURL
        return CoreDataErrors.error(
            code, "The store \u{201c}\(url.absoluteString)\u{201d} couldn\u{2019}t be opened. \(reason)",
            reason: reason,
            suggestion: suggestion,
            userInfo: [NSURLErrorKey: url, "reason": reason].merging(userInfo) { _, given in given })
    }
}

extension SQLStorageKind {
    /// Whether an expression can compute with the values as they are stored.
    fileprivate var hasPlainValues: Bool {
        isNumber || [.date, .string, .uri, .uuid, .binary, .externalBinary].contains(self)
    }

    /// A stored value as the value of an attribute.
    fileprivate func object(_ value: SQLValue) -> Any? {
        switch value {
        case .integer(let number): self == .boolean ? NSNumber(value: number != 0) : NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .decimal(let number): NSDecimalNumber(decimal: number)
        case .text(let text): self == .uri ? URL(string: text) : text
        case .bytes(let bytes): bytes
        case .timestamp(let date): date
        case .uuid(let uuid): uuid
        case .null, .keys, .list: nil
        }
    }
}
