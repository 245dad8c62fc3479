/// Reads a SQLite store on one connection: the store itself, or one of its query generations.
protocol SQLiteSource: SnapshotSource {
    /// The rows that this source has read, and no others.
    var rowCache: RowCache { get }
    /// Runs a block that reads the open file. No other thread uses the connection meanwhile.
    func read<Result>(_ body: (SQLiteStore.OpenStore) throws -> Result) throws -> Result
    /// Does the same for a short request, many of which may follow each other.
    func readByKey<Result>(_ body: (SQLiteStore.OpenStore) throws -> Result) throws -> Result
}

extension SQLiteSource {
    var runsFetchesInPredicates: Bool { true }

    func readByKey<Result>(_ body: (SQLiteStore.OpenStore) throws -> Result) throws -> Result { try read(body) }

    // MARK: Queries

    func rows(_ query: StoreQuery) throws -> RowList {
        try read { open in
            let reader = open.reader(
                try open.plans.rowPlan(
                    query.layout, includesSubentities: query.includesSubentities, properties: query.properties))
            let select = try open.select(query, selecting: .columns(reader.plan.columns))
            let list = try open.connection.cancellable(query.control) {
                try reader.readAll(
                    select.text, select.bindings, on: open.connection, expected: query.limit, control: query.control)
            }
            if !list.isPartial { rowCache.add(list.buffers, readIn: open.rowCacheGeneration) }
            return list
        }
    }

    func references(_ query: StoreQuery) throws -> [ObjectReference] {
        try read { open in
            let statement = try open.statement(query, selecting: .identifiers).statement
            return try open.connection.cancellable(query.control) {
                try open.references(statement, declared: query.layout, control: query.control)
            }
        }
    }

    func values(_ query: StoreQuery) throws -> ProjectedRows {
        guard let projection = query.projection else { return ProjectedRows(width: 0) }
        return try read { open in
            let (statement, results) = try open.statement(query, selecting: .values(projection))
            let plan = ValuePlan(projection.columns, results, mapping: open.plans.mapping, identity: identity)
            var reader = SQLValueReader(plan: plan, source: open.externalValues)
            return try open.connection.cancellable(query.control) {
                defer { statement.reset() }
                let row = SQLiteSteppedRow(statement)
                while try statement.step() { try reader.append(row) }
                return reader.rows
            }
        }
    }

    func count(_ query: StoreQuery) throws -> Int {
        try read { open in
            let selection = query.projection.map { SQLQuery.Selection.valueCount($0) } ?? .count
            let statement = try open.statement(query, selecting: selection).statement
            defer { statement.reset() }
            return try open.connection.cancellable(query.control) {
                try statement.step() ? Int(statement.int64(at: 0)) : 0
            }
        }
    }

    // MARK: Keys

    func snapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        try rowCache.row(root: layout.root, key: key) ?? readSnapshot(layout: layout, key: key)
    }

    /// The row of one object, which the row cache doesn't have; nil if there is none.
    func readSnapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        try readByKey { open in
            guard let found = try open.rowOfFault(layout, key: key, rowCache) else { return nil }
            rowCache.add(found, readIn: open.rowCacheGeneration)
            return found
        }
    }

    func rows(layout: EntityLayout, keys: [Int64], properties: Set<Int>?) throws -> RowList {
        try readByKey { open in
            let plan = try open.plans.rowPlan(layout, includesSubentities: true, properties: properties)
            let rows = try open.plans.rowListStatement(plan, keys: .form(of: keys))
            let list = try open.reader(plan).readAll(
                rows.text, rows.bindings(for: keys), on: open.connection, expected: keys.count)
            if !list.isPartial { rowCache.add(list.buffers, readIn: open.rowCacheGeneration) }
            return list
        }
    }

    // MARK: Relationships

    func destinations(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) throws -> [ObjectReference] {
        try readByKey { open in
            try open.contentStatement(ownerLayout, slot)?.references(of: key) ?? []
        }
    }

    func contents(of slot: PropertySlot, ownerLayout: EntityLayout, keys: [Int64]) throws -> StoreContents {
        try readByKey { open in
            let destination = ownerLayout.model[slot.destination]
            guard let relationship = try open.plans.relationship(ownerLayout, slot) else {
                return StoreContents(rows: RowList(layout: destination, includesSubentities: true))
            }
            let plan = try open.plans.rowPlan(destination, includesSubentities: true)
            let members = open.plans.memberStatement(
                relationship, ownerLayout, slot, plan, keys: .form(of: keys))
            let statement = try open.statement(members.text, members.bindings(for: keys))
            let contents = try open.reader(plan).readContents(
                statement, mayRepeatMembers: relationship.mayShareMembers)
            rowCache.add(contents.rows.buffers, readIn: open.rowCacheGeneration)
            return contents
        }
    }
}

extension SQLiteStore: RowCachingStore {
    func storedSnapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        try readSnapshot(layout: layout, key: key)
    }
}

extension SQLiteStore.OpenStore {
    func reader(_ plan: RowPlan) -> SQLiteRowReader { SQLiteRowReader(plan: plan, source: externalValues) }

    /// One row by its key, nil if there is none.
    func row(_ layout: EntityLayout, key: Int64) throws -> RetainedRow? { try rowStatement(layout).row(key) }

    /// One row by its key for a fault, nil if there is none. Faults that share a transaction may get rows that were
    /// read at once.
    @inline(__always)
    func rowOfFault(_ layout: EntityLayout, key: Int64, _ cache: RowCache) throws -> RetainedRow? {
        let statement = try rowStatement(layout)
        guard let reusedTransaction, reusedTransaction.isOpen else { return try statement.row(key) }
        return try statement.row(
            key,
            in: SQLiteReadAhead.Snapshot(
                transaction: reusedTransaction.number, cacheGeneration: cache.generation.current))
    }

    @inline(__always)
    private func rowStatement(_ layout: EntityLayout) throws -> SQLiteRowStatement {
        try rowStatements[Int(layout.number - layouts.base)] ?? makeRowStatement(layout)
    }

    @inline(never)
    private func makeRowStatement(_ layout: EntityLayout) throws -> SQLiteRowStatement {
        let plan = try plans.rowPlan(layout, includesSubentities: true)
        let new = try SQLiteRowStatement(
            plans.rowStatement(plan), range: plans.rowListStatement(plan, keys: .range), reader: reader(plan),
            on: connection)
        rowStatements[Int(layout.number - layouts.base)] = new
        return new
    }

    /// The statement for the members of a to-many relationship; nil if the store has no columns for it.
    @inline(__always)
    func contentStatement(_ owner: EntityLayout, _ slot: PropertySlot) throws -> SQLiteContentStatement? {
        let statements = contentStatements[Int(owner.number - layouts.base)]
        if slot.index < statements.count, let known = statements[slot.index] { return known }
        return try makeContentStatement(owner, slot)
    }

    @inline(never)
    private func makeContentStatement(_ owner: EntityLayout, _ slot: PropertySlot) throws -> SQLiteContentStatement? {
        guard let relationship = try plans.relationship(owner, slot) else { return nil }
        let new = try SQLiteContentStatement(
            plans.referenceStatement(relationship, owner, slot), declared: owner.model[slot.destination],
            mapping: plans.mapping, on: connection)
        let number = Int(owner.number - layouts.base)
        if contentStatements[number].isEmpty {
            contentStatements[number] = Array(repeating: nil, count: owner.properties.count)
        }
        contentStatements[number][slot.index] = new
        return new
    }

    /// The rows of some keys, in no order. They are not cached.
    func rows(_ layout: EntityLayout, keys: [Int64]) throws -> RowList {
        let plan = try plans.rowPlan(layout, includesSubentities: true)
        let rows = try plans.rowListStatement(plan, keys: .form(of: keys))
        return try reader(plan).readAll(
            rows.text, rows.bindings(for: keys), on: connection, expected: keys.count)
    }

    func statement(_ text: String, _ bindings: [SQLValue]) throws -> SQLiteStatement {
        let statement = try connection.statement(text)
        try statement.bind(bindings)
        return statement
    }

    /// The statement of a query, and where the values of dictionaries are in its rows.
    func statement(_ query: StoreQuery, selecting selection: SQLQuery.Selection) throws
        -> (statement: SQLiteStatement, results: [SQLResultColumn])
    {
        let select = try select(query, selecting: selection)
        return (try statement(select.text, select.bindings), select.results)
    }

    /// The text of a query, with its bindings.
    func select(_ query: StoreQuery, selecting selection: SQLQuery.Selection) throws -> SQLStatement {
        _ = try plans.entity(query.layout)
        return try translator.statement(SQLQuery(query, selecting: selection))
    }

    /// Steps a statement whose first columns are `Z_PK` and `Z_ENT`.
    ///
    /// - Parameter declared: the layout of rows whose entity number is unknown.
    func references(
        _ statement: SQLiteStatement, declared: EntityLayout, control: FetchControl? = nil
    ) throws -> [ObjectReference] {
        var result: [ObjectReference] = []
        try forEachReference(statement, declared: declared) { reference in
            if let control, result.count & 255 == 0 { try control.report(rowCount: result.count) }
            result.append(reference)
        }
        return result
    }

    /// Calls a block for each row of a select of identifiers, while the statement is being read.
    ///
    /// - Parameter declared: the layout of rows whose entity number is unknown.
    @inline(__always)
    func forEachReference(
        _ statement: SQLiteStatement, declared: EntityLayout, _ body: (ObjectReference) throws -> Void
    ) throws {
        try statement.forEachReference(declared: declared, mapping: plans.mapping, body)
    }
}
