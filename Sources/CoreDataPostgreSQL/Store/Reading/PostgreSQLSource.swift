// SPDX-License-Identifier: Apache-2.0

/// Reads a store on connections: the store itself, or one of its query generations.
protocol PostgreSQLSource: SnapshotSource {
    /// The row cache of this source. It contains only rows that this source has read.
    var rowCache: RowCache { get }
    /// The generation of the cache that says which rows are superseded.
    var cacheGeneration: Int { get }
    /// Keeps rows in the row cache, if they are as new as the cached rows.
    ///
    /// - Parameter generation: the ``cacheGeneration`` before they were read.
    func keep(_ buffers: [RowBuffer], readIn generation: Int)
    /// Counts the statements for single objects.
    var faultMonitor: PostgreSQLFaultMonitor { get }
    /// Runs a block that reads. No other thread uses the session while the block runs.
    func read<Result>(_ body: (PostgreSQLSession) throws -> Result) throws -> Result
}

extension PostgreSQLSource {
    var cacheGeneration: Int { rowCache.generation.current }

    func keep(_ buffers: [RowBuffer], readIn generation: Int) { rowCache.add(buffers, readIn: generation) }

    // MARK: Queries

    func rows(_ query: StoreQuery) throws -> RowList {
        faultMonitor.didFetch(query.layout)
        do {
            return try rows(query, asPrefilter: false)
        } catch is SQLUnavailable {
            return try evaluatedRows(query)
        }
    }

    /// The rows that the server finds.
    ///
    /// - Parameter asPrefilter: whether the statement may also find rows that don't fulfil the predicate.
    func rows(_ query: StoreQuery, asPrefilter: Bool) throws -> RowList {
        try readQuery { session in
            let (plan, statement) = try session.rowStatement(query, asPrefilter: asPrefilter)
            return try readRows(session, plan, statement, expected: query.limit, control: query.control)
        }
    }

    func references(_ query: StoreQuery) throws -> [ObjectReference] {
        faultMonitor.didFetch(query.layout)
        do {
            return try readQuery { session in
                let statement = try session.statement(query, selecting: .identifiers)
                var references: [ObjectReference] = []
                try session.connection.cancellable(query.control) {
                    let rows = try session.rows(statement)
                    while let row = try rows.next() {
                        if let control = query.control, references.count & 255 == 0 {
                            try control.report(rowCount: references.count)
                        }
                        try references.append(session.reference(row, declared: query.layout))
                    }
                }
                return references
            }
        } catch is SQLUnavailable {
            return try evaluated(query).map {
                ObjectReference(key: $0.row.primaryKey, layout: $0.row.layoutNumber)
            }
        }
    }

    func values(_ query: StoreQuery) throws -> ProjectedRows {
        guard let projection = query.projection else { return ProjectedRows(width: 0) }
        do {
            return try readQuery { session in
                let statement = try session.statement(query, selecting: .values(projection))
                let plan = ValuePlan(
                    projection.columns, statement.results, mapping: session.plans.mapping, identity: identity)
                let result = try session.connection.cancellable(query.control) {
                    try session.execute(statement.text, statement.bindings)
                }
                var reader = SQLValueReader(plan: plan, source: PostgreSQLRowSource(url: session.url))
                for row in result { try reader.append(row) }
                return reader.rows
            }
        } catch is SQLUnavailable {
            return try evaluatedValues(query)
        }
    }

    func count(_ query: StoreQuery) throws -> Int {
        do {
            return try readQuery { session in
                let selection = query.projection.map { SQLSelection.valueCount($0) } ?? .count
                let statement = try session.statement(query, selecting: selection)
                return try session.connection.cancellable(query.control) {
                    Int(try session.integer(statement.text, statement.bindings) ?? 0)
                }
            }
        } catch is SQLUnavailable {
            return try query.projection == nil ? evaluated(query).count : evaluatedValues(query).count
        }
    }

    /// Runs a block that executes the statement of a query.
    ///
    /// - Throws: `SQLUnavailable` for a part that the server can't evaluate.
    private func readQuery<Result>(_ body: (PostgreSQLSession) throws -> Result) throws -> Result {
        try read { session in
            do {
                return try body(session)
            } catch let failure as PostgreSQLFailure where failure.isUnavailability {
                throw SQLUnavailable(part: failure.message)
            }
        }
    }

    // MARK: Keys

    func snapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        if let cached = rowCache.row(layout, key: key) { return cached }
        faultMonitor.didReadRow(layout)
        let list = try read { session in
            let plan = try session.plans.rowPlan(layout, includesSubentities: true)
            let rows = try session.plans.rowStatement(plan)
            return try readRows(session, plan, SQLStatement(text: rows.text, bindings: [.integer(key)]), expected: 1)
        }
        return list.buffers.first.flatMap { $0.count > 0 ? RetainedRow(buffer: $0, row: $0[0]) : nil }
    }

    func rows(layout: EntityLayout, keys: [Int64], properties: Set<Int>?) throws -> RowList {
        faultMonitor.didPrefetch(layout)
        return try read { session in
            let plan = try session.plans.rowPlan(layout, includesSubentities: true, properties: properties)
            let rows = try session.plans.rowListStatement(plan)
            return try readRows(
                session, plan, SQLStatement(text: rows.text, bindings: [.keys(keys)]), expected: keys.count)
        }
    }

    /// Runs a statement, and enters its rows into the row cache.
    ///
    /// - Parameter expected: the greatest number of rows if it is known, 0 otherwise.
    private func readRows(
        _ session: PostgreSQLSession, _ plan: RowPlan, _ statement: SQLStatement, expected: Int,
        control: FetchControl? = nil
    ) throws -> RowList {
        let generation = cacheGeneration
        let list = try session.connection.cancellable(control) {
            let rows = try PostgreSQLRowBuffers(session, plan, statement, expected: expected, control: control)
            while try rows.next() != nil {}
            return rows.list
        }
        if !list.isPartial { keep(list.buffers, readIn: generation) }
        return list
    }

    // MARK: Relationships

    func destinations(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) throws -> [ObjectReference] {
        faultMonitor.didReadMembers(slot, ownerLayout)
        return try read { session in
            guard let relationship = try session.plans.relationship(ownerLayout, slot) else { return [] }
            let members = session.plans.referenceStatement(relationship, ownerLayout, slot)
            return try session.references(
                session.execute(members.text, [.integer(key)]), declared: ownerLayout.model[slot.destination])
        }
    }

    func contents(of slot: PropertySlot, ownerLayout: EntityLayout, keys: [Int64]) throws -> StoreContents {
        faultMonitor.didPrefetch(ownerLayout.model[slot.destination])
        return try read { session in
            let destination = ownerLayout.model[slot.destination]
            guard let relationship = try session.plans.relationship(ownerLayout, slot) else {
                return StoreContents(rows: RowList(layout: destination, includesSubentities: true))
            }
            let generation = cacheGeneration
            let plan = try session.plans.rowPlan(destination, includesSubentities: true)
            let members = session.plans.memberStatement(relationship, ownerLayout, slot, plan)
            var collection = SQLMemberCollection(
                session.reader(plan), mayRepeatMembers: relationship.mayShareMembers)
            do {
                for row in try session.execute(members.text, [.keys(keys)]) { try collection.append(row) }
            } catch let damage as PostgreSQLDamage {
                throw damage.storeError(session.url, plan)
            }
            let contents = collection.finished()
            keep(contents.rows.buffers, readIn: generation)
            return contents
        }
    }
}

extension Error {
    /// Whether the server can't evaluate a part of a query: it has no syntax for it, or not the function for the types
    /// of its arguments, such as the maximum of UUIDs, or a number of a calculation is beyond the range of its type,
    /// where Foundation has an infinity.
    var isUnavailability: Bool {
        guard let state = (self as? PostgreSQLFailure)?.sqlState else { return self is SQLUnavailable }
        return state == PostgreSQLFailure.State.undefinedFunction || state == PostgreSQLFailure.State.outOfRange
    }
}

extension PostgreSQLSession {
    /// The statement that selects the rows of a query, and how they are read.
    ///
    /// - Parameter asPrefilter: whether the statement may find too many rows.
    func rowStatement(_ query: StoreQuery, asPrefilter: Bool = false) throws -> (plan: RowPlan, statement: SQLStatement)
    {
        let plan = try plans.rowPlan(
            query.layout, includesSubentities: query.includesSubentities, properties: query.properties)
        return (plan, try statement(query, selecting: .columns(plan.columns), asPrefilter: asPrefilter))
    }

    /// The objects of a result of identifiers.
    ///
    /// - Parameter declared: the layout of a row whose entity number is unknown, and of all rows without one.
    func references(_ result: PostgreSQLResult, declared: EntityLayout) throws -> [ObjectReference] {
        if result.columnCount == 1 {
            return try result.map { ObjectReference(key: try $0.integer(at: 0) ?? 0, layout: declared.number) }
        }
        return try result.map { try reference($0, declared: declared) }
    }

    /// The object of a row with its key and its entity number.
    func reference(_ row: PostgreSQLRow, declared: EntityLayout) throws -> ObjectReference {
        let (key, number) = (try row.integer(at: 0) ?? 0, try row.integer(at: 1) ?? 0)
        return ObjectReference(key: key, layout: plans.mapping.layout(entity: number, of: declared).number)
    }
}
