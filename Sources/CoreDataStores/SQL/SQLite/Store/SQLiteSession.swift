// SPDX-License-Identifier: Apache-2.0

/// A connection to the file of an open SQLite store, with the plans of its entities.
package final class SQLiteSession {
    let file: SQLiteStoreFile
    let connection: SQLiteConnection
    let schema: SQLSchema
    let layouts: ModelLayout
    let plans: SQLPlans
    let translator: SQLQueryTranslator
    private let compiledQueries: SQLCompiledQueries
    let externalValues: SQLiteExternalValueReader
    let generations: SQLiteGenerations
    let fileIdentity: SQLiteFileIdentity
    /// The transaction of short requests on the store's own connection; nil for a file whose readers lock out
    /// writers, and for a pooled connection.
    @exclusivity(unchecked) var reusedTransaction: SQLiteReusedTransaction?
    /// Whether query generations of the file can be read while other connections write to it; nil before the first
    /// request.
    var allowsGenerationsStorage: Bool?
    /// The metadata that the next save writes; nil if they are as in the file.
    var changedMetadata: [String: Any]?
    /// The statements for single rows, by the position of the layout in the model.
    @exclusivity(unchecked) var rowStatements: [SQLiteRowStatement?]
    /// The statements for the members of to-many relationships, by the position of the owner's layout in the model
    /// and by property.
    @exclusivity(unchecked) var contentStatements: [[SQLiteContentStatement?]]
    /// The generation of the row cache before the request began: another process may write while the request runs, and
    /// this process may merge these changes before the request ends. Nil for a query generation. A nested request
    /// changes the value.
    @exclusivity(unchecked) var rowCacheGeneration: Int?
    /// Which opening of the reader pool a pooled connection belongs to; nil for another connection.
    let poolNumber: Int?

    init(
        file: SQLiteStoreFile, layouts: ModelLayout, identity: StoreIdentity, generations: SQLiteGenerations,
        poolNumber: Int? = nil
    ) {
        self.poolNumber = poolNumber
        self.file = file
        self.generations = generations
        connection = file.connection
        fileIdentity = SQLiteFileIdentity(file)
        schema = file.schema
        externalValues = SQLiteExternalValueReader(
            file.externalData, on: file.connection, isStrict: poolNumber != nil)
        self.layouts = layouts
        rowStatements = Array(repeating: nil, count: layouts.layouts.count)
        contentStatements = Array(repeating: [], count: layouts.layouts.count)
        let dialect = SQLiteDialect()
        plans = SQLPlans(schema: file.schema, layouts: layouts, dialect: dialect, location: file.path)
        translator = SQLQueryTranslator(
            schema: file.schema, dialect: dialect, references: SQLObjectReference.resolver(in: identity))
        compiledQueries = SQLCompiledQueries(translator)
    }
}

extension SQLiteSession {
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
        // The layout may belong to another model.
        let index = Int(layout.number &- layouts.base)
        if index < rowStatements.count, let known = rowStatements[index] { return known }
        return try makeRowStatement(layout)
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
        let index = Int(owner.number &- layouts.base)
        if index < contentStatements.count {
            let statements = contentStatements[index]
            if slot.index < statements.count, let known = statements[slot.index] { return known }
        }
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
    func statement(_ query: StoreQuery, selecting selection: SQLSelection) throws
        -> (statement: SQLiteStatement, results: [SQLResultColumn])
    {
        let select = try select(query, selecting: selection)
        return (try statement(select.text, select.bindings), select.results)
    }

    /// The text of a query, with its bindings.
    func select(_ query: StoreQuery, selecting selection: SQLSelection) throws -> SQLStatement {
        _ = try plans.entity(query.layout)
        return try compiledQueries.statement(query, selecting: selection)
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
