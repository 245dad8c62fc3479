/// Primary keys out of `Z_PRIMARYKEY`, inside the caller's transaction.
enum KeyAllocation {
    /// The key of each inserted row: a new one, or the one that the object got before.
    static func permanentKeys(_ rows: [StoreChanges.InsertedRow], open: SQLiteStore.OpenStore) throws -> [Int64] {
        // New objects of one hierarchy: the common case needs no lists.
        if let root = rows.first?.layout.root, rows.allSatisfy({ $0.key < 0 && $0.layout.root == root }) {
            let first = try reserve(Int64(rows.count), root: root, open: open)
            return (0..<Int64(rows.count)).map { first + $0 }
        }
        let fresh = rows.filter { $0.key < 0 }
        if fresh.isEmpty { return rows.map(\.key) }
        let keys = try allocate(fresh.map(\.layout), open: open)
        if fresh.count == rows.count { return keys }
        var next = 0
        return rows.map { row in
            guard row.key < 0 else { return row.key }
            defer { next += 1 }
            return keys[next]
        }
    }

    /// One new key for each layout, in their order.
    static func allocate(_ layouts: [EntityLayout], open: SQLiteStore.OpenStore) throws -> [Int64] {
        var counts: [UInt32: Int64] = [:]
        for layout in layouts { counts[layout.root, default: 0] += 1 }
        var next: [UInt32: Int64] = [:]
        for (root, count) in counts { next[root] = try reserve(count, root: root, open: open) }
        if next.count == 1, let first = next.values.first { return (0..<Int64(layouts.count)).map { first + $0 } }
        return layouts.map { layout in
            let key = next[layout.root]!
            next[layout.root] = key + 1
            return key
        }
    }

    /// - Returns: the first of `count` keys.
    private static func reserve(_ count: Int64, root: UInt32, open: SQLiteStore.OpenStore) throws -> Int64 {
        let entity = try open.entity(open.layouts[root])
        let connection = open.connection
        let number = SQLValue.integer(Int64(entity.number))
        let noted = try connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [number])
        // A file edited by hand may have rows above what is noted.
        let present = try connection.integer("SELECT MAX(Z_PK) FROM \(entity.tableName)") ?? 0
        let last = max(noted ?? 0, present)
        guard last <= Int64.max - count else {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSPersistentStoreSaveError,
                userInfo: [
                    NSLocalizedDescriptionKey: """
                    The entity \(entity.name) has no free primary keys: Z_MAX is \(last). The file \
                    \(open.file.path) is damaged.
                    """,
                    NSFilePathErrorKey: open.file.path,
                ])
        }
        if noted == nil {
            try connection.run(
                "INSERT INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES(?, ?, 0, ?)",
                [number, .text(entity.name), .integer(last + count)])
        } else {
            try connection.run("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", [.integer(last + count), number])
        }
        return last + 1
    }
}
