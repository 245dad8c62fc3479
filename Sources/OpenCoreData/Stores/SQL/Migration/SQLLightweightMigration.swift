import CoreDataModel
import CoreDataPredicates

/// A lightweight migration of a store in tables: in place, by SQL, within the open transaction.
///
/// Rows keep their primary keys and versions. A table whose columns are only added or renamed stays; the rows of others
/// are written into a new table. Tables that are written again or removed have other names meanwhile.
package struct SQLLightweightMigration {
    private let engine: any SQLMigrationEngine
    package let source: SQLSchema
    package let destination: SQLSchema
    package let columns: MigratedColumns
    package let tables: [TableMigration]
    /// Whether columns and tables that nothing uses any more are left for later.
    package let isDeferred: Bool

    /// Prepares a migration. Nothing is written.
    ///
    /// - Parameters:
    ///   - engine: the engine of the store, with an open transaction that can write.
    ///   - source: the schema of the store.
    ///   - destination: the schema that the store gets.
    ///   - isDeferred: whether columns and tables that nothing uses any more may stay.
    /// - Throws: `NSInferredMappingModelError` (134190), `NSMigrationError` (134110).
    package init(
        on engine: any SQLMigrationEngine, from source: SQLSchema, to destination: SQLSchema, isDeferred: Bool
    ) throws {
        self.isDeferred = isDeferred
        self.engine = engine
        self.source = source
        self.destination = destination
        let columns = MigratedColumns(
            engine: engine, source: source, destination: destination,
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
                engine: engine, destination: table, source: old, entities: entities,
                isOnlyDestination: old.map { used[ObjectIdentifier($0)]?.count == 1 } ?? false,
                leavesUnusedColumns: isDeferred || engine.keepsTablesWithUnusedColumns)
        }
    }

    // MARK: Steps

    /// Migrates.
    ///
    /// - Parameter progress: called with the part that is done, from 0 to 1, after each table. An error ends the
    ///   migration.
    /// - Throws: `NSMigrationConstraintViolationError` (134111) for rows that violate a uniqueness constraint,
    ///   `NSMigrationError` (134110) for values that don't fit, and the engine's errors. The caller rolls back.
    package func run(progress: (Float) throws -> Void = { _ in }) throws {
        for line in plan { MigrationLog.write(line) }
        try MigrationLog.step("check the values") {
            try checkRanges()
            try checkRequiredRelationships()
        }
        let highestKeys = try Dictionary(
            source.tables.map { ($0.root.number, try engine.highestKey(of: $0)) }, uniquingKeysWith: max)
        var names = try MigrationLog.step("drop triggers and indexes, create tables") {
            try engine.dropTriggersAndIndexes(self)
            let names = try renameTables()
            for table in tables where !isKept(table) { try engine.createTable(table.destination, self) }
            for join in destination.joinTables where !isKept(join) { try engine.createJoinTable(join, self) }
            return names
        }
        let sizes = tables.map { size(of: $0, highestKeys) }
        var done: Float = 0
        for (table, size) in zip(tables, sizes) where table.source != nil {
            try MigrationLog.step("table \(table.destination.name)") { try fill(table, &names) }
            done += size
            try progress(Self.partOfTables * done / max(1, sizes.reduce(0, +)))
        }
        try MigrationLog.step("relationships") {
            let relationships = RelationshipMigration(engine: engine, columns: columns) { names[$0] }
            for join in destination.joinTables where !isKept(join) { try relationships.fill(join) }
            for entity in destination.entities { try relationships.complete(entity) }
            try relationships.completeKeysWithoutInverse()
            for name in names.temporary.sorted() { try engine.removeTable(name, self) }
            try relationships.removeDangling(isIncomplete)
        }
        try MigrationLog.step("external data and derived attributes") {
            try engine.completeValues(self)
            try computeDerivedValues()
        }
        try MigrationLog.step("indexes and triggers") { try engine.createIndexesAndTriggers(self) }
        try engine.writeEntities(self, highestKeys: highestKeys)
        try progress(1)
    }

    /// The part of the work that the rows of the tables are; the rest are relationships and indexes.
    private static let partOfTables: Float = 0.7

    /// How much work a table is: its highest key, if its rows are written again.
    private func size(of table: TableMigration, _ highestKeys: [Int: Int64]) -> Float {
        guard let source = table.source else { return 0 }
        return isKept(table) ? 1 : max(1, Float(highestKeys[source.root.number] ?? 1))
    }

    /// A line for the log about each table: whether it is new, stays, is written again or is removed.
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
        let found = try engine.integer(
            """
            SELECT Z_PK FROM \(engine.table(entity.tableName)) WHERE Z_ENT = ? \
            AND \(engine.identifier(column.name)) NOT BETWEEN ? AND ? LIMIT 1
            """, [.integer(Int64(entity.number)), .integer(range.lowerBound), .integer(range.upperBound)])
        guard let found else { return }
        throw engine.error(
            NSMigrationError,
            reason: """
                The object \(entity.name)/p\(found) has a value of \(name) that is no number between \
                \(range.lowerBound) and \(range.upperBound), as the new model requires.
                """,
            suggestion: "Change the value with the old model, or give the attribute a larger type.",
            userInfo: ["entity": entity.name, "attribute": name])
    }

    /// Checks that no object lacks the destination of a relationship that becomes required, or is new and required.
    private func checkRequiredRelationships() throws {
        for part in tables {
            for entity in part.entities where !entity.destination.isAbstract {
                for (name, property) in entity.destination.properties.sortedBytewise(by: { $0.key }) {
                    guard let relationship = property.relationship, relationship.mustHaveDestination else { continue }
                    let previous = columns.mapping.entities[entity.destination.name]?.relationships[name]
                    guard let previous else {
                        try checkEmpty(entity.source, name)
                        continue
                    }
                    guard !relationship.isToMany, previous.isOptional, let old = entity.source.toOne(previous.name)
                    else { continue }
                    try checkRequired(old.column, in: entity.source, name)
                }
            }
        }
    }

    /// Checks that an entity has no objects: they would lack a new relationship.
    private func checkEmpty(_ entity: SQLEntity, _ name: String) throws {
        let found = try engine.integer(
            "SELECT Z_PK FROM \(engine.table(entity.tableName)) WHERE Z_ENT = ? LIMIT 1",
            [.integer(Int64(entity.number))])
        if let found { throw missingDestination(found, entity, name) }
    }

    private func checkRequired(_ column: SQLColumn, in entity: SQLEntity, _ name: String) throws {
        let found = try engine.integer(
            """
            SELECT Z_PK FROM \(engine.table(entity.tableName)) WHERE Z_ENT = ? \
            AND \(engine.identifier(column.name)) IS NULL LIMIT 1
            """, [.integer(Int64(entity.number))])
        if let found { throw missingDestination(found, entity, name) }
    }

    private func missingDestination(_ key: Int64, _ entity: SQLEntity, _ name: String) -> NSError {
        engine.error(
            NSMigrationError,
            reason: """
                The object \(entity.name)/p\(key) has no object of the relationship \(name), which \
                the new model requires.
                """,
            suggestion:
                "Make the relationship optional in the new model, or set it: with the old model, or by a policy.",
            userInfo: ["entity": entity.name, "relationship": name])
    }

    // MARK: Tables

    /// The beginning of the names of tables that nothing uses any more.
    package static let unusedPrefix = "Z_MIGRATED_"

    package func isKept(_ table: TableMigration) -> Bool { table.keptColumns != nil }

    /// Whether a join table stays as it is.
    package func isKept(_ join: SQLJoinTable) -> Bool {
        guard let old = source.joinTables.first(where: { $0.name == join.name && $0.columns == join.columns }),
            let owner = columns.sourceEntity(of: join.owner), owner === old.owner || owner.table === old.owner.table,
            let mapped = destination.entity(for: join.relationship.entity).flatMap({
                columns.mapping.entities[$0.name]?.relationships[join.relationship.name]
            })
        else { return false }
        return mapped === old.relationship || mapped.name == old.relationship.name
    }

    /// The present names of the source's tables, where they differ from their own.
    private struct PresentNames {
        var byName: [String: String] = [:]
        /// The names of the tables that are removed in the end.
        var temporary: Set<String> = []

        subscript(name: String) -> String { byName[name] ?? name }
    }

    /// Gives another name to each table that doesn't stay under its own.
    private func renameTables() throws -> PresentNames {
        let keptNames = Set(
            tables.filter { isKept($0) && $0.source?.name == $0.destination.name }.map(\.destination.name)
                + destination.joinTables.filter { isKept($0) }.map(\.name))
        var names = PresentNames()
        for name in source.tables.map(\.name) + source.joinTables.map(\.name) where !keptNames.contains(name) {
            if engine.keepsName(ofUnusedTable: name, self) { continue }
            let temporary = "\(Self.unusedPrefix)\(names.byName.count)"
            try engine.run("ALTER TABLE \(engine.table(name)) RENAME TO \(temporary)")
            names.byName[name] = temporary
            names.temporary.insert(temporary)
        }
        return names
    }

    /// Writes the rows of a table, or changes the table in place.
    private func fill(_ table: TableMigration, _ names: inout PresentNames) throws {
        guard let old = table.source else { return }
        let oldName = engine.table(names[old.name])
        let newName = engine.table(table.destination.name)
        if let kept = table.keptColumns {
            if oldName != newName {
                try engine.run("ALTER TABLE \(oldName) RENAME TO \(engine.identifier(table.destination.name))")
                names.temporary.remove(names[old.name])
                names.byName[old.name] = table.destination.name
            }
            try change(table.destination, kept)
            if !table.missingNumbers.isEmpty {
                let numbers = table.missingNumbers.map(String.init).joined(separator: ", ")
                try engine.run("DELETE FROM \(newName) WHERE Z_ENT IN (\(numbers))")
            }
            return
        }
        let values = table.destination.columns.map(table.value)
        let names = table.destination.columns.map { engine.identifier($0.name) }.joined(separator: ", ")
        let numbers = table.entities.map { String($0.source.number) }.joined(separator: ", ")
        try engine.run(
            """
            INSERT INTO \(newName) (\(names)) SELECT \(values.map { $0.sql(engine) }.joined(separator: ", ")) \
            FROM \(oldName) WHERE Z_ENT IN (\(numbers))
            """, values.flatMap(\.bindings))
    }

    /// Adds and renames columns.
    private func change(_ table: SQLTable, _ columns: [TableMigration.KeptColumn]) throws {
        let tableName = engine.table(table.name)
        var renamed: [(temporary: String, name: String)] = []
        for case .existing(let old, let column) in columns where old != column.name {
            let temporary = "\(Self.unusedPrefix)\(renamed.count)"
            try engine.run("ALTER TABLE \(tableName) RENAME COLUMN \(engine.identifier(old)) TO \(temporary)")
            renamed.append((temporary, column.name))
        }
        for (temporary, name) in renamed {
            try engine.run("ALTER TABLE \(tableName) RENAME COLUMN \(temporary) TO \(engine.identifier(name))")
        }
        for case .added(let column, let values) in columns {
            try engine.addColumn(column, to: table, values: values)
        }
    }

    /// Whether rows of the source are missing in a table.
    private func isIncomplete(_ table: SQLTable) -> Bool {
        tables.first { $0.destination === table }.map { !$0.missingNumbers.isEmpty || $0.source == nil } ?? false
    }

    // MARK: Values

    private func computeDerivedValues() throws {
        let translator = SQLQueryTranslator(schema: destination, dialect: engine.dialect) { _ in nil }
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
                if let value = engine.derivedValue(derivation) {
                    let numbers = entity.numbers.map(String.init).joined(separator: ", ")
                    text = """
                        UPDATE \(engine.table(entity.tableName)) AS S SET \
                        \(engine.identifier(attribute.column.name)) = \(value) WHERE S.Z_ENT IN (\(numbers))
                        """
                } else {
                    guard case .computedOnSave(let expression) = derivation else { continue }
                    let assignment = SQLBatchAssignment(
                        column: attribute.column.name, kind: attribute.column.kind, value: .expression(expression))
                    do {
                        let statement = try translator.update(
                            SQLQuery(entity: entity.entity, selection: .identifiers), [assignment], .matching)
                        text = statement.text
                        values = statement.bindings
                    } catch is SQLUnavailable {
                        try engine.computeValues(of: attribute, entity, expression)
                        continue
                    }
                }
                try engine.run(text, values)
            }
        }
    }

    // MARK: Errors

    /// The error of a uniqueness constraint that rows violate.
    ///
    /// - Parameters:
    ///   - table: the table with the rows.
    ///   - index: the statement that creates the index.
    ///   - cause: the error of the engine.
    package func constraintViolation(of table: SQLTable, index: String, _ cause: any Error) -> NSError {
        let constraints = table.entities.flatMap { entity in
            entity.uniquenessConstraints.map { (entity.name, $0.names) }
        }
        let violated = constraints.first { index.contains("Z_\($0.0)_UNIQUE_\($0.1.joined(separator: "_"))") }
        let (entity, names) = violated ?? (table.root.name, [])
        return engine.error(
            NSMigrationConstraintViolationError,
            reason: """
                Some objects of \(entity) have the same values of \(names.joined(separator: ", ")), which are unique \
                in the new model.
                """,
            suggestion: "Make the values differ with the old model.",
            userInfo: ["entity": entity, NSUnderlyingErrorKey: cause])
    }
}

extension NSRelationshipDescription {
    /// Whether an object without a destination is invalid. A required relationship to many objects without a minimum
    /// count may be empty.
    fileprivate var mustHaveDestination: Bool { !isOptional && !isTransient && (!isToMany || minCount > 0) }
}
