// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The tables of the persistent history in a file: `ACHANGE`, `ATRANSACTION` and `ATRANSACTIONSTRING`, with the names
/// and the text of Apple's framework.
struct SQLiteHistoryTables: Sendable {
    /// An entity of the history. The raw value is its number in `Z_ENT` and `Z_PRIMARYKEY`.
    enum Entity: Int64, CaseIterable {
        case change = 16001
        case transaction = 16002
        case string = 16003

        var name: String {
            switch self {
            case .change: "CHANGE"
            case .transaction: "TRANSACTION"
            case .string: "TRANSACTIONSTRING"
            }
        }

        var table: String { "A" + name }
    }

    /// Whether the tables have all columns of a current framework. The framework of 2017 made tables without some of
    /// them.
    let isReadable: Bool
    /// The columns of preserved values, in order.
    let tombstoneColumns: [String]

    private static let keyColumns = [
        ("Z_PK", "INTEGER PRIMARY KEY"), ("Z_ENT", "INTEGER"), ("Z_OPT", "INTEGER"),
    ]

    private static func columns(of entity: Entity, tombstoneCount: Int) -> [(name: String, type: String)] {
        switch entity {
        case .change:
            keyColumns + [
                ("ZCHANGETYPE", "INTEGER"), ("ZENTITY", "INTEGER"), ("ZENTITYPK", "INTEGER"),
                ("ZTRANSACTIONID", "INTEGER"), ("ZCOLUMNS", "BLOB"),
            ] + (0..<tombstoneCount).map { ("ZTOMBSTONE\($0)", "BLOB") }
        case .transaction:
            keyColumns + [
                ("ZAUTHORTS", "INTEGER"), ("ZBUNDLEIDTS", "INTEGER"), ("ZCONTEXTNAMETS", "INTEGER"),
                ("ZPROCESSIDTS", "INTEGER"), ("ZTIMESTAMP", "FLOAT"), ("ZAUTHOR", "VARCHAR"), ("ZBUNDLEID", "VARCHAR"),
                ("ZCONTEXTNAME", "VARCHAR"), ("ZPROCESSID", "VARCHAR"), ("ZQUERYGEN", "BLOB"),
            ]
        case .string: keyColumns + [("ZNAME", "VARCHAR")]
        }
    }

    private static let indexes = [
        ("ACHANGE_ZTRANSACTIONID_INDEX", "INDEX", "ACHANGE (ZTRANSACTIONID)"),
        ("ATRANSACTION_ZAUTHORTS_INDEX", "INDEX", "ATRANSACTION (ZAUTHORTS)"),
        ("ATRANSACTION_ZBUNDLEIDTS_INDEX", "INDEX", "ATRANSACTION (ZBUNDLEIDTS)"),
        ("ATRANSACTION_ZCONTEXTNAMETS_INDEX", "INDEX", "ATRANSACTION (ZCONTEXTNAMETS)"),
        ("ATRANSACTION_ZPROCESSIDTS_INDEX", "INDEX", "ATRANSACTION (ZPROCESSIDTS)"),
        ("Z_TRANSACTION_TransactionAuthorIndex", "INDEX", "ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)"),
        ("Z_TRANSACTION_TransactionTimestampIndex", "INDEX", "ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)"),
        ("Z_TRANSACTIONSTRING_UNIQUE_NAME", "UNIQUE INDEX", "ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)"),
    ]

    // MARK: Reading

    /// Looks for the tables; nil if the file has none.
    init?(_ connection: SQLiteConnection) throws {
        let present = try Self.presentColumns(on: connection)
        if Entity.allCases.allSatisfy({ present[$0]?.isEmpty != false }) { return nil }
        isReadable = Entity.allCases.allSatisfy { entity in
            Self.columns(of: entity, tombstoneCount: 0).allSatisfy { present[entity]?.contains($0.name) == true }
        }
        var tombstones: [String] = []
        while present[.change]?.contains("ZTOMBSTONE\(tombstones.count)") == true {
            tombstones.append("ZTOMBSTONE\(tombstones.count)")
        }
        tombstoneColumns = tombstones
    }

    private static func presentColumns(on connection: SQLiteConnection) throws -> [Entity: Set<String>] {
        var present: [Entity: Set<String>] = [:]
        let statement = try connection.statement("SELECT name FROM pragma_table_info(?)")
        defer { statement.reset() }
        for entity in Entity.allCases {
            statement.reset()
            try statement.bind(entity.table, at: 1)
            while try statement.step() {
                if let name = statement.text(at: 0) { present[entity, default: []].insert(name) }
            }
        }
        return present
    }

    // MARK: Creating

    /// Creates the tables and columns that are missing, in a separate transaction.
    static func complete(on connection: SQLiteConnection, _ schema: SQLSchema) throws {
        let isComplete = try connection.withReadTransaction {
            guard let tables = try SQLiteHistoryTables(connection) else { return false }
            return tables.isReadable && tables.tombstoneColumns.count >= HistoryPlan.tombstoneCount(schema)
        }
        if isComplete { return }
        try connection.withTransaction(.immediate) { try create(on: connection, schema) }
    }

    /// Creates the tables, columns and indexes that are missing, in the open transaction.
    static func create(on connection: SQLiteConnection, _ schema: SQLSchema) throws {
        let present = try presentColumns(on: connection)
        for entity in Entity.allCases {
            let columns = columns(of: entity, tombstoneCount: HistoryPlan.tombstoneCount(schema))
            guard let known = present[entity] else {
                let list = columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
                try connection.uncachedStatement("CREATE TABLE \(entity.table) ( \(list) )").run()
                continue
            }
            for column in columns where !known.contains(column.name) {
                try connection.uncachedStatement("ALTER TABLE \(entity.table) ADD COLUMN \(column.name) \(column.type)")
                    .run()
            }
        }
        for (name, kind, columns) in indexes {
            let isPresent = try connection.integer(
                "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?", [.text(name)])
            if isPresent == nil { try connection.uncachedStatement("CREATE \(kind) \(name) ON \(columns)").run() }
        }
    }

    // MARK: Numbers

    /// The highest number ever given to a row.
    static func highestNumber(_ entity: Entity, on connection: SQLiteConnection) throws -> Int64 {
        let recorded = try connection.integer(
            "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(entity.rawValue)])
        let present = try connection.integer("SELECT MAX(Z_PK) FROM \(entity.table)") ?? 0
        return max(recorded ?? 0, present)
    }

    static func record(highest number: Int64, _ entity: Entity, on connection: SQLiteConnection) throws {
        try connection.run(
            "INSERT OR REPLACE INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES(?, ?, 0, ?)",
            [.integer(entity.rawValue), .text(entity.name), .integer(number)])
    }
}
