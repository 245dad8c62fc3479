/// One save into a SQLite store: changes become row operations, in one transaction.
///
/// Order: deletions, updates, insertions, relationship contents, metadata. A row whose version isn't the one the
/// context saw is a conflict; all conflicts are gathered before the transaction is rolled back.
final class SQLiteSave {
    let open: SQLiteStore.OpenStore
    private let changes: StoreChanges
    private var result = StoreSaveResult()
    private var conflicts: [StoreConflict.Row] = []
    /// Permanent keys by temporary ones, made at the first reference to a new object.
    private var permanentKeys: [Int64: Int64]?
    /// Files of external data written by this save, and those it makes superfluous.
    private var newFiles: [String] = []
    private var oldFiles: [String] = []

    init(_ changes: StoreChanges, open: SQLiteStore.OpenStore) {
        self.changes = changes
        self.open = open
    }

    private var connection: SQLiteConnection { open.connection }

    func run(metadata: [String: Any]?, beforeCommit: () throws -> Void) throws -> StoreSaveResult {
        do {
            try write(metadata, isCheckingUniqueness: false, beforeCommit)
        } catch is RefusedByIndex {
            // Rows may hold the values only until the save is done: what violates the constraint, if anything, is found
            // among all rows.
            forget()
            do {
                try write(metadata, isCheckingUniqueness: true, beforeCommit)
            } catch RefusedByIndex.error(let refusal) {
                throw refusal
            }
        }
        open.generations.didCommit(removing: oldFiles)
        result.touched = touchedRows()
        return result
    }

    private func write(_ metadata: [String: Any]?, isCheckingUniqueness: Bool, _ beforeCommit: () throws -> Void) throws
    {
        connection.affectedRows.removeAll()
        do {
            try connection.withTransaction {
                if isCheckingUniqueness {
                    let violations = try UniquenessCheck(changes).violations(UniquenessLookup(save: self).holder)
                    if !violations.isEmpty { throw StoreConflict(violations: violations) }
                }
                do {
                    try writeRows(isVacating: isCheckingUniqueness)
                } catch let error as NSError
                    where error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectConstraintMergeError
                {
                    throw conflicts.isEmpty ? RefusedByIndex.error(error) : StoreConflict(rows: conflicts)
                }
                if let metadata { try open.file.write(metadata: metadata) }
                if !conflicts.isEmpty { throw StoreConflict(rows: conflicts) }
                try beforeCommit()
            }
        } catch {
            for name in newFiles { try? open.file.externalData.remove(file: name) }
            throw error
        }
    }

    /// A unique index has refused a row.
    private enum RefusedByIndex: Error { case error(NSError) }

    /// Forgets what an undone attempt has noted.
    private func forget() {
        result = StoreSaveResult()
        permanentKeys = nil
        newFiles = []
        oldFiles = []
    }

    private func writeRows(isVacating: Bool) throws {
        result.keys = try KeyAllocation.permanentKeys(changes.inserted, open: open)
        try checkRows()
        try deleteRows()
        if isVacating { try UniquenessLookup(save: self).vacate(changes.updated) }
        try updateRows()
        try insertRows()
        for link in changes.links { try LinkWriter(link, save: self).write() }
    }

    // MARK: Rows

    func writer(_ layout: EntityLayout) throws -> RowWriter {
        if let known = open.writers[layout.number] { return known }
        let writer = RowWriter(layout: layout, entity: try open.entity(layout))
        open.writers[layout.number] = writer
        return writer
    }

    private func insertRows() throws {
        var position = 0
        while position < changes.inserted.count {
            let layout = changes.inserted[position].layout
            let writer = try writer(layout)
            let number = Int64(writer.entity.number)
            let statement = try connection.statement(writer.insertText)
            while position < changes.inserted.count && changes.inserted[position].layout === layout {
                let row = changes.inserted[position]
                try statement.bind(result.keys[position], at: 1)
                try statement.bind(number, at: 2)
                try statement.bind(1 as Int64, at: 3)
                let binder = CellBinder(save: self, cells: row.cells)
                var parameter: Int32 = 4
                for index in 0..<writer.plainSteps.count {
                    let plain = writer.plainSteps[index]
                    switch plain.kind {
                    case .boolean, .integer16, .integer32, .integer64:
                        if row.cells.isPresent(plain.cell) {
                            try statement.bind(row.cells.integer(plain.cell), at: parameter)
                        } else {
                            try statement.bindNull(at: parameter)
                        }
                        parameter += 1
                    default:
                        parameter = try binder.bind(writer.steps[index], to: statement, at: parameter)
                    }
                }
                try statement.runAgain()
                position += 1
            }
        }
    }

    /// Rows that must be as the context saw them, and keys of objects inserted again, which must be free.
    private func checkRows() throws {
        for row in changes.checked {
            let text = "SELECT Z_OPT FROM \(try writer(row.layout).entity.tableName) WHERE Z_PK = ?"
            if try connection.integer(text, [.integer(row.key)]) != Int64(row.version) {
                try noteConflict(row.layout, row.key, row.version)
            }
        }
        for row in changes.inserted where row.isReplacement {
            if try open.row(row.layout, key: row.key) != nil { try noteConflict(row.layout, row.key, 0) }
        }
    }

    private func updateRows() throws {
        for row in changes.updated {
            let writer = try writer(row.layout)
            let changed = writer.steps.filter { !$0.slot.isEqual(row.cells, row.committed) }
            var cleared: Set<String> = []
            for step in changed {
                if let order = step.orderColumn, !row.cells.isPresent(step.slot.cell) { cleared.insert(order) }
            }
            try noteOldFiles(changed.filter { $0.kind == .externalBinary }, writer, row.key)
            let statement = try connection.statement(writer.updateText(changed, clearingOrder: cleared))
            let binder = CellBinder(save: self, cells: row.cells)
            var parameter: Int32 = 1
            for step in changed { parameter = try binder.bind(step, to: statement, at: parameter) }
            try statement.bind(Int64(row.version) + 1, at: parameter)
            try statement.bind(row.key, at: parameter + 1)
            try statement.bind(Int64(row.version), at: parameter + 2)
            try statement.run()
            if connection.changedRowCount == 0 { try noteConflict(row.layout, row.key, row.version) }
        }
    }

    private func deleteRows() throws {
        for row in changes.deleted {
            let writer = try writer(row.layout)
            try noteOldFiles(writer.externalSteps, writer, row.key)
            if row.version == 0 {
                try connection.run("DELETE FROM \(writer.entity.tableName) WHERE Z_PK = ?", [.integer(row.key)])
            } else {
                let statement = try connection.statement(writer.deleteText)
                try statement.bind(row.key, at: 1)
                try statement.bind(Int64(row.version), at: 2)
                try statement.run()
                // A row that somebody else has deleted is as it should be.
                if connection.changedRowCount == 0, try open.row(row.layout, key: row.key) != nil {
                    try noteConflict(row.layout, row.key, row.version)
                    continue
                }
            }
            try LinkWriter.forgetOwner(writer.entity, key: row.key, connection: connection)
        }
    }

    private func noteConflict(_ layout: EntityLayout, _ key: Int64, _ version: Int32) throws {
        conflicts.append(
            StoreConflict.Row(layout: layout, key: key, version: version, persisted: try open.row(layout, key: key)))
    }

    // MARK: Keys and files

    /// The permanent key of an object that is inserted by this save.
    func permanentKey(_ key: Int64) throws -> Int64 {
        guard key < 0 else { return key }
        if permanentKeys == nil {
            permanentKeys = Dictionary(
                zip(changes.inserted.map(\.key), result.keys), uniquingKeysWith: { first, _ in first })
        }
        if let permanent = permanentKeys?[key] { return permanent }
        throw StoreChanges.unknownReference
    }

    /// What the column gets for a value with external storage.
    func externalColumn(_ data: Data) throws -> Data {
        let (column, file) = try open.file.externalData.encode(data)
        if let file { newFiles.append(file) }
        return column
    }

    private func noteOldFiles(_ steps: [RowWriter.Step], _ writer: RowWriter, _ key: Int64) throws {
        for step in steps {
            let column = try connection.data(
                "SELECT \(step.column) FROM \(writer.entity.tableName) WHERE Z_PK = ?", [.integer(key)])
            if let column, let name = SQLiteExternalData.fileName(in: column) { oldFiles.append(name) }
        }
    }

    /// Rows whose derived attributes the store's triggers have changed.
    private func touchedRows() -> [ObjectReference] {
        var seen: Set<ObjectReference> = []
        return connection.affectedRows.compactMap { row in
            guard let layout = open.mapping.layout(entity: row.entityNumber) else { return nil }
            let reference = ObjectReference(key: row.primaryKey, layout: layout.number)
            return seen.insert(reference).inserted ? reference : nil
        }
    }
}

extension SQLiteStore {
    func allocateKeys(_ layouts: [EntityLayout]) throws -> [Int64] {
        try withOpen { open in
            try open.connection.withTransaction { try KeyAllocation.allocate(layouts, open: open) }
        }
    }

    func computedOnSave(_ layout: EntityLayout) throws -> [PropertySlot] {
        try withOpen { open in
            let entity = try open.entity(layout)
            return layout.derivedProperties.map { layout.properties[$0] }.filter {
                entity.attribute($0.name)?.derivation?.isKeptByTriggers == false
            }
        }
    }

    func save(_ changes: StoreChanges, beforeCommit: () throws -> Void) throws -> StoreSaveResult {
        try withOpen { open in
            let saved = try SQLiteSave(changes, open: open).run(
                metadata: open.metadataChanged ? metadata : nil, beforeCommit: beforeCommit)
            open.metadataChanged = false
            return saved
        }
    }
}
