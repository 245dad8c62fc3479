import CoreDataModel
import CoreDataPredicates

/// A lightweight migration of a SQLite store: in place, by SQL, within the open transaction.
///
/// Rows keep their primary keys and versions. A table whose columns are only added or renamed stays; the rows of others
/// are written into a new table. Tables that are written again or removed have other names meanwhile.
struct SQLiteLightweightMigration {
    private let connection: SQLiteConnection
    private let source: SQLSchema
    private let destination: SQLSchema
    private let columns: MigratedColumns
    private let externalData: SQLiteExternalData
    private let tables: [TableMigration]
    /// Whether columns and tables that nothing uses any more are left to ``SQLiteDeferredMigration``.
    private let isDeferred: Bool

    /// Prepares a migration. Nothing is written.
    ///
    /// - Parameters:
    ///   - connection: a connection with a write transaction.
    ///   - source: the schema of the file.
    ///   - destination: the schema that the file gets.
    ///   - isDeferred: whether columns and tables that nothing uses any more may stay.
    /// - Throws: `NSInferredMappingModelError` (134190), `NSMigrationError` (134110).
    init(
        on connection: SQLiteConnection, from source: SQLSchema, to destination: SQLSchema,
        _ externalData: SQLiteExternalData, isDeferred: Bool
    ) throws {
        self.isDeferred = isDeferred
        self.connection = connection
        self.source = source
        self.destination = destination
        self.externalData = externalData
        let columns = MigratedColumns(
            source: source, destination: destination,
            mapping: try LightweightMapping(from: source.model, to: destination.model))
        self.columns = columns
        var used: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]
        var parts: [(SQLTable, SQLTable?, [TableMigration.Entity])] = []
        for table in destination.tables {
            var old: SQLTable?
            var entities: [TableMigration.Entity] = []
            for entity in table.entities {
                guard let found = columns.sourceEntity(of: entity) else { continue }
                old = found.table
                used[ObjectIdentifier(found.table), default: []].insert(ObjectIdentifier(table))
                entities.append(
                    TableMigration.Entity(
                        source: found, destination: entity, columns: try columns.columns(of: entity, from: found)))
            }
            parts.append((table, old, entities))
        }
        tables = parts.map { table, old, entities in
            TableMigration(
                destination: table, source: old, entities: entities,
                isOnlyDestination: old.map { used[ObjectIdentifier($0)]?.count == 1 } ?? false,
                leavesUnusedColumns: isDeferred)
        }
    }

    // MARK: Steps

    /// Migrates.
    ///
    /// - Returns: the files of external data that no row names any more.
    /// - Throws: `NSMigrationConstraintViolationError` (134111) for rows that violate a uniqueness constraint,
    ///   `NSMigrationError` (134110) for values that don't fit, and SQLite's errors. The caller rolls back.
    func run() throws -> [String] {
        for line in plan { MigrationLog.write(line) }
        let files = try MigrationLog.step("check the values") {
            try checkRanges()
            try checkRequiredRelationships()
            return try externalData.fileNames(on: connection, source)
        }
        let highestKeys = try readHighestKeys()
        var names = try MigrationLog.step("drop triggers and indexes, create tables") {
            try dropTriggersAndIndexes()
            let names = try renameTables()
            try createTables()
            return names
        }
        for table in tables where table.source != nil {
            try MigrationLog.step("table \(table.destination.name)") { try fill(table, &names) }
        }
        try MigrationLog.step("relationships") {
            let relationships = RelationshipMigration(connection: connection, columns: columns) { names[$0] ?? $0 }
            for join in destination.joinTables where !isKept(join) { try relationships.fill(join) }
            for entity in destination.entities { try relationships.complete(entity) }
            try relationships.completeKeysWithoutInverse()
            if !isDeferred {
                for name in names.values.sorted() where try connection.hasTable(name) {
                    try run("DROP TABLE \(SQLiteText.identifier(name))")
                }
            }
            try relationships.removeDangling(isIncomplete)
        }
        try MigrationLog.step("external data and derived attributes") {
            try loadExternalValues()
            try computeDerivedValues()
        }
        try MigrationLog.step("indexes and triggers") { try createIndexesAndTriggers() }
        try writePrimaryKeys(highestKeys)
        return files.subtracting(try externalData.fileNames(on: connection, destination)).sorted()
    }

    /// What becomes of each table, for the log.
    private var plan: [String] {
        let used = Set(tables.compactMap(\.source?.name))
        let kept = tables.map { table in
            let name = table.destination.name
            guard let source = table.source else { return "table \(name): new" }
            let origin = source.name == name ? "" : " from \(source.name)"
            guard let columns = table.keptColumns else { return "table \(name)\(origin): all rows are written again" }
            let added = columns.count { if case .added = $0 { true } else { false } }
            return "table \(name)\(origin): stays, with \(Wording.count(added, "new column"))"
        }
        return kept
            + source.tables.filter { !used.contains($0.name) }.map { "table \($0.name): removed" }
            + destination.joinTables.map { "table \($0.name): \(isKept($0) ? "stays" : "written again")" }
    }

    private func run(_ sql: String, _ values: [SQLValue] = []) throws {
        let statement = try connection.uncachedStatement(sql)
        try statement.bind(values)
        try statement.run()
    }

    // MARK: Checks

    /// Checks that numbers fit into the types that they get.
    private func checkRanges() throws {
        for part in tables {
            for entity in part.entities {
                guard let mapped = columns.mapping.entities[entity.destination.name] else { continue }
                for (name, attribute) in entity.destination.properties.compactMap({ name, property in
                    entity.destination.attribute(name).map { (name, $0) }
                }) {
                    guard let range = attribute.column.kind.migratedRange,
                        let old = mapped.attributes[name].flatMap({ entity.source.attribute($0.name) }),
                        old.column.kind != attribute.column.kind, old.column.kind != .boolean,
                        !(old.column.kind.migratedRange.map { range.contains($0.lowerBound) } ?? false)
                    else { continue }
                    try checkRange(range, of: old.column, in: entity.source, name)
                }
            }
        }
    }

    private func checkRange(_ range: ClosedRange<Int64>, of column: SQLColumn, in entity: SQLEntity, _ name: String)
        throws
    {
        let statement = try connection.uncachedStatement(
            """
            SELECT Z_PK FROM \(SQLiteText.identifier(entity.tableName)) WHERE Z_ENT = ? \
            AND \(SQLiteText.identifier(column.name)) NOT BETWEEN ? AND ? LIMIT 1
            """)
        try statement.bind([.integer(Int64(entity.number)), .integer(range.lowerBound), .integer(range.upperBound)])
        guard try statement.step() else { return }
        throw SQLiteErrors.storeError(
            NSMigrationError, path: connection.path,
            reason: """
                The object \(entity.name)/p\(statement.int64(at: 0)) has a value of \(name) that is no number between \
                \(range.lowerBound) and \(range.upperBound), as the new model requires.
                """,
            suggestion: "Change the value with the old model, or give the attribute a larger type.",
            userInfo: ["entity": entity.name, "attribute": name])
    }

    /// Checks that objects have the relationships to one object that become required.
    private func checkRequiredRelationships() throws {
        for part in tables {
            for entity in part.entities where !entity.destination.isAbstract {
                for (name, property) in entity.destination.properties.sortedBytewise(by: { $0.key }) {
                    guard case .toOne(let relationship) = property, !relationship.description.isOptional,
                        let previous = columns.mapping.entities[entity.destination.name]?.relationships[name],
                        previous.isOptional, let old = entity.source.toOne(previous.name)
                    else { continue }
                    try checkRequired(old.column, in: entity.source, name)
                }
            }
        }
    }

    private func checkRequired(_ column: SQLColumn, in entity: SQLEntity, _ name: String) throws {
        let statement = try connection.uncachedStatement(
            """
            SELECT Z_PK FROM \(SQLiteText.identifier(entity.tableName)) WHERE Z_ENT = ? \
            AND \(SQLiteText.identifier(column.name)) IS NULL LIMIT 1
            """)
        try statement.bind([.integer(Int64(entity.number))])
        guard try statement.step() else { return }
        throw SQLiteErrors.storeError(
            NSMigrationError, path: connection.path,
            reason: """
                The object \(entity.name)/p\(statement.int64(at: 0)) has no object of the relationship \(name), which \
                the new model requires.
                """,
            suggestion: "Set the relationship with the old model, or make it optional in the new one.",
            userInfo: ["entity": entity.name, "relationship": name])
    }

    // MARK: Tables

    /// The beginning of the names of tables that nothing uses any more.
    static let unusedPrefix = "Z_MIGRATED_"

    private func isKept(_ table: TableMigration) -> Bool { table.keptColumns != nil }

    /// Whether a join table stays as it is.
    private func isKept(_ join: SQLJoinTable) -> Bool {
        guard let old = source.joinTables.first(where: { $0.name == join.name && $0.columns == join.columns }),
            let owner = columns.sourceEntity(of: join.owner), owner === old.owner || owner.table === old.owner.table,
            let mapped = destination.entity(for: join.relationship.entity).flatMap({
                columns.mapping.entities[$0.name]?.relationships[join.relationship.name]
            })
        else { return false }
        return mapped === old.relationship || mapped.name == old.relationship.name
    }

    /// Gives another name to each table that doesn't stay under its own.
    ///
    /// - Returns: the new names by the old ones.
    private func renameTables() throws -> [String: String] {
        let keptNames = Set(
            tables.filter { isKept($0) && $0.source?.name == $0.destination.name }.map(\.destination.name)
                + destination.joinTables.filter { isKept($0) }.map(\.name))
        var names: [String: String] = [:]
        for name in source.tables.map(\.name) + source.joinTables.map(\.name) where !keptNames.contains(name) {
            let temporary = "\(Self.unusedPrefix)\(names.count)"
            try run("ALTER TABLE \(SQLiteText.identifier(name)) RENAME TO \(temporary)")
            names[name] = temporary
        }
        return names
    }

    private func createTables() throws {
        let definition = SQLiteDefinition(destination)
        for table in tables where !isKept(table) { try run(definition.createTable(table.destination)) }
        for join in destination.joinTables where !isKept(join) { try run(definition.createJoinTable(join)) }
    }

    /// Writes the rows of a table, or changes the table in place.
    ///
    /// - Parameter names: the present names of the source's tables. A table that stays leaves them.
    private func fill(_ table: TableMigration, _ names: inout [String: String]) throws {
        guard let old = table.source else { return }
        let oldName = SQLiteText.identifier(names[old.name] ?? old.name)
        let newName = SQLiteText.identifier(table.destination.name)
        if let kept = table.keptColumns {
            if oldName != newName {
                try run("ALTER TABLE \(oldName) RENAME TO \(newName)")
                names[old.name] = table.destination.name
            }
            try change(newName, kept)
            if !table.missingNumbers.isEmpty {
                let numbers = table.missingNumbers.map(String.init).joined(separator: ", ")
                try run("DELETE FROM \(newName) WHERE Z_ENT IN (\(numbers))")
            }
            // A table that stays is not one of those that are dropped in the end.
            if names[old.name] == table.destination.name { names[old.name] = nil }
            return
        }
        let values = table.destination.columns.map(table.value)
        let names = table.destination.columns.map { SQLiteText.identifier($0.name) }.joined(separator: ", ")
        let numbers = table.entities.map { String($0.source.number) }.joined(separator: ", ")
        try run(
            """
            INSERT INTO \(newName) (\(names)) SELECT \(values.map(\.sql).joined(separator: ", ")) \
            FROM \(oldName) WHERE Z_ENT IN (\(numbers))
            """, values.flatMap(\.bindings))
    }

    /// Adds and renames columns.
    private func change(_ table: String, _ columns: [TableMigration.KeptColumn]) throws {
        var renamed: [(temporary: String, name: String)] = []
        for case .existing(let old, let column) in columns where old != column.name {
            let temporary = "Z_MIGRATED_\(renamed.count)"
            try run("ALTER TABLE \(table) RENAME COLUMN \(SQLiteText.identifier(old)) TO \(temporary)")
            renamed.append((temporary, column.name))
        }
        for (temporary, name) in renamed {
            try run("ALTER TABLE \(table) RENAME COLUMN \(temporary) TO \(SQLiteText.identifier(name))")
        }
        for case .added(let column, let values) in columns {
            let name = SQLiteText.identifier(column.name)
            try run("ALTER TABLE \(table) ADD COLUMN \(name) \(column.kind.declaredType)")
            for (number, value) in values {
                try run(
                    "UPDATE \(table) SET \(name) = \(value.sql) WHERE Z_ENT = ?",
                    value.bindings + [.integer(Int64(number))])
            }
        }
    }

    /// Whether rows of the source are missing in a table.
    private func isIncomplete(_ table: SQLTable) -> Bool {
        tables.first { $0.destination === table }.map { !$0.missingNumbers.isEmpty || $0.source == nil } ?? false
    }

    // MARK: Values

    /// Reads the values of attributes whose external storage was switched off from their files.
    private func loadExternalValues() throws {
        for part in tables {
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

    private func computeDerivedValues() throws {
        let translator = SQLQueryTranslator(schema: destination, dialect: SQLiteDialect()) { _ in nil }
        for entity in destination.entities {
            guard let old = columns.sourceEntity(of: entity) else { continue }
            for (name, property) in entity.properties.sortedBytewise(by: { $0.key }) {
                guard case .attribute(let attribute) = property, let derivation = attribute.derivation,
                    entity.superentity.flatMap(columns.sourceEntity) == nil
                        || entity.superentity?.attribute(name) == nil,
                    columns.needsComputing(attribute, old)
                else { continue }
                let text: String
                var values: [SQLValue] = []
                if let value = SQLiteDefinition.derivedValue(derivation) {
                    let numbers = entity.numbers.map(String.init).joined(separator: ", ")
                    text = """
                        UPDATE \(SQLiteText.identifier(entity.tableName)) AS S SET \
                        \(SQLiteText.identifier(attribute.column.name)) = \(value) WHERE S.Z_ENT IN (\(numbers))
                        """
                } else {
                    guard case .computedOnSave(let expression) = derivation else { continue }
                    let statement = try translator.update(
                        SQLQuery(entity: entity.entity, selection: .identifiers),
                        [
                            SQLBatchAssignment(
                                column: attribute.column.name, kind: attribute.column.kind,
                                value: .expression(expression))
                        ], .matching)
                    text = statement.text
                    values = statement.bindings
                }
                try run(text, values)
            }
        }
    }

    // MARK: Indexes, triggers and numbers

    /// Drops all triggers, R-trees, and the indexes that the destination doesn't have.
    private func dropTriggersAndIndexes() throws {
        let wanted = Set(try destination.tables.flatMap { try SQLiteDefinition(destination).createIndexes(of: $0) })
        let owned = Set(
            (source.tables.map(\.name) + source.joinTables.map(\.name)
                + SQLiteDefinition(source).allRTreeIndexes.map(\.name)).map { $0.uppercased() })
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
        for tree in SQLiteDefinition(source).allRTreeIndexes {
            statements.append("DROP TABLE IF EXISTS \(SQLiteText.identifier(tree.name))")
        }
        for statement in statements { try run(statement) }
    }

    private func createIndexesAndTriggers() throws {
        let definition = SQLiteDefinition(destination)
        var existing: Set<String> = []
        let indexes = try connection.uncachedStatement("SELECT sql FROM sqlite_master WHERE type = 'index'")
        while try indexes.step() { if let text = indexes.text(at: 0) { existing.insert(text) } }
        for tree in definition.allRTreeIndexes {
            try run(definition.createRTreeIndex(tree))
            try run(definition.fillRTreeIndex(tree))
        }
        for table in destination.tables {
            for statement in try definition.createIndexes(of: table) where !existing.contains(statement) {
                do {
                    try run(statement)
                } catch let error as NSError where error.code == NSManagedObjectConstraintMergeError {
                    throw constraintViolation(of: table, statement, error)
                }
            }
        }
        for statement in definition.triggers { try run(statement) }
    }

    private func constraintViolation(of table: SQLTable, _ statement: String, _ cause: NSError) -> NSError {
        let constraints = table.entities.flatMap { entity in
            entity.uniquenessConstraints.map { (entity.name, $0.names) }
        }
        let violated = constraints.first { statement.contains("Z_\($0.0)_UNIQUE_\($0.1.joined(separator: "_"))") }
        let (entity, names) = violated ?? (table.root.name, [])
        return SQLiteErrors.storeError(
            NSMigrationConstraintViolationError, path: connection.path,
            reason: """
                Some objects of \(entity) have the same values of \(names.joined(separator: ", ")), which are unique \
                in the new model.
                """,
            suggestion: "Make the values differ with the old model.",
            userInfo: ["entity": entity, NSUnderlyingErrorKey: cause])
    }

    /// The highest key of each root entity of the source, by its number.
    private func readHighestKeys() throws -> [Int: Int64] {
        var keys: [Int: Int64] = [:]
        for table in source.tables {
            let number = table.root.number
            let recorded = try connection.integer(
                "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(Int64(number))])
            let highest = try connection.integer("SELECT MAX(Z_PK) FROM \(SQLiteText.identifier(table.name))")
            keys[number] = max(recorded ?? 0, highest ?? 0)
        }
        return keys
    }

    private func writePrimaryKeys(_ highest: [Int: Int64]) throws {
        for entity in source.entities {
            try run("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(Int64(entity.number))])
        }
        for table in tables {
            for entity in table.destination.entities {
                let isRoot = entity === table.destination.root
                try run(
                    "INSERT OR REPLACE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
                    [
                        .integer(Int64(entity.number)), .text(entity.name),
                        .integer(Int64(entity.superentity?.number ?? 0)),
                        .integer(isRoot ? table.source.flatMap { highest[$0.root.number] } ?? 0 : 0),
                    ])
            }
        }
    }
}
