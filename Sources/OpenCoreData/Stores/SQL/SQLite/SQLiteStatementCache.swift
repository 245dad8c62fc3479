/// Prepared statements by text; the one unused for longest makes room.
struct SQLiteStatementCache {
    private struct Entry {
        let statement: SQLiteStatement
        var lastUse: UInt64
    }

    private var entries: [String: Entry] = [:]
    private var clock: UInt64 = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func take(_ sql: String) -> SQLiteStatement? {
        guard let index = entries.index(forKey: sql) else { return nil }
        clock += 1
        entries.values[index].lastUse = clock
        return entries.values[index].statement
    }

    mutating func keep(_ statement: SQLiteStatement) {
        // A statement of that text that is in use stays where it is.
        guard entries[statement.sql] == nil else { return }
        if entries.count >= limit {
            // Dropping an eighth at a time keeps the search for the oldest off the common path.
            let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(max(1, limit / 8))
            for entry in oldest { entries[entry.key] = nil }
        }
        clock += 1
        entries[statement.sql] = Entry(statement: statement, lastUse: clock)
    }

    mutating func removeAll() {
        entries.removeAll()
    }
}
