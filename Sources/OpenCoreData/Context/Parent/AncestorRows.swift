// SPDX-License-Identifier: Apache-2.0

/// The state of an object in an ancestor context, if it differs from the state in the store.
enum AncestorRow {
    /// The current values in the ancestor.
    case row(RetainedRow)
    case deleted
}

/// Rows for a child context: the values of objects in its ancestors, or in the store.
extension NSManagedObjectContext {
    // MARK: Reading, on the queue of the child

    /// The values of an object in the nearest ancestor that has them, or in the store.
    final func parentRow(_ layout: EntityLayout, key: Int64, store: StoreIdentity?) throws -> RetainedRow? {
        try performOnParent { try $0.rowForChild(layout, key: key, store: store) } ?? nil
    }

    /// The state of an object in the ancestors; nil if the store's row is valid.
    final func ancestorRow(_ object: NSManagedObject) -> AncestorRow? {
        performOnParent {
            $0.ancestorRowForChild(object.layout, key: object.primaryKey, store: object.table?.store)
        } ?? nil
    }

    /// The states of rows of one store in the ancestors, by key. Contains only rows that are not as in the store.
    final func ancestorRows(_ buffers: [RowBuffer], table: IdentityTable) -> [Int64: AncestorRow] {
        guard hierarchy.parent != nil, let store = table.store, let first = buffers.first, first.count > 0 else {
            return [:]
        }
        var rows: [RowHeader] = []
        rows.reserveCapacity(buffers.reduce(0) { $0 + $1.count })
        for buffer in buffers {
            for index in 0..<buffer.count { rows.append(buffer[index].header.pointee) }
        }
        let root = first.layouts[first[0].layoutNumber].root
        return performOnParent { $0.ancestorRowsForChild(rows, store: store, root: root) } ?? [:]
    }

    /// Calls a closure with each row of a store, or with the ancestors' row in its place. Omits rows that an ancestor
    /// has deleted.
    final func forEachRow(_ buffers: [RowBuffer], table: IdentityTable, _ body: (Row, RowBuffer) -> Void) {
        let ancestorRows = ancestorRows(buffers, table: table)
        for buffer in buffers {
            for index in 0..<buffer.count {
                switch ancestorRows.isEmpty ? nil : ancestorRows[buffer[index].primaryKey] {
                case nil: body(buffer[index], buffer)
                case .row(let found): body(found.row, found.buffer)
                case .deleted: continue
                }
            }
        }
    }

    // MARK: Answering a child, on the queue of the ancestor

    private func rowForChild(_ layout: EntityLayout, key: Int64, store: StoreIdentity?) throws -> RetainedRow? {
        let location = identityLocation(root: layout.root, key: key, store: store)
        switch registeredObject(layout, key: location.key, in: location.table)?.rowForChild {
        case .row(let row): return row
        case .deleted: return nil
        case nil: return try snapshot(layout, key: location.key, table: location.table)
        }
    }

    private func ancestorRowForChild(_ layout: EntityLayout, key: Int64, store: StoreIdentity?) -> AncestorRow? {
        let location = identityLocation(root: layout.root, key: key, store: store)
        if let row = registeredObject(layout, key: location.key, in: location.table)?.rowForChild { return row }
        return performOnParent {
            $0.ancestorRowForChild(layout, key: location.key, store: location.table.store)
        } ?? nil
    }

    private func ancestorRowsForChild(
        _ rows: [RowHeader], store: StoreIdentity, root: UInt32
    ) -> [Int64: AncestorRow] {
        let table = registry.table(store: store, root: root)
        var result: [Int64: AncestorRow] = [:]
        var remaining = rows
        if !table.isEmpty {
            remaining = []
            for row in rows {
                guard let object = table[row.primaryKey], object.layoutNumber == row.layout,
                    let found = object.rowForChild
                else {
                    remaining.append(row)
                    continue
                }
                // In the topmost context, an unchanged object is as in the store.
                let isStored =
                    hierarchy.parent == nil && !object.flags.contains(.ownsCells) && object.row?.version == row.version
                if !isStored || object.flags.contains(.deleted) { result[row.primaryKey] = found }
            }
        }
        guard !remaining.isEmpty,
            let above = performOnParent({ $0.ancestorRowsForChild(remaining, store: store, root: root) })
        else { return result }
        return result.merging(above) { nearest, _ in nearest }
    }
}

extension NSManagedObject {
    /// The state of the object for a child of its context; nil if it has no values here.
    fileprivate final var rowForChild: AncestorRow? {
        if !flags.isDisjoint(with: [.deleted, .detached]) { return .deleted }
        return currentRow.map(AncestorRow.row)
    }

    /// The current values: the committed row if the object shares its cells, otherwise a copy. Nil for a fault, and if
    /// the stored values could not be read.
    final var currentRow: RetainedRow? {
        guard !flags.contains(.fault), row != nil || flags.contains(.inserted) else { return nil }
        if !flags.contains(.ownsCells), let row, let buffer, row.primaryKey == primaryKey {
            return RetainedRow(buffer: buffer, row: row)
        }
        return RowBuffer.copy(of: cells, layout: layout, key: primaryKey, version: row?.version ?? 0)
    }
}
