extension SQLiteStore: SnapshotStore {
    func rows(_ query: StoreQuery) throws -> RowList {
        try withOpen { open in
            let reader = try open.reader(query.layout, includesSubentities: query.includesSubentities)
            let plan = try open.translate(query, selecting: .columns(reader.columns))
            let statement = try open.connection.statement(plan.text)
            try statement.bind(plan.bindings)
            let list = try reader.readAll(statement, expected: query.limit)
            rowCache.add(list.buffers, root: query.layout.root)
            return list
        }
    }

    func references(_ query: StoreQuery) throws -> [ObjectReference] {
        try withOpen { open in
            let plan = try open.translate(query, selecting: .identifiers)
            let statement = try open.connection.statement(plan.text)
            try statement.bind(plan.bindings)
            return try open.references(statement, declared: query.layout)
        }
    }

    func count(_ query: StoreQuery) throws -> Int {
        try withOpen { open in
            let plan = try open.translate(query, selecting: .count)
            return Int(try open.connection.integer(plan.text, plan.bindings) ?? 0)
        }
    }

    func snapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        if let cached = rowCache.row(root: layout.root, key: key) { return cached }
        return try withOpen { open in
            let reader = try open.reader(layout, includesSubentities: true)
            let entity = try open.entity(layout)
            let statement = try open.connection.statement(reader.rowByKeyText(table: entity.tableName))
            try statement.bind(key, at: 1)
            let list = try reader.readAll(statement, expected: 1)
            guard let buffer = list.buffers.first, buffer.count > 0 else { return nil }
            rowCache.add(list.buffers, root: layout.root)
            return RetainedRow(buffer: buffer, row: buffer[0])
        }
    }

    func destinations(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) throws -> [ObjectReference] {
        try withOpen { open in
            let entity = try open.entity(ownerLayout)
            guard case .toMany(let relationship)? = entity.properties[slot.name] else { return [] }
            let statement = try open.connection.statement(relationship.contentText)
            for parameter in 1...Int32(statement.parameterCount) { try statement.bind(key, at: parameter) }
            return try open.references(statement, declared: ownerLayout.model[slot.destination])
        }
    }

    func cache(_ rows: RowList, root: UInt32) { rowCache.add(rows.buffers, root: root) }

    func forget(layout: EntityLayout, key: Int64) { rowCache.forget(root: layout.root, key: key) }
}

extension SQLiteStore.OpenStore {
    func entity(_ layout: EntityLayout) throws -> SQLEntity {
        if let entity = mapping.entity(layout) { return entity }
        throw NSError(domain: NSCocoaErrorDomain, code: NSPersistentStoreOperationError, userInfo: [
            NSLocalizedDescriptionKey: "The store \(file.path) doesn't hold the entity \(layout.name): its configuration has others.",
            NSFilePathErrorKey: file.path,
        ])
    }

    func reader(_ layout: EntityLayout, includesSubentities: Bool) throws -> RowReader {
        // The upper bit keeps the two kinds of readers of an entity apart.
        let key = layout.number | (includesSubentities && layout.span > 0 ? 0x8000_0000 : 0)
        if let known = readers[key] { return known }
        let reader = RowReader(
            layout: layout, includesSubentities: includesSubentities, entity: try entity(layout), mapping: mapping, externalData: file.externalData)
        readers[key] = reader
        return reader
    }

    func translate(_ query: StoreQuery, selecting selection: SQLQuery.Selection) throws -> SQLQueryPlan {
        _ = try entity(query.layout)
        var translated = SQLQuery(entity: query.layout.entity, selection: selection)
        translated.includesSubentities = query.includesSubentities
        translated.predicate = query.predicate
        translated.sortDescriptors = query.sortDescriptors
        translated.limit = query.limit
        translated.offset = query.offset
        translated.distinct = query.returnsDistinctResults
        return try SQLQueryTranslator(schema: schema, storeIdentifier: file.identifier).statement(translated)
    }

    /// The keys and entities of a statement whose first columns are `Z_PK` and `Z_ENT`.
    func references(_ statement: SQLiteStatement, declared: EntityLayout) throws -> [ObjectReference] {
        defer { statement.reset() }
        var result: [ObjectReference] = []
        while try statement.step() {
            let layout = mapping.layout(entity: statement.int64(at: 1)) ?? declared
            result.append(ObjectReference(key: statement.int64(at: 0), layout: layout.number))
        }
        return result
    }
}

extension RowReader {
    /// The statement that fetches one row by its key.
    func rowByKeyText(table: String) -> String {
        let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.name)).map { "t0.\($0)" }.joined(separator: ", ")
        return "SELECT \(names) FROM \(table) t0 WHERE t0.Z_PK = ?"
    }
}

extension SQLToMany {
    /// The statement that fetches keys and entities of one owner's content.
    var contentText: String {
        let table = destination.tableName
        switch storage {
        case .foreignKey(let key):
            let order = key.orderColumn.map { "t0.\($0.name), t0.Z_PK" } ?? "t0.Z_PK"
            return "SELECT t0.Z_PK, t0.Z_ENT FROM \(table) t0 WHERE t0.\(key.column.name) = ? ORDER BY \(order)"
        case .join(let join):
            if join.table.isReflexive {
                // Each link is written both ways; a file of another hand may have only one of the rows.
                return "SELECT t0.Z_PK, t0.Z_ENT FROM \(table) t0 WHERE t0.Z_PK IN (SELECT \(join.contentColumn) FROM \(join.table.name) WHERE \(join.ownerColumn) = ? UNION SELECT \(join.ownerColumn) FROM \(join.table.name) WHERE \(join.contentColumn) = ?) ORDER BY t0.Z_PK"
            }
            let order = join.orderColumn.map { "t1.\($0), t0.Z_PK" } ?? "t0.Z_PK"
            return "SELECT t0.Z_PK, t0.Z_ENT FROM \(join.table.name) t1 JOIN \(table) t0 ON t0.Z_PK = t1.\(join.contentColumn) WHERE t1.\(join.ownerColumn) = ? ORDER BY \(order)"
        }
    }
}
