// SPDX-License-Identifier: Apache-2.0

/// Reads a SQLite store on one connection: the store itself, or one of its query generations.
package protocol SQLiteSource: SnapshotSource {
    /// The row cache of this source. It contains only rows that this source has read.
    var rowCache: RowCache { get }
    /// Runs a block that reads the open file. No other thread uses the connection while the block runs.
    func read<Result>(_ body: (SQLiteSession) throws -> Result) throws -> Result
    /// Does the same for a short request, many of which may follow each other.
    func readByKey<Result>(_ body: (SQLiteSession) throws -> Result) throws -> Result
}

extension SQLiteSource {
    package var runsFetchesInPredicates: Bool { true }

    package func readByKey<Result>(_ body: (SQLiteSession) throws -> Result) throws -> Result { try read(body) }

    // MARK: Queries

    package func rows(_ query: StoreQuery) throws -> RowList {
        try read { open in
            let generation = open.rowCacheGeneration
            let reader = open.reader(
                try open.plans.rowPlan(
                    query.layout, includesSubentities: query.includesSubentities, properties: query.properties))
            let select = try open.select(query, selecting: .columns(reader.plan.columns))
            let list = try open.connection.cancellable(query.control) {
                try reader.readAll(
                    select.text, select.bindings, on: open.connection, expected: query.limit, control: query.control)
            }
            if !list.isPartial { rowCache.add(list.buffers, readIn: generation) }
            return list
        }
    }

    package func references(_ query: StoreQuery) throws -> [ObjectReference] {
        try read { open in
            let statement = try open.statement(query, selecting: .identifiers).statement
            return try open.connection.cancellable(query.control) {
                try open.references(statement, declared: query.layout, control: query.control)
            }
        }
    }

    package func values(_ query: StoreQuery) throws -> ProjectedRows {
        guard let projection = query.projection else { return ProjectedRows(width: 0) }
        return try read { open in
            let (statement, results) = try open.statement(query, selecting: .values(projection))
            let plan = ValuePlan(projection.columns, results, mapping: open.plans.mapping, identity: identity)
            var reader = SQLValueReader(plan: plan, source: open.externalValues)
            return try open.connection.cancellable(query.control) {
                defer { statement.reset() }
                let row = SQLiteSteppedRow(statement)
                while try statement.step() { try reader.append(row) }
                try open.externalValues.checkRows()
                return reader.rows
            }
        }
    }

    package func count(_ query: StoreQuery) throws -> Int {
        try read { open in
            let selection = query.projection.map { SQLSelection.valueCount($0) } ?? .count
            let statement = try open.statement(query, selecting: selection).statement
            defer { statement.reset() }
            return try open.connection.cancellable(query.control) {
                try statement.step() ? Int(statement.int64(at: 0)) : 0
            }
        }
    }

    // MARK: Keys

    package func snapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        try rowCache.row(layout, key: key) ?? readSnapshot(layout: layout, key: key)
    }

    /// The row of one object, which the row cache doesn't have; nil if there is none.
    func readSnapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        try readByKey { open in
            let generation = open.rowCacheGeneration
            guard let found = try open.rowOfFault(layout, key: key, rowCache) else { return nil }
            rowCache.add(found, readIn: generation)
            return found
        }
    }

    package func rows(layout: EntityLayout, keys: [Int64], properties: Set<Int>?) throws -> RowList {
        try readByKey { open in
            let generation = open.rowCacheGeneration
            let plan = try open.plans.rowPlan(layout, includesSubentities: true, properties: properties)
            let rows = try open.plans.rowListStatement(plan, keys: .form(of: keys))
            let list = try open.reader(plan).readAll(
                rows.text, rows.bindings(for: keys), on: open.connection, expected: keys.count)
            if !list.isPartial { rowCache.add(list.buffers, readIn: generation) }
            return list
        }
    }

    // MARK: Relationships

    package func destinations(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) throws -> [ObjectReference]
    {
        try readByKey { open in
            try open.contentStatement(ownerLayout, slot)?.references(of: key) ?? []
        }
    }

    package func contents(of slot: PropertySlot, ownerLayout: EntityLayout, keys: [Int64]) throws -> StoreContents {
        try readByKey { open in
            let generation = open.rowCacheGeneration
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
            rowCache.add(contents.rows.buffers, readIn: generation)
            return contents
        }
    }
}

extension SQLiteDatabase: StoreDatabase {
    package func storedSnapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow? {
        try readSnapshot(layout: layout, key: key)
    }
}
