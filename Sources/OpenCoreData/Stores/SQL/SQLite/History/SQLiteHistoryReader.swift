internal import SQLiteLibrary

/// Reads the history tables of an open SQLite file.
struct SQLiteHistoryReader {
    private let open: SQLiteStore.OpenStore
    private let identity: StoreIdentity

    init(_ open: SQLiteStore.OpenStore, identity: StoreIdentity) {
        self.open = open
        self.identity = identity
    }

    /// The transactions of a part of the history, in order.
    func transactions(_ range: HistoryRange) throws -> [HistoryTransactionRecord] {
        let condition = SQLiteHistoryCondition(range)
        let strings = try strings()
        let statement = try open.connection.statement(
            """
            SELECT Z_PK, ZTIMESTAMP, ZAUTHORTS, ZAUTHOR, ZCONTEXTNAMETS, ZCONTEXTNAME, ZBUNDLEIDTS, ZBUNDLEID, \
            ZPROCESSIDTS, ZPROCESSID FROM ATRANSACTION\(condition.ofTransactions) ORDER BY Z_PK
            """)
        try statement.bind(condition.values)
        defer { statement.reset() }
        // The column for references to texts, or in files of older frameworks the one for texts.
        func text(_ column: Int32) -> String? {
            statement.isNull(at: column) ? statement.text(at: column + 1) : strings[statement.int64(at: column)]
        }
        var transactions: [HistoryTransactionRecord] = []
        while try statement.step() {
            transactions.append(
                HistoryTransactionRecord(
                    number: statement.int64(at: 0), store: identity,
                    timestamp: Date(timeIntervalSinceReferenceDate: statement.double(at: 1)), author: text(2),
                    contextName: text(4), bundleID: text(6) ?? "", processID: text(8) ?? ""))
        }
        return transactions
    }

    /// The texts of `ATRANSACTIONSTRING`, of which a file has few.
    private func strings() throws -> [Int64: String] {
        var strings: [Int64: String] = [:]
        let statement = try open.connection.statement("SELECT Z_PK, ZNAME FROM ATRANSACTIONSTRING")
        defer { statement.reset() }
        while try statement.step() { strings[statement.int64(at: 0)] = statement.text(at: 1) }
        return strings
    }

    /// Reads the changes of transactions, which are those of the same part.
    ///
    /// Changes of entities that the model doesn't have are left out, as are those of a damaged file.
    func addChanges(_ range: HistoryRange, to transactions: [HistoryTransactionRecord]) throws {
        let condition = SQLiteHistoryCondition(range)
        let tombstones = open.file.history?.tombstoneColumns ?? []
        let statement = try open.connection.statement(
            """
            SELECT Z_PK, ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS\
            \(tombstones.map { ", " + $0 }.joined()) \
            FROM ACHANGE\(condition.ofChanges) ORDER BY ZTRANSACTIONID, Z_PK
            """)
        try statement.bind(condition.values)
        defer { statement.reset() }
        for transaction in transactions { transaction.beginChanges() }
        var index = 0
        while try statement.step() {
            let number = statement.int64(at: 1)
            while index < transactions.count, transactions[index].number < number { index += 1 }
            guard index < transactions.count else { break }
            guard transactions[index].number == number, let change = try change(statement, tombstones.count) else {
                continue
            }
            transactions[index].append(change)
        }
    }

    private func change(_ statement: SQLiteStatement, _ tombstoneCount: Int) throws -> HistoryChangeRecord? {
        let key = statement.int64(at: 4)
        guard let layout = open.plans.mapping.layout(entity: statement.int64(at: 3)), key > 0,
            let type = NSPersistentHistoryChangeType(rawValue: Int(statement.int64(at: 2)))
        else { return nil }
        let plan = try open.plans.historyPlan(layout)
        var tombstone: [AnyHashable: Any]?
        if type == .delete, !plan.preservedColumns.isEmpty {
            var values: [AnyHashable: Any] = [:]
            for (index, column) in plan.preservedColumns.prefix(tombstoneCount).enumerated() {
                values[column.slot.name] = Self.value(statement, Int32(6 + index), column)
            }
            tombstone = values
        }
        return HistoryChangeRecord(
            number: statement.int64(at: 0), type: type,
            objectID: NSManagedObjectID(layout: layout, store: identity, key: key),
            updatedProperties: type == .update ? statement.withBytes(at: 5) { plan.properties($0) } : nil,
            tombstone: tombstone)
    }

    /// A preserved value as objects have it, nil for NULL.
    private static func value(_ statement: SQLiteStatement, _ index: Int32, _ column: HistoryPlan.PreservedColumn)
        -> Any?
    {
        if statement.isNull(at: index) { return nil }
        let value = sqlite3_column_value(statement.handle, index)
        switch column.kind {
        case .boolean: return NSNumber(value: statement.int64(at: index) != 0)
        case .integer16, .integer32, .integer64: return NumberObjects.integer(statement.int64(at: index))
        case .double: return NumberObjects.double(statement.double(at: index))
        case .float: return NSNumber(value: Float(statement.double(at: index)))
        case .date: return Date(timeIntervalSinceReferenceDate: statement.double(at: index))
        case .decimal: return SQLiteColumnValue.decimal(value)
        case .string: return SQLiteColumnValue.text(value)
        case .uri: return URL(string: SQLiteColumnValue.text(value))
        case .uuid: return SQLiteColumnValue.uuid(value)
        case .binary: return SQLiteColumnValue.data(value)
        case .transformable:
            return TransformableCoding.decode(StoredTransformable(SQLiteColumnValue.data(value)), slot: column.slot)
        default: return SQLiteColumnValue.any(value)
        }
    }
}
