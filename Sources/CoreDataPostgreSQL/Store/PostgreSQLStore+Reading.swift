/// Reads a store on connections: the store itself, or one of its query generations.
protocol PostgreSQLSource: SnapshotSource {
    /// The rows that this source has read, and no others.
    var rowCache: RowCache { get }
    /// Counts the statements for single objects.
    var faultMonitor: PostgreSQLFaultMonitor { get }
    /// Whether objects may be made of rows while further ones are read: the initializer of a program's class could read
    /// too, and then needs another connection.
    var letsObjectsBeMadeEarly: Bool { get }
    /// Runs a block that reads. No other thread uses the session meanwhile.
    func read<Result>(_ body: (PostgreSQLSession) throws -> Result) throws -> Result
}

extension PostgreSQLSource {
    // MARK: Queries

    func rows(_ query: StoreQuery) throws -> RowList {
        faultMonitor.didFetch(query.layout)
        do {
            return try rows(query, isWide: false)
        } catch is SQLUnavailable {
            query.receiver?.stop()
            return try evaluatedRows(query)
        }
    }

    /// The rows that the server finds.
    ///
    /// - Parameter isWide: whether there may be too many.
    func rows(_ query: StoreQuery, isWide: Bool) throws -> RowList {
        try readQuery { session in
            let plan = try session.plans.rowPlan(
                query.layout, includesSubentities: query.includesSubentities, properties: query.properties)
            let statement = try session.statement(query, selecting: .columns(plan.columns), isWide: isWide)
            return try readRows(
                session, plan, statement, expected: query.limit, control: query.control, receiver: query.receiver)
        }
    }

    func references(_ query: StoreQuery) throws -> [ObjectReference] {
        faultMonitor.didFetch(query.layout)
        do {
            return try readQuery { session in
                let statement = try session.statement(query, selecting: .identifiers)
                var references: [ObjectReference] = []
                try session.connection.cancellable(query.control) {
                    try session.forEachRow(statement) { row in
                        if let control = query.control, references.count & 255 == 0 {
                            try control.report(rowCount: references.count)
                        }
                        references.append(session.reference(row.int64(0), entity: row.int64(1), declared: query.layout))
                    }
                }
                return references
            }
        } catch is SQLUnavailable {
            return try evaluated(query).map {
                ObjectReference(key: $0.retained.row.primaryKey, layout: $0.retained.row.layoutNumber)
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
                return try PostgreSQLValueReader(plan: plan).readAll(result)
            }
        } catch is SQLUnavailable {
            return try evaluatedValues(query)
        }
    }

    func count(_ query: StoreQuery) throws -> Int {
        do {
            return try read { session in
                let selection = query.projection.map { SQLQuery.Selection.valueCount($0) } ?? .count
                let statement = try session.statement(query, selecting: selection)
                return try session.connection.cancellable(query.control) {
                    Int(try session.integer(statement.text, statement.bindings) ?? 0)
                }
            }
        } catch is SQLUnavailable {
            return try query.projection == nil ? evaluated(query).count : evaluatedValues(query).count
        }
    }

    /// Runs a block that executes the statement of a query. A function that the server doesn't have for the types of
    /// its arguments, such as the maximum of UUIDs, is a part that the server can't evaluate.
    private func readQuery<Result>(_ body: (PostgreSQLSession) throws -> Result) throws -> Result {
        try read { session in
            do {
                return try body(session)
            } catch let failure as PostgreSQLFailure where failure.sqlState == "42883" {
                throw SQLUnavailable(part: failure.message)
            }
        }
    }

    // MARK: Keys

    func snapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        if let cached = rowCache.row(root: layout.root, key: key) { return cached }
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
    /// - Parameters:
    ///   - expected: the greatest number of rows if it is known, 0 otherwise.
    ///   - receiver: gets each full buffer while further rows are read.
    private func readRows(
        _ session: PostgreSQLSession, _ plan: RowPlan, _ statement: SQLStatement, expected: Int,
        control: FetchControl? = nil, receiver: (any RowReceiver)? = nil
    ) throws -> RowList {
        let receiver = letsObjectsBeMadeEarly ? receiver : nil
        receiver?.restart(identity)
        let generation = rowCache.generation.current
        var list = plan.makeList(expected: expected)
        let reader = PostgreSQLRowReader(plan: plan, url: session.url)
        try session.connection.cancellable(control) {
            try session.forEachRow(statement, expected: plan.hasLargeValues ? 0 : expected) { row in
                if let control, list.count & 255 == 0 { try control.report(rowCount: list.count) }
                try reader.append(row, to: &list)
                if let receiver, let buffer = list.lastBuffer, buffer.isFull { receiver.receive(buffer) }
            }
        }
        if !list.isPartial { rowCache.add(list.buffers, readIn: generation) }
        return list
    }

    // MARK: Relationships

    func destinations(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) throws -> [ObjectReference] {
        faultMonitor.didReadMembers(slot, ownerLayout)
        return try read { session in
            guard let relationship = try session.plans.relationship(ownerLayout, slot) else { return [] }
            let members = session.plans.referenceStatement(relationship, ownerLayout, slot)
            let result = try session.execute(members.text, [.integer(key)])
            let declared = ownerLayout.model[slot.destination]
            return (0..<result.rowCount).map { index in
                session.reference(result[index].int64(0), entity: result[index].int64(1), declared: declared)
            }
        }
    }

    func contents(of slot: PropertySlot, ownerLayout: EntityLayout, keys: [Int64]) throws -> StoreContents {
        faultMonitor.didPrefetch(ownerLayout.model[slot.destination])
        return try read { session in
            let destination = ownerLayout.model[slot.destination]
            guard let relationship = try session.plans.relationship(ownerLayout, slot) else {
                return StoreContents(rows: RowList(layout: destination, includesSubentities: true))
            }
            let generation = rowCache.generation.current
            let plan = try session.plans.rowPlan(destination, includesSubentities: true)
            let members = session.plans.memberStatement(relationship, ownerLayout, slot, plan)
            let contents = try PostgreSQLRowReader(plan: plan, url: session.url).readContents(
                session.execute(members.text, [.keys(keys)]))
            rowCache.add(contents.rows.buffers, readIn: generation)
            return contents
        }
    }
}

extension PostgreSQLSession {
    /// The greatest number of rows that are read together, in memory of their own.
    private static let rowsReadTogether = 1000

    /// Runs a statement and calls a body with each row as it arrives. Rows that are few are read together, which takes
    /// less time.
    ///
    /// - Parameter expected: the greatest number of rows if it is known, 0 otherwise.
    fileprivate func forEachRow(
        _ statement: SQLStatement, expected: Int = 0, _ body: (borrowing PostgreSQLRow) throws -> Void
    ) throws {
        if statement.bindings.isEmpty { return try connection.forEachRow(ofSelect: statement.text, body) }
        let parameters = PostgreSQLParameters(statement.bindings)
        if expected > 0, expected <= Self.rowsReadTogether {
            try connection.execute(statement.text, parameters).forEachRow(body)
        } else {
            try connection.forEachRow(statement.text, parameters, body)
        }
    }

    /// - Parameter declared: the layout of a row whose entity number is unknown.
    func reference(_ key: Int64, entity number: Int64, declared: EntityLayout) -> ObjectReference {
        let layout = plans.mapping.layout(entity: number).flatMap { $0.isKind(of: declared) ? $0 : nil }
        return ObjectReference(key: key, layout: (layout ?? declared).number)
    }
}

extension RowPlan {
    /// Whether a row may have much memory, so that rows aren't kept twice.
    fileprivate var hasLargeValues: Bool {
        columns.contains { [.binary, .externalBinary, .transformable].contains($0.kind) }
    }
}
