import CoreDataPredicates

/// The work that a lightweight migration has left for later: to remove columns and tables that nothing uses any more.
struct SQLiteDeferredMigration {
    /// A connection with a write transaction.
    let connection: SQLiteConnection
    /// The schema of the file.
    let schema: SQLSchema

    /// One part of the work: a statement that removes a table or a column.
    struct Task {
        fileprivate let sql: String
    }

    /// The next part of the work; nil if there is none.
    func nextTask() throws -> Task? {
        let present = try connection.tables()
        let prefix = SQLLightweightMigration.unusedPrefix
        if let table = present.keys.filter({ $0.hasPrefix(prefix) }).min() {
            return Task(sql: "DROP TABLE \(SQLiteText.identifier(table))")
        }
        for table in schema.tables {
            let used = Set(table.columns.map { $0.name.uppercased() })
            let found = present.first { $0.key.uppercased() == table.name.uppercased() }
            guard let column = found?.value.first(where: { !used.contains($0.uppercased()) }) else { continue }
            return Task(
                sql: """
                    ALTER TABLE \(SQLiteText.identifier(table.name)) DROP COLUMN \(SQLiteText.identifier(column))
                    """)
        }
        return nil
    }

    func run(_ task: Task) throws { try connection.uncachedStatement(task.sql).run() }

    /// Does all of the work, if the metadata say that there is some.
    func runAll() throws {
        guard try Self.isPending(on: connection) else { return }
        while let task = try nextTask() { try run(task) }
    }

    /// Whether the metadata of a file say that there is work.
    static func isPending(on connection: SQLiteConnection) throws -> Bool {
        let value = try SQLiteStoreMetadata.read(on: connection)
            .dictionary[NSPersistentStoreDeferredLightweightMigrationOptionKey]
        return (value as? NSNumber)?.boolValue ?? false
    }
}

extension SQLiteStore: DeferredMigrationStore {
    func finishDeferredMigration(tasks: Int) throws {
        let key = NSPersistentStoreDeferredLightweightMigrationOptionKey
        guard !isReadOnly, (metadata?[key] as? NSNumber)?.boolValue == true else { return }
        for _ in 0..<tasks {
            let isFinished = try withOpen { open in
                // Each part is a transaction, so that other processes don't wait for all.
                try MigrationLog.step("Deferred work of \(open.file.path)") {
                    try open.connection.withTransaction(.immediate) { () -> Bool in
                        let work = SQLiteDeferredMigration(connection: open.connection, schema: open.schema)
                        if let task = try work.nextTask() { try work.run(task) }
                        guard try work.nextTask() == nil else { return false }
                        let stored = try SQLiteStoreMetadata.read(on: open.connection)
                        var dictionary = stored.dictionary
                        dictionary[key] = nil
                        try SQLiteStoreMetadata(identifier: stored.identifier, dictionary: dictionary)
                            .write(on: open.connection)
                        return true
                    }
                }
            }
            guard isFinished else { continue }
            metadata?[key] = nil
            guard try withOpen({ $0.connection.hasManyFreePages }) else { return }
            while try withOpen({ $0.connection.giveBackSomeFreePages() }) {}
            return
        }
    }
}
