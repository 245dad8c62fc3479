import CoreDataModel
import CoreDataPredicates

/// Runs lightweight migrations of SQLite stores.
final class SQLiteMigrationEngine: SQLMigrationEngine {
    private let connection: SQLiteConnection
    private let externalData: SQLiteExternalData

    /// - Parameter connection: a connection with a write transaction.
    init(_ connection: SQLiteConnection, _ externalData: SQLiteExternalData) {
        self.connection = connection
        self.externalData = externalData
    }

    var dialect: any SQLDialect { SQLiteDialect() }
    // A table in the file has the columns that Apple's would have, so that it is written again without the others.
    var keepsTablesWithUnusedColumns: Bool { false }

    // MARK: Statements

    func run(_ sql: String, _ values: [SQLValue]) throws {
        let statement = try connection.uncachedStatement(sql)
        try statement.bind(values)
        try statement.run()
    }

    func integer(_ sql: String, _ values: [SQLValue]) throws -> Int64? { try connection.integer(sql, values) }

    // MARK: Texts of statements

    func identifier(_ name: String) -> String { SQLiteText.identifier(name) }
    func table(_ name: String) -> String { SQLiteText.identifier(name) }
    func declaration(of kind: SQLStorageKind) -> String { kind.declaredType }

    func converted(_ source: SQLColumn, to destination: SQLColumn) -> MigratedColumn {
        let column = SQLiteText.identifier(source.name)
        switch (source.kind, destination.kind) {
        case (.binary, .externalBinary):
            // The mark of a value in the column itself; a reader accepts it for values of any size.
            return .expression("CAST(x'01' || \(column) AS BLOB)", [])
        case (.externalBinary, .binary):
            // A value in a file has the mark 2. It is read after the rows were copied.
            return .expression(
                "CASE WHEN SUBSTR(\(column), 1, 1) = x'01' THEN SUBSTR(\(column), 2) ELSE \(column) END", [])
        case (let from, .boolean) where from.isNumber && from != .boolean:
            return .expression("\(column) <> 0", [])
        case (.double, let to), (.float, let to), (.decimal, let to):
            if to.isInteger { return .expression("CAST(\(column) AS INTEGER)", []) }
            if source.kind == .decimal, to == .double || to == .float {
                return .expression("CAST(\(column) AS REAL)", [])
            }
            return .column(source.name)
        case (let from, .double) where from.isInteger || from == .boolean,
            (let from, .float) where from.isInteger || from == .boolean:
            return .expression("CAST(\(column) AS REAL)", [])
        default:
            return .column(source.name)
        }
    }

    func value(_ value: Any, of kind: SQLStorageKind) -> SQLValue? {
        // The mark of a value in the column itself.
        if kind == .externalBinary { return (value as? Data).map { .bytes(Data([1]) + $0) } }
        return kind.migratedValue(value)
    }

    // MARK: Tables

    func createTable(_ table: SQLTable, _ migration: SQLLightweightMigration) throws {
        try run(SQLiteDefinition(migration.destination).createTable(table))
    }

    func createJoinTable(_ table: SQLJoinTable, _ migration: SQLLightweightMigration) throws {
        try run(SQLiteDefinition(migration.destination).createJoinTable(table))
    }

    func addColumn(
        _ column: SQLColumn, to table: SQLTable, values: [(number: Int, value: MigratedColumn)]
    ) throws {
        let (rows, name) = (SQLiteText.identifier(table.name), SQLiteText.identifier(column.name))
        try run("ALTER TABLE \(rows) ADD COLUMN \(name) \(column.kind.declaredType)")
        for (number, value) in values {
            try run(
                "UPDATE \(rows) SET \(name) = \(value.sql(self)) WHERE Z_ENT = ?",
                value.bindings + [.integer(Int64(number))])
        }
    }

    func keepsName(ofUnusedTable name: String, _ migration: SQLLightweightMigration) -> Bool { false }

    func removeTable(_ name: String, _ migration: SQLLightweightMigration) throws {
        if migration.isDeferred { return }
        try run("DROP TABLE \(SQLiteText.identifier(name))")
    }

    func derivedValue(_ derivation: SQLDerivation) -> String? { SQLiteDefinition.derivedValue(derivation) }

    func computeValues(of attribute: SQLAttribute, _ entity: SQLEntity, _ expression: NSExpression) throws {
        // SQLite calls functions of this module, so that it has all.
        throw SQLUnavailable(part: "\(expression)")
    }

    // MARK: External data

    /// Reads the values of attributes whose external storage was switched off from their files.
    func completeValues(_ migration: SQLLightweightMigration) throws {
        for part in migration.tables {
            for column in part.destination.columns where column.kind == .binary {
                let wasExternal = part.entities.contains { entity in
                    if case .expression(let text, _)? = entity.columns[column.name] { return text.contains("x'01'") }
                    return false
                }
                if wasExternal { try loadExternalValues(column, of: part.destination) }
            }
        }
    }

    private func loadExternalValues(_ column: SQLColumn, of table: SQLTable) throws {
        let (name, rows) = (SQLiteText.identifier(column.name), SQLiteText.identifier(table.name))
        let select = try connection.uncachedStatement(
            "SELECT Z_PK, \(name) FROM \(rows) WHERE LENGTH(\(name)) = ? AND SUBSTR(\(name), 1, 1) = x'02'")
        try select.bind(Int64(SQLiteExternalData.frameLength), at: 1)
        var found: [(Int64, Data)] = []
        while try select.step() {
            guard let value = select.data(at: 1), SQLiteExternalData.fileName(in: value) != nil else { continue }
            found.append((select.int64(at: 0), value))
        }
        for (key, value) in found {
            try run(
                "UPDATE \(rows) SET \(name) = ? WHERE Z_PK = ?",
                [.bytes(try externalData.decode(value)), .integer(key)])
        }
    }

    // MARK: Indexes and triggers

    /// Drops all triggers, R-trees, and the indexes that the destination doesn't have.
    func dropTriggersAndIndexes(_ migration: SQLLightweightMigration) throws {
        let (source, destination) = (migration.source, SQLiteDefinition(migration.destination))
        let wanted = Set(try migration.destination.tables.flatMap { try destination.createIndexes(of: $0) })
        let trees = SQLiteDefinition(source).allRTreeIndexes
        let owned = Set(
            (source.tables.map(\.name) + source.joinTables.map(\.name) + trees.map(\.name)).map { $0.uppercased() })
        var statements: [String] = []
        let objects = try connection.uncachedStatement("SELECT type, name, tbl_name, sql FROM sqlite_master")
        while try objects.step() {
            guard let name = objects.text(at: 1), let table = objects.text(at: 2), owned.contains(table.uppercased())
            else { continue }
            switch objects.text(at: 0) {
            case "trigger": statements.append("DROP TRIGGER \(SQLiteText.identifier(name))")
            case "index":
                // An index without text belongs to its table.
                if let text = objects.text(at: 3), !wanted.contains(text) {
                    statements.append("DROP INDEX \(SQLiteText.identifier(name))")
                }
            default: break
            }
        }
        for tree in trees { statements.append("DROP TABLE IF EXISTS \(SQLiteText.identifier(tree.name))") }
        for statement in statements { try run(statement) }
    }

    func createIndexesAndTriggers(_ migration: SQLLightweightMigration) throws {
        let definition = SQLiteDefinition(migration.destination)
        var existing: Set<String> = []
        let indexes = try connection.uncachedStatement("SELECT sql FROM sqlite_master WHERE type = 'index'")
        while try indexes.step() { if let text = indexes.text(at: 0) { existing.insert(text) } }
        for tree in definition.allRTreeIndexes {
            try run(definition.createRTreeIndex(tree))
            try run(definition.fillRTreeIndex(tree))
        }
        for table in migration.destination.tables {
            for statement in try definition.createIndexes(of: table) where !existing.contains(statement) {
                do {
                    try run(statement)
                } catch let error as NSError where error.code == NSManagedObjectConstraintMergeError {
                    throw migration.constraintViolation(of: table, index: statement, error)
                }
            }
        }
        for statement in definition.triggers { try run(statement) }
    }

    // MARK: Keys

    func highestKey(of table: SQLTable) throws -> Int64 {
        let recorded = try connection.integer(
            "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(Int64(table.root.number))])
        let highest = try connection.integer("SELECT MAX(Z_PK) FROM \(SQLiteText.identifier(table.name))")
        return max(recorded ?? 0, highest ?? 0)
    }

    func writeEntities(_ migration: SQLLightweightMigration, highestKeys: [Int: Int64]) throws {
        for entity in migration.source.entities {
            try run("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(Int64(entity.number))])
        }
        for table in migration.tables {
            for entity in table.destination.entities {
                let isRoot = entity === table.destination.root
                try run(
                    "INSERT OR REPLACE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
                    [
                        .integer(Int64(entity.number)), .text(entity.name),
                        .integer(Int64(entity.superentity?.number ?? 0)),
                        .integer(isRoot ? table.source.flatMap { highestKeys[$0.root.number] } ?? 0 : 0),
                    ])
            }
        }
    }

    func error(_ code: Int, reason: String, suggestion: String, userInfo: [String: Any]) -> NSError {
        SQLiteErrors.storeError(
            code, path: connection.path, reason: reason, suggestion: suggestion, userInfo: userInfo)
    }
}
