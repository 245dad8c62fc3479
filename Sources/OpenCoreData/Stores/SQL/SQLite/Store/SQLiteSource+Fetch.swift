extension SQLiteSource {
    var runsFetchesInPredicates: Bool { true }

    func rows(_ query: StoreQuery) throws -> RowList {
        try withOpen { open in
            let reader = try open.reader(
                query.layout, includesSubentities: query.includesSubentities, properties: query.properties)
            let plan = try open.translate(query, selecting: .columns(reader.columns))
            let statement = try open.connection.statement(plan.text)
            try statement.bind(plan.bindings)
            let list = try open.connection.cancellable(query.control) {
                try reader.readAll(statement, expected: query.limit, control: query.control)
            }
            if !list.isPartial { rowCache.add(list.buffers) }
            return list
        }
    }

    func rows(layout: EntityLayout, keys: [Int64], properties: Set<Int>?) throws -> RowList {
        try withOpen { open in
            let reader = try open.reader(layout, includesSubentities: true, properties: properties)
            let rows = try open.rowsStatement(layout, reader, properties: properties)
            let statement = try open.connection.statement(rows.text)
            try statement.bind(rows.bindings(for: keys))
            let list = try reader.readAll(statement, expected: keys.count)
            if !list.isPartial { rowCache.add(list.buffers) }
            return list
        }
    }

    func contents(of slot: PropertySlot, ownerLayout: EntityLayout, keys: [Int64]) throws -> StoreContents {
        try withOpen { open in
            let destination = ownerLayout.model[slot.destination]
            guard case .toMany(let relationship)? = try open.entity(ownerLayout).properties[slot.name] else {
                return StoreContents(rows: RowList(layout: destination, includesSubentities: true))
            }
            let reader = try open.reader(destination, includesSubentities: true)
            let content = open.contentsStatement(ownerLayout, slot, relationship, reader)
            let statement = try open.connection.statement(content.text)
            try statement.bind(content.bindings(for: keys))
            let contents = try reader.readContents(statement)
            rowCache.add(contents.rows.buffers)
            return contents
        }
    }

    func references(_ query: StoreQuery) throws -> [ObjectReference] {
        try withOpen { open in
            let plan = try open.translate(query, selecting: .identifiers)
            let statement = try open.connection.statement(plan.text)
            try statement.bind(plan.bindings)
            return try open.connection.cancellable(query.control) {
                try open.references(statement, declared: query.layout, control: query.control)
            }
        }
    }

    func count(_ query: StoreQuery) throws -> Int {
        try withOpen { open in
            let plan = try open.translate(query, selecting: query.projection.map { .valueCount($0) } ?? .count)
            return Int(
                try open.connection.cancellable(query.control) { try open.connection.integer(plan.text, plan.bindings) }
                    ?? 0)
        }
    }

    func snapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        if let cached = rowCache.row(root: layout.root, key: key) { return cached }
        return try withOpen { open in
            guard let found = try open.row(layout, key: key) else { return nil }
            rowCache.add([found.buffer])
            return found
        }
    }

    func destinations(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) throws -> [ObjectReference] {
        try withOpen { open in
            let entity = try open.entity(ownerLayout)
            guard case .toMany(let relationship)? = entity.properties[slot.name] else { return [] }
            let content = open.contentStatement(ownerLayout, slot, relationship)
            let statement = try open.connection.statement(content.text)
            try statement.bind(content.bindings(for: key))
            return try open.references(statement, declared: ownerLayout.model[slot.destination])
        }
    }
}

extension SQLiteStore: SnapshotStore {
    func cache(_ rows: RowList, replacing: Bool) {
        rowCache.addSaved(rows.buffers, replacing: replacing)
    }

    func cachedRow(layout: EntityLayout, key: Int64) -> RetainedRow? { rowCache.row(root: layout.root, key: key) }

    func forget(layout: EntityLayout, key: Int64) { rowCache.forget(root: layout.root, key: key) }
}

extension SQLiteStore.OpenStore {
    func entity(_ layout: EntityLayout) throws -> SQLEntity {
        if let entity = mapping.entity(layout) { return entity }
        throw NSError(
            domain: NSCocoaErrorDomain, code: NSPersistentStoreOperationError,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "The store \(file.path) doesn't hold the entity \(layout.name): its configuration has others.",
                NSFilePathErrorKey: file.path,
            ])
    }

    func reader(_ layout: EntityLayout, includesSubentities: Bool, properties: Set<Int>?) throws -> RowReader {
        guard let properties else { return try reader(layout, includesSubentities: includesSubentities) }
        // Which properties are wanted differs from request to request: these readers are not kept.
        return RowReader(
            layout: layout, includesSubentities: includesSubentities, properties: properties,
            entity: try entity(layout), mapping: mapping,
            externalValues: externalValues)
    }

    func reader(_ layout: EntityLayout, includesSubentities: Bool) throws -> RowReader {
        // The upper bit keeps the two kinds of readers of an entity apart.
        let key = layout.number | (includesSubentities && layout.span > 0 ? 0x8000_0000 : 0)
        if let known = readers[key] { return known }
        let reader = RowReader(
            layout: layout, includesSubentities: includesSubentities, entity: try entity(layout), mapping: mapping,
            externalValues: externalValues)
        readers[key] = reader
        return reader
    }

    func translate(_ query: StoreQuery, selecting selection: SQLQuery.Selection) throws -> SQLStatement {
        _ = try entity(query.layout)
        return try translator.statement(
            SQLQuery(
                entity: query.layout.entity, includesSubentities: query.includesSubentities, predicate: query.predicate,
                sortDescriptors: query.sortDescriptors, limit: query.limit, offset: query.offset,
                isDistinct: query.returnsDistinctResults, selection: selection))
    }

    /// One row by its key, nil if there is none.
    func row(_ layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        let reader = try reader(layout, includesSubentities: true)
        let rows = try rowStatement(layout, reader)
        let statement = try connection.statement(rows.text)
        try statement.bind(rows.bindings(for: key))
        let list = try reader.readAll(statement, expected: 1)
        return list.buffers.first.flatMap { $0.count > 0 ? RetainedRow(buffer: $0, row: $0[0]) : nil }
    }

    private func rowStatement(_ layout: EntityLayout, _ reader: RowReader) throws -> SQLKeyedStatement {
        if let known = rowStatements[layout.number] { return known }
        let statement = statements.rows(of: try entity(layout).table, columns: reader.columns, keys: .one)
        rowStatements[layout.number] = statement
        return statement
    }

    /// The statement for the rows of many keys.
    func rowsStatement(_ layout: EntityLayout, _ reader: RowReader, properties: Set<Int>?) throws -> SQLKeyedStatement {
        if properties == nil, let known = rowsStatements[layout.number] { return known }
        let statement = statements.rows(of: try entity(layout).table, columns: reader.columns, keys: .many)
        if properties == nil { rowsStatements[layout.number] = statement }
        return statement
    }

    /// The statement for the contents of many owners, with the rows of their objects.
    func contentsStatement(_ layout: EntityLayout, _ slot: PropertySlot, _ relationship: SQLToMany, _ reader: RowReader)
        -> SQLKeyedStatement
    {
        let key = ContentKey(layout: layout.number, property: slot.index)
        if let known = contentsStatements[key] { return known }
        let statement = statements.content(of: relationship, columns: reader.columns)
        contentsStatements[key] = statement
        return statement
    }

    func contentStatement(_ layout: EntityLayout, _ slot: PropertySlot, _ relationship: SQLToMany) -> SQLKeyedStatement
    {
        let key = ContentKey(layout: layout.number, property: slot.index)
        if let known = contentStatements[key] { return known }
        let statement = statements.content(of: relationship, keys: .one)
        contentStatements[key] = statement
        return statement
    }

    /// The keys and entities of a statement whose first columns are `Z_PK` and `Z_ENT`.
    func references(_ statement: SQLiteStatement, declared: EntityLayout, control: FetchControl? = nil) throws
        -> [ObjectReference]
    {
        defer { statement.reset() }
        var result: [ObjectReference] = []
        while try statement.step() {
            if let control, result.count & 255 == 0 { try control.note(rowCount: result.count) }
            let key = statement.int64(at: 0)
            // Only a damaged file has such keys and entities.
            guard key >= 0 else { continue }
            let layout =
                mapping.layout(entity: statement.int64(at: 1)).flatMap { $0.isKind(of: declared) ? $0 : nil }
                ?? declared
            result.append(ObjectReference(key: key, layout: layout.number))
        }
        return result
    }
}
