// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Executes lightweight migrations of SQLite stores, and reads the data for their plans.
struct SQLiteMigrationEngine {
    /// A connection with a transaction.
    let connection: SQLiteConnection
    let externalData: SQLiteExternalData

    /// Plans a migration of the file.
    ///
    /// - Throws: the errors of ``SQLLightweightMigration`` and ``SQLMigrationPlan``.
    func plan(from source: SQLSchema, to destination: SQLSchema, isDeferred: Bool) throws -> SQLMigrationPlan {
        let dialect = SQLiteMigrationDialect(storedObjects: try storedObjects())
        let migration = try SQLLightweightMigration(from: source, to: destination, isDeferred: isDeferred, dialect)
        let keys = try source.tables.map { ($0.root.number, try highestKey(of: $0)) }
        return try SQLMigrationPlan(
            migration, dialect, highestKeys: Dictionary(keys, uniquingKeysWith: max))
    }

    private func storedObjects() throws -> [SQLiteMigrationDialect.StoredObject] {
        let rows = try connection.uncachedStatement(
            "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE type IN ('index', 'trigger')")
        var objects: [SQLiteMigrationDialect.StoredObject] = []
        while try rows.step() {
            guard let type = rows.text(at: 0), let name = rows.text(at: 1), let table = rows.text(at: 2) else {
                continue
            }
            objects.append(
                SQLiteMigrationDialect.StoredObject(type: type, name: name, table: table, text: rows.text(at: 3)))
        }
        return objects
    }

    /// The highest key ever given to an object of an entity hierarchy.
    private func highestKey(of table: SQLTable) throws -> Int64 {
        let recorded = try connection.integer(
            "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(Int64(table.root.number))])
        let highest = try connection.integer("SELECT MAX(Z_PK) FROM \(SQLiteText.identifier(table.name))")
        return max(recorded ?? 0, highest ?? 0)
    }
}

extension SQLiteMigrationEngine: SQLMigrationExecutor {
    func run(_ statement: SQLStatement) throws {
        let prepared = try connection.uncachedStatement(statement.text)
        try prepared.bind(statement.bindings)
        try prepared.run()
    }

    func integer(_ statement: SQLStatement) throws -> Int64? {
        try connection.integer(statement.text, statement.bindings)
    }

    func counts(_ statement: SQLStatement) throws -> [(number: Int?, count: Int64)] {
        let rows = try connection.uncachedStatement(statement.text)
        try rows.bind(statement.bindings)
        var counts: [(Int?, Int64)] = []
        while try rows.step() { counts.append((rows.isNull(at: 0) ? nil : Int(rows.int64(at: 0)), rows.int64(at: 1))) }
        return counts
    }

    func readExternalData(of column: SQLColumn, in table: SQLTable) throws {
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
            try connection.run(
                "UPDATE \(rows) SET \(name) = ? WHERE Z_PK = ?",
                [.bytes(try externalData.decode(value)), .integer(key)])
        }
    }

    func rows(_ plan: RowPlan, _ select: SQLStatement) throws -> RowList {
        let reader = SQLiteRowReader(plan: plan, source: SQLiteExternalValueReader(externalData, on: connection))
        return try reader.readAll(select.text, select.bindings, on: connection)
    }

    func write(_ values: [(key: Int64, value: SQLValue)], to column: SQLColumn, of table: SQLTable) throws {
        let (name, rows) = (SQLiteText.identifier(column.name), SQLiteText.identifier(table.name))
        let statement = try connection.uncachedStatement("UPDATE \(rows) SET \(name) = ? WHERE Z_PK = ?")
        for (key, value) in values {
            try statement.bind([value, .integer(key)])
            try statement.run()
        }
    }

    func isUniqueViolation(_ error: any Error) -> Bool {
        (error as NSError).code == NSManagedObjectConstraintMergeError
    }

    var storeName: String { connection.path }

    func error(_ code: Int, reason: String, suggestion: String, userInfo: [String: Any]) -> NSError {
        SQLiteErrors.storeError(
            code, path: connection.path, reason: reason, suggestion: suggestion, userInfo: userInfo)
    }
}
