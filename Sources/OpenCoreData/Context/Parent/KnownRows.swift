/// What a context above knows of an object, in place of the store.
enum KnownRow {
    /// Its present values.
    case row(RetainedRow)
    case deleted
}

/// Rows as a parent has them. What answers a child runs on the queue of the context that answers.
extension NSManagedObjectContext {
    // MARK: Asking

    /// The values of an object in the contexts above, at last in the store.
    final func rowOfParent(_ layout: EntityLayout, key: Int64, store: StoreIdentity?) throws -> RetainedRow? {
        try askParent { try $0.presentRow(layout, key: key, store: store) } ?? nil
    }

    /// What the contexts above know of an object; nil if the store's row counts.
    final func rowKnownToAncestors(_ object: NSManagedObject) -> KnownRow? {
        askParent { $0.knownRow(root: object.layout.root, key: object.primaryKey, store: object.table?.store) } ?? nil
    }

    /// What the contexts above know of a store's rows, by key: only that which differs from the rows.
    final func rowsKnownToAncestors(_ buffers: [RowBuffer], table: IdentityTable) -> [Int64: KnownRow] {
        guard parentContext != nil, let store = table.store, let first = buffers.first, first.count > 0 else {
            return [:]
        }
        var rows: [(key: Int64, version: Int32)] = []
        rows.reserveCapacity(buffers.reduce(0) { $0 + $1.count })
        for buffer in buffers {
            for index in 0..<buffer.count { rows.append((buffer[index].primaryKey, buffer[index].version)) }
        }
        return askParent { $0.knownRows(rows, store: store, root: first.layouts[first[0].layoutNumber].root) } ?? [:]
    }

    /// Goes through a store's rows with those in their place that the contexts above know; what is deleted there is
    /// left out.
    final func forEachRow(_ buffers: [RowBuffer], table: IdentityTable, _ body: (Row, RowBuffer) -> Void) {
        let known = rowsKnownToAncestors(buffers, table: table)
        for buffer in buffers {
            for index in 0..<buffer.count {
                switch known.isEmpty ? nil : known[buffer[index].primaryKey] {
                case nil: body(buffer[index], buffer)
                case .row(let found): body(found.row, found.buffer)
                case .deleted: continue
                }
            }
        }
    }

    // MARK: Answering

    private func presentRow(_ layout: EntityLayout, key: Int64, store: StoreIdentity?) throws -> RetainedRow? {
        let location = identityLocation(root: layout.root, key: key, store: store)
        switch location.table[location.key]?.knownRow {
        case .row(let row): return row
        case .deleted: return nil
        case nil: return try snapshot(layout, key: location.key, table: location.table)
        }
    }

    private func knownRow(root: UInt32, key: Int64, store: StoreIdentity?) -> KnownRow? {
        let location = identityLocation(root: root, key: key, store: store)
        if let known = location.table[location.key]?.knownRow { return known }
        return askParent { $0.knownRow(root: root, key: location.key, store: location.table.store) } ?? nil
    }

    private func knownRows(_ rows: [(key: Int64, version: Int32)], store: StoreIdentity, root: UInt32) -> [Int64:
        KnownRow]
    {
        let table = table(store: store, root: root)
        var known: [Int64: KnownRow] = [:]
        var rest = rows
        if !table.isEmpty {
            rest = []
            for row in rows {
                guard let object = table[row.key], let found = object.knownRow else {
                    rest.append(row)
                    continue
                }
                // Nobody above a context on stores has changed what it has not changed itself.
                let isStored =
                    parentContext == nil && !object.flags.contains(.ownsCells) && object.row?.version == row.version
                if !isStored || object.flags.contains(.deleted) { known[row.key] = found }
            }
        }
        guard !rest.isEmpty, let above = askParent({ $0.knownRows(rest, store: store, root: root) }) else {
            return known
        }
        return known.merging(above) { nearest, _ in nearest }
    }
}

extension NSManagedObject {
    /// The object as a child of its context sees it; nil if it has no values here.
    fileprivate final var knownRow: KnownRow? {
        if !flags.isDisjoint(with: [.deleted, .detached]) { return .deleted }
        return presentRow.map(KnownRow.row)
    }

    /// The object's present values: its committed row if that is all it has, else a copy. Nil for a fault, and where
    /// the stored values could not be read.
    final var presentRow: RetainedRow? {
        guard !flags.contains(.fault), row != nil || flags.contains(.inserted) else { return nil }
        if !flags.contains(.ownsCells), let row, let buffer, row.primaryKey == primaryKey {
            return RetainedRow(buffer: buffer, row: row)
        }
        return RowBuffer.copy(of: cells, layout: layout, key: primaryKey, version: row?.version ?? 0)
    }
}
