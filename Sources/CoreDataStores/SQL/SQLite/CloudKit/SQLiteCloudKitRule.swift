// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// A kind of mistake in a table of CloudKit's mirror: the condition by which its rows are found, and the way in which
/// they are mended.
struct SQLiteCloudKitRule {
    enum Mending {
        /// The rows are removed.
        case delete
        /// A column gets a value; a row that can't have it is removed.
        case set(column: String, SQLValue)
    }

    let kind: CloudKitFinding.Kind
    let table: SQLiteCloudKitMirror.Table
    /// A condition about the row `R` of the table, with values as parameters.
    let condition: String
    var values: [SQLValue] = []
    var mending = Mending.delete
    /// See ``CloudKitFinding/detail``.
    var detail = ""

    /// The numbers of the rows.
    private var rows: String { "SELECT R.rowid FROM \(table.sql) AS R WHERE \(condition)" }

    // MARK: Finding

    func count(on connection: SQLiteConnection) throws -> Int {
        let count = try connection.uncachedStatement("SELECT COUNT(*) FROM (\(rows))")
        try count.bind(values)
        return try count.step() ? Int(clamping: count.int64(at: 0)) : 0
    }

    /// The first rows, as a report has them.
    func examples(in mirror: SQLiteCloudKitMirror) throws -> [CloudKitFinding.Example] {
        let isRecord = table.key == SQLiteCloudKitMirror.records
        let columns = [
            isRecord ? table.column("ZENTITYID") : nil, isRecord ? table.column("ZENTITYPK") : nil,
            isRecord ? table.column("ZCKRECORDNAME") : nil,
        ].map { $0.map { "R." + $0 } ?? "NULL" }
        let statement = try mirror.connection.uncachedStatement(
            """
            SELECT R.rowid, \(columns.joined(separator: ", ")) FROM \(table.sql) AS R WHERE \(condition) \
            ORDER BY R.rowid LIMIT ?
            """)
        try statement.bind(values + [.integer(Int64(SQLiteStoreCheck.keyLimit))])
        var examples: [CloudKitFinding.Example] = []
        while try statement.step() {
            var example = CloudKitFinding.Example(row: statement.int64(at: 0))
            if case .integer(let entity) = statement.value(at: 1), case .integer(let key) = statement.value(at: 2) {
                example.entityNumber = entity
                example.entity = mirror.entityName(entity)
                example.primaryKey = key
            }
            example.recordName = statement.text(at: 3)
            examples.append(example)
        }
        return examples
    }

    // MARK: Mending

    /// Mends the rows.
    ///
    /// - Returns: the number of rows that were removed or changed.
    func mend(on connection: SQLiteConnection) throws -> Int {
        var changed = 0
        if case .set(let column, let value) = mending {
            // A record that the zone has under the same name stays as it is, and is removed below.
            try connection.run(
                "UPDATE OR IGNORE \(table.sql) SET \(column) = ? WHERE rowid IN (\(rows))", [value] + values)
            changed += connection.changedRowCount
        }
        guard try count(on: connection) > 0 else { return changed }
        try connection.run("DELETE FROM \(table.sql) WHERE rowid IN (\(rows))", values)
        return changed + connection.changedRowCount
    }
}

extension SQLiteCloudKitMirror {
    /// The name of an entity; nil if the model has none with the number, or isn't known.
    func entityName(_ number: Int64) -> String? {
        Int(exactly: number).flatMap { schema?.entity(number: $0)?.name }
    }

    /// Places for values in a list: "?, ?, ?".
    static func places(_ count: Int) -> String { Array(repeating: "?", count: count).joined(separator: ", ") }
}
