// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The tables in which Apple's framework keeps CloudKit's mirror of a store: their names begin with `ANSCK`.
///
/// Versions of the framework have other columns. Each part of the mirror is examined if its columns are there.
struct SQLiteCloudKitMirror {
    static let prefix = "ANSCK"
    static let records = "ANSCKRECORDMETADATA"
    static let zones = "ANSCKRECORDZONEMETADATA"
    static let databases = "ANSCKDATABASEMETADATA"
    static let entries = "ANSCKMETADATAENTRY"
    static let pendingRelationships = "ANSCKIMPORTPENDINGRELATIONSHIP"
    /// The tables with what the mirror has done and how it is set up: with rows in them alone it mirrors nothing.
    private static let stateTables: Set = [
        entries, "ANSCKEVENT", "ANSCKHISTORYANALYZERSTATE", "ANSCKEXPORTMETADATA", "ANSCKEXPORTOPERATION",
        "ANSCKIMPORTOPERATION",
    ]

    /// A table of the mirror, as the file has it.
    struct Table {
        /// The name in the file, and the same in capitals.
        let name: String
        let key: String
        /// The columns in the file, by their names in capitals.
        let columns: [String: String]

        /// The name as SQL has it.
        var sql: String { SQLiteText.identifier(name) }

        /// A column as SQL has it; nil if the file doesn't have it.
        func column(_ name: String) -> String? { columns[name].map(SQLiteText.identifier) }
    }

    let connection: SQLiteConnection
    /// The schema of the file, if its tables are complete: see ``init(_:_:)``.
    let schema: SQLSchema?
    /// The tables whose rows can be examined, by their names in capitals.
    let tables: [String: Table]
    /// The others, and why they can't be.
    let foreign: [(name: String, reason: String)]

    /// Looks for the mirror's tables.
    ///
    /// - Parameter schema: the schema of the file; nil if the model that made it isn't known.
    /// - Returns: nil if the file has none.
    init?(_ connection: SQLiteConnection, _ schema: SQLSchema?) throws {
        let columns = try connection.tables()
        let parts = try connection.uncachedStatement(
            "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name LIKE ? ORDER BY name")
        try parts.bind([.text(Self.prefix + "%")])
        var tables: [String: Table] = [:]
        var foreign: [(String, String)] = []
        while try parts.step() {
            guard let name = parts.text(at: 0) else { continue }
            let known = columns[name] ?? []
            let table = Table(
                name: name, key: name.uppercased(),
                columns: Dictionary(known.map { ($0.uppercased(), $0) }, uniquingKeysWith: { one, _ in one }))
            if let reason = Self.foreignForm(of: table, isView: parts.text(at: 1) == "view", connection) {
                foreign.append((name, reason))
            } else {
                tables[table.key] = table
            }
        }
        guard !tables.isEmpty || !foreign.isEmpty else { return nil }
        self.connection = connection
        self.schema = try schema.flatMap { try $0.missingParts(inFile: connection.tables()).isEmpty ? $0 : nil }
        self.tables = tables
        self.foreign = foreign
    }

    /// The reason for which the rows of a table can't be examined; nil if they can.
    private static func foreignForm(of table: Table, isView: Bool, _ connection: SQLiteConnection) -> String? {
        if isView { return "is a view" }
        var needed = ["Z_PK"]
        if table.key == records { needed += ["ZENTITYID", "ZENTITYPK"] }
        if let missing = needed.first(where: { table.columns[$0] == nil }) { return "has no column \(missing)" }
        let hasRowNumbers = (try? connection.uncachedStatement("SELECT rowid FROM \(table.sql)")) != nil
        return hasRowNumbers ? nil : "is a table without row numbers"
    }

    /// The table with the records, and the names of its columns.
    var recordTable: Table? { tables[Self.records] }

    /// The number of rows of a table; 0 if the file doesn't have it.
    func count(_ table: String) throws -> Int64 {
        guard let table = tables[table] else { return 0 }
        return try connection.integer("SELECT COUNT(*) FROM \(table.sql)") ?? 0
    }

    /// Whether the mirror has nothing but its state.
    var isEmpty: Bool {
        get throws {
            guard foreign.isEmpty else { return false }
            for table in tables.keys where !Self.stateTables.contains(table) {
                if try count(table) > 0 { return false }
            }
            return true
        }
    }
}

extension SQLiteConnection {
    /// Makes a connection ready to read tables that anyone may have made.
    func restrictForeignSchema() throws {
        try SQLiteStoreOpener.restrictSchema(of: self)
        try SQLiteFunctions.install(on: self)
        try SQLiteCollations.install(on: self)
    }
}
