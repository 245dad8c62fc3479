// SPDX-License-Identifier: Apache-2.0

/// A cache of prepared statements by text. The least recently used ones are evicted.
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

    mutating func statement(for sql: String) -> SQLiteStatement? {
        guard let index = entries.index(forKey: sql) else { return nil }
        clock += 1
        entries.values[index].lastUse = clock
        return entries.values[index].statement
    }

    mutating func insert(_ statement: SQLiteStatement) {
        // A statement in use with the same text remains in the cache.
        guard entries[statement.sql] == nil else { return }
        if entries.count >= limit {
            // Evicting an eighth at a time makes the search for the oldest ones rare.
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
