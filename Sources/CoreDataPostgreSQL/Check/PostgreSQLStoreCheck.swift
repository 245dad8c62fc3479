// SPDX-License-Identifier: Apache-2.0

/// Finds what isn't as Core Data writes it in a store on a server. Nothing is changed.
package struct PostgreSQLStoreCheck {
    private let access: PostgreSQLClosedStore.Access
    private let schema: SQLSchema

    /// Whether there is a store at a URL.
    package static func exists(at url: URL) throws -> Bool {
        try PostgreSQLClosedStore(url, nil).contents() == .store
    }

    /// The defects of a store.
    ///
    /// - Parameters:
    ///   - url: the URL of the store.
    ///   - model: the model that made the store.
    /// - Throws: 260 for a schema without a store, and the errors of reading.
    package static func defects(at url: URL, model: NSManagedObjectModel) throws -> [StoreDefect] {
        let store = try PostgreSQLClosedStore(url, [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        return try store.read { access in
            try access.connection.executeScript("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            model.freeze()
            return try PostgreSQLStoreCheck(access: access, schema: try access.schema(model)).defects()
        }
    }

    private func defects() throws -> [StoreDefect] {
        let missing = try missingTables()
        if !missing.isEmpty { return missing }
        var defects: [StoreDefect] = []
        for table in schema.tables { defects += try keyDefects(of: table) }
        return try defects + SQLReferenceCheck(dialect: access.dialect, keys: keys).defects(of: schema)
    }

    // MARK: Tables

    private func missingTables() throws -> [StoreDefect] {
        try PostgreSQLStoredTables(access.connection, access.dialect).missing(of: schema).map { part in
            guard let column = part.column else {
                return StoreDefect(.missingTable, "The table \(part.table) is missing")
            }
            return StoreDefect(.missingColumn, "The table \(part.table) has no column \(column)")
        }
    }

    /// Rows of unknown entities, and rows whose keys will be given again.
    private func keyDefects(of table: SQLTable) throws -> [StoreDefect] {
        var defects: [StoreDefect] = []
        let numbers = schema.entities.filter { $0.tableName == table.name }.map(\.number)
        let name = access.dialect.table(table.name)
        if let found = try keys("SELECT z_pk FROM \(name) WHERE z_ent NOT IN (\(Self.list(numbers)))") {
            defects.append(
                StoreDefect(
                    .unknownEntity, count: found.count, primaryKeys: found.keys,
                    "\(Wording.count(found.count, "row")) of the table \(table.name) "
                        + "\(found.count == 1 ? "has" : "have") an entity that the model doesn't have in it"))
        }
        let sequence = access.dialect.table(PostgreSQLDefinition.sequence(table.name))
        // Two statements: in a cluster the rows are on another server than the sequence.
        func number(_ text: String) throws -> Int64 {
            let result = try access.connection.execute(text)
            return result.rowCount > 0 ? result[0].int64(0) : 0
        }
        let highest = try number("SELECT COALESCE(MAX(z_pk), 0)::bigint FROM \(name)")
        let last = try number(
            "SELECT (CASE WHEN is_called THEN last_value ELSE last_value - 1 END)::bigint FROM \(sequence)")
        if highest > last {
            defects.append(
                StoreDefect(
                    .lowHighestKey, primaryKeys: [highest],
                    "The sequence of the table \(table.name) is at \(last), below the highest key"))
        }
        return defects
    }

    // MARK: Keys

    /// The number of the keys that a select gives, and the first ones; nil if there are none.
    private func keys(_ select: String) throws -> (count: Int, keys: [Int64])? {
        let result = try access.connection.execute(
            "SELECT k, COUNT(*) OVER () FROM (\(select)) AS x (k) ORDER BY k LIMIT 5")
        guard result.rowCount > 0 else { return nil }
        return (Int(result[0].int64(1)), result.map { $0.int64(0) })
    }

    private static func list(_ numbers: some Sequence<Int>) -> String {
        numbers.map(String.init).joined(separator: ", ")
    }
}
