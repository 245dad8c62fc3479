// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Records changes in the history tables of a SQLite file, in the open transaction of a connection.
///
/// New rows with consecutive keys, deleted rows, and rows with the same updated properties are recorded by one
/// statement for all. The statement of other changes is bound and stepped for each row, and nothing is allocated.
final class SQLiteHistoryRecorder: HistoryRecorder {
    private typealias Tables = SQLiteHistoryTables

    private static let insertChange = """
        INSERT INTO ACHANGE(Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) \
        VALUES(?, ?, ?, ?, ?, ?, ?)
        """
    private static let insertTransaction = """
        INSERT INTO ATRANSACTION(Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, ZTIMESTAMP) \
        VALUES(?, ?, ?, ?, ?, ?, ?)
        """

    private let connection: SQLiteConnection
    private let origin: ChangeOrigin
    /// The number of the transaction, 0 before the first change.
    private var transaction: Int64 = 0
    /// The number of the last recorded change.
    private var lastChange: Int64 = 0
    /// Whether this recorder has recorded a change.
    private var hasChanges = false
    private var insertion: SQLiteStatement?

    init(_ connection: SQLiteConnection, _ origin: ChangeOrigin) {
        self.connection = connection
        self.origin = origin
    }

    func recordInsertions(_ plan: HistoryPlan, keys: ArraySlice<Int64>) throws {
        guard let first = keys.first, let last = keys.last else { return }
        // The rows of a new range of keys are recorded by one statement. SQLite finds the number of a row behind the
        // greatest one faster than it checks a given number.
        if keys.count > 2, last - first == keys.count - 1, zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) {
            try recordInsertions(plan, keys: keys.prefix(1))
            try begin(keys.count)
            try connection.run(
                """
                INSERT INTO ACHANGE(Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) \
                SELECT ?, ?, ?, Z_PK, ? FROM \(SQLiteText.identifier(plan.tableName)) \
                WHERE Z_PK BETWEEN ? AND ? ORDER BY Z_PK
                """,
                [
                    .integer(Tables.Entity.change.rawValue),
                    .integer(Int64(NSPersistentHistoryChangeType.insert.rawValue)), .integer(plan.entityNumber),
                    .integer(transaction), .integer(first + 1), .integer(last),
                ])
            lastChange += Int64(keys.count - 1)
            return
        }
        let statement = try changeStatement(.insert, entity: plan.entityNumber, count: keys.count)
        try statement.bindNull(at: 7)
        for key in keys { try run(statement, key) }
    }

    func recordUpdate(_ plan: HistoryPlan, key: Int64, columns: [UInt8]) throws {
        let statement = try changeStatement(.update, entity: plan.entityNumber, count: 1)
        try columns.withUnsafeBytes { try statement.bind($0, at: 7) }
        try run(statement, key)
    }

    func recordUpdates(_ plan: HistoryPlan, keys: some Sequence<Int64>, columns: [UInt8]) throws {
        try recordLists(.update, plan, keys, ["ZCOLUMNS"], values: ["?"], [.bytes(Data(columns))])
    }

    func recordDeletions(_ plan: HistoryPlan, keys: some Sequence<Int64>) throws {
        // The preserved values are copied in their stored form.
        try recordLists(
            .delete, plan, keys, plan.preservedColumns.indices.map { "ZTOMBSTONE\($0)" },
            values: plan.preservedColumns.map { SQLiteText.identifier($0.name) }, [])
    }

    /// The keys of one list.
    private static let keyCount = 8192
    /// The number of consecutive keys from which on a range of keys costs less than a list.
    private static let rangeCount = 32

    /// Records rows by ranges and lists of their keys. A key without a row has no change.
    ///
    /// - Parameters:
    ///   - columns: further columns of the changes.
    ///   - values: their values, as SQL over a row of the entity's table.
    ///   - bindings: the parameters in the values.
    private func recordLists(
        _ type: NSPersistentHistoryChangeType, _ plan: HistoryPlan, _ keys: some Sequence<Int64>, _ columns: [String],
        values: [String], _ bindings: [SQLValue]
    ) throws {
        func text(_ condition: String) -> String {
            """
            INSERT INTO ACHANGE(Z_PK, Z_ENT, ZCHANGETYPE, ZTRANSACTIONID, ZENTITY, \
            \((["ZENTITYPK"] + columns).joined(separator: ", "))) \
            SELECT ?, ?, ?, ?, Z_ENT, \((["Z_PK"] + values).joined(separator: ", ")) \
            FROM \(SQLiteText.identifier(plan.tableName)) WHERE Z_PK\(condition) ORDER BY Z_PK
            """
        }
        let listText = text(SQLiteDialect().keyMembership("?"))
        let rangeText = text(" BETWEEN ? AND ?")
        var rest = Array(keys)[...]
        while let key = rest.first {
            // SQLite numbers the rows of one statement from the greatest number in the table. Greater ones may have
            // been deleted, so the first change of this transaction gets its number here.
            let isFirst = !hasChanges
            let rangeCount = isFirst ? 1 : Self.rangeCount(rest)
            let isRange = isFirst || rangeCount >= Self.rangeCount
            let part = rest.prefix(isRange ? rangeCount : Self.keyCount)
            rest = rest.dropFirst(part.count)
            try begin(part.count)
            let shared: [SQLValue] = [
                isFirst ? .integer(lastChange + 1) : .null, .integer(Tables.Entity.change.rawValue),
                .integer(Int64(type.rawValue)), .integer(transaction),
            ]
            if isRange {
                let range: [SQLValue] = [.integer(key), .integer(key + Int64(part.count - 1))]
                try connection.run(rangeText, shared + bindings + range)
            } else {
                try connection.run(listText, shared + bindings + [SQLiteDialect().list(ofKeys: Array(part))])
            }
            lastChange += Int64(connection.changedRowCount)
            if connection.changedRowCount > 0 { hasChanges = true }
        }
    }

    /// The number of consecutive keys at the beginning.
    private static func rangeCount(_ keys: ArraySlice<Int64>) -> Int {
        guard let first = keys.first else { return 0 }
        var count = 1
        for key in keys.dropFirst() {
            guard key &- first == Int64(count) else { break }
            count += 1
        }
        return count
    }

    func finish() throws -> Int64? {
        guard transaction > 0 else { return nil }
        try Tables.record(highest: lastChange, .change, on: connection)
        try Tables.record(highest: transaction, .transaction, on: connection)
        return transaction
    }

    // MARK: Rows

    /// The statement that inserts a change, with the parameters that its rows share.
    private func changeStatement(_ type: NSPersistentHistoryChangeType, entity: Int64, count: Int) throws
        -> SQLiteStatement
    {
        try begin(count)
        let statement = try insertion ?? connection.statement(Self.insertChange)
        insertion = statement
        try statement.bind(Tables.Entity.change.rawValue, at: 2)
        try statement.bind(Int64(type.rawValue), at: 3)
        try statement.bind(entity, at: 4)
        try statement.bind(transaction, at: 6)
        return statement
    }

    @inline(__always)
    private func run(_ statement: SQLiteStatement, _ key: Int64) throws {
        lastChange += 1
        hasChanges = true
        try statement.bind(lastChange, at: 1)
        try statement.bind(key, at: 5)
        try statement.runAgain()
    }

    /// Begins the transaction at the first change.
    ///
    /// - Parameter count: the number of changes that must have free numbers.
    private func begin(_ count: Int) throws {
        if transaction > 0 {
            if lastChange > Int64.max - Int64(count) { throw exhausted(.change) }
            return
        }
        lastChange = try Tables.highestNumber(.change, on: connection)
        let last = try Tables.highestNumber(.transaction, on: connection)
        if lastChange > Int64.max - Int64(count) { throw exhausted(.change) }
        guard last >= 0, lastChange >= 0, last < Int64.max else { throw exhausted(.transaction) }
        let process = OperatingSystem.processName
        let values: [SQLValue] = [
            .integer(last + 1), .integer(Tables.Entity.transaction.rawValue), try string(origin.author),
            try string(OperatingSystem.bundleIdentifier ?? process), try string(origin.contextName),
            try string(process), .timestamp(Date()),
        ]
        try connection.run(Self.insertTransaction, values)
        transaction = last + 1
    }

    /// The reference to a text in `ATRANSACTIONSTRING`, which has each text once.
    private func string(_ text: String?) throws -> SQLValue {
        guard let text else { return .null }
        let known = try connection.integer("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?", [.text(text)])
        if let known { return .integer(known) }
        let last = try Tables.highestNumber(.string, on: connection)
        guard last < Int64.max else { throw exhausted(.string) }
        try connection.run(
            "INSERT INTO ATRANSACTIONSTRING(Z_PK, Z_ENT, ZNAME) VALUES(?, ?, ?)",
            [.integer(last + 1), .integer(Tables.Entity.string.rawValue), .text(text)])
        try Tables.record(highest: last + 1, .string, on: connection)
        return .integer(last + 1)
    }

    private func exhausted(_ entity: Tables.Entity) -> NSError {
        CoreDataErrors.error(
            NSPersistentStoreSaveError, "The history of the store has no free numbers in \(entity.table).",
            reason: "The file \(connection.path) is damaged.", userInfo: [NSFilePathErrorKey: connection.path])
    }
}

extension SQLiteSession {
    /// A recorder for the open transaction; nil if the store doesn't record its history.
    func historyRecorder(_ origin: ChangeOrigin) -> (any HistoryRecorder)? {
        file.history == nil || file.isReadOnly ? nil : SQLiteHistoryRecorder(connection, origin)
    }
}
