// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The execution of one batch request on a connection of an open SQL store, inside one transaction.
package protocol SQLBatchRun: AnyObject {
    var plans: SQLPlans { get }
    var layouts: ModelLayout { get }
    var translator: SQLQueryTranslator { get }
    var dialect: any SQLDialect { get }
    /// Nil if the store doesn't record its history.
    var history: BatchHistory? { get }
    var derived: DerivedRowValues { get }
    var log: BatchRowLog { get set }
    /// The number of keys in the list of one statement.
    var keyLimit: Int { get }
    /// Whether large values are in files beside the database.
    var storesFiles: Bool { get }

    func insert(_ insertion: BatchInsertion) throws
    /// Runs a statement for the rows of a query.
    ///
    /// - Parameters:
    ///   - statement: the statement.
    ///   - constants: the values of the statement's constants; nil for a statement without any.
    ///   - keys: the list of keys, for a statement that has one.
    /// - Returns: the number of changed rows.
    func execute(_ statement: SQLBatchStatement, _ constants: SQLBatchConstants?, keys: [Int64]?) throws -> Int
    /// Runs a statement whose parameters are all the same list of keys.
    ///
    /// - Returns: the number of changed rows.
    func execute(_ text: String, keys: [Int64]) throws -> Int
    /// Calls a block for the rows of a select whose parameters are all the same list of keys: with the key in a column,
    /// and the entity number in the next one if there is one. Rows without a key are left out.
    func readKeys(_ text: String, keys: [Int64], column: Int32, _ body: (Int64, Int64?) throws -> Void) throws
    /// The rows of a query.
    func references(_ query: StoreQuery) throws -> [ObjectReference]
    /// Calls a block for the rows of a query, grouped by entity, with bounded lists of keys.
    func forEachList(_ query: StoreQuery, _ body: (EntityLayout, [Int64]) throws -> Void) throws
    /// The rows of some keys, in no order. They are not cached.
    func rows(_ layout: EntityLayout, keys: [Int64]) throws -> RowList
    /// Writes columns of rows.
    ///
    /// - Parameter values: the new values of a row. They are valid until the next call.
    func write(
        _ columns: [RowWritePlan.Column], _ plan: RowWritePlan, of rows: RowList, _ values: (Row) throws -> Cells
    ) throws
    /// Called before values of rows are replaced or deleted that may be in files.
    func willReplaceFiles(of columns: [RowWritePlan.Column], _ plan: RowWritePlan, _ keys: [Int64]) throws
    /// The rows whose derived attributes triggers have changed, which are forgotten.
    func takeRowsChangedByTriggers() -> [ObjectReference]
}

/// The constants of a statement: the values of some columns of a row, in their order.
package struct SQLBatchConstants {
    package let columns: [RowWritePlan.Column]
    package let row: BatchCells
}

extension SQLBatchRun {
    package func execute(_ batch: StoreBatch) throws {
        switch batch {
        case .insert(let insertion): try insert(insertion)
        case .update(let update): try SQLBatchUpdate(update, self).execute()
        case .delete(let deletion): try SQLBatchDelete(deletion, self).execute()
        }
    }

    // MARK: Lists of keys

    /// Runs a statement whose parameters are all the same list of keys, for all keys.
    ///
    /// - Returns: the number of changed rows.
    @discardableResult
    func run(_ text: String, _ keys: [Int64]) throws -> Int {
        var count = 0
        try keys.forEachPart(of: keyLimit) { count += try execute(text, keys: $0) }
        return count
    }

    func readKeys(_ text: String, _ keys: [Int64], column: Int32, _ body: (Int64, Int64?) throws -> Void) throws {
        try keys.forEachPart(of: keyLimit) { try readKeys(text, keys: $0, column: column, body) }
    }

    /// The keys of rows, grouped by entity.
    package func keysByLayout(_ references: [ObjectReference]) -> [(layout: EntityLayout, keys: [Int64])] {
        var keys: [UInt32: [Int64]] = [:]
        for reference in references { keys[reference.layout, default: []].append(reference.key) }
        return keys.sorted { $0.key < $1.key }.map { (layouts[$0.key], $0.value) }
    }

    // MARK: Queries

    /// The entity of a request and its subentities, as far as a query includes them.
    func layouts(of query: StoreQuery) -> [EntityLayout] {
        let layout = query.layout
        guard query.includesSubentities, layout.span > 0 else { return [layout] }
        return (layout.number...(layout.number + layout.span)).map { layouts[$0] }
    }

    // MARK: Derived attributes

    /// Records that triggers have changed derived attributes of rows.
    ///
    /// - Parameter isRecorded: whether the history has a row already, or the row is deleted.
    package func recordRowsChangedByTriggers(isRecorded: (ObjectReference) -> Bool = { _ in false }) throws {
        let rows = takeRowsChangedByTriggers()
        guard !rows.isEmpty else { return }
        for row in rows { log.touch(layouts[row.layout]) }
        try history?.recordDerivations(rows.filter { !isRecorded($0) })
    }

    /// Computes the derived attributes of rows again that no trigger maintains, and writes them.
    package func deriveAgain(_ layout: EntityLayout, _ keys: [Int64]) throws {
        let computed = try plans.computedProperties(layout)
        guard !computed.isEmpty else { return }
        let plan = try plans.writePlan(layout)
        let columns = plan.columns.filter { column in computed.contains { $0.cell == column.cell } }
        let values = BatchCells(layout)
        try keys.forEachPart(of: 1000) { keys in
            try write(columns, plan, of: rows(layout, keys: keys)) { row in
                try derived.write(computed, of: layout, row.cells, to: values.cells)
                return values.cells
            }
        }
    }
}

extension [Int64] {
    /// Calls a block with one part after the other.
    func forEachPart(of count: Int, _ body: ([Int64]) throws -> Void) rethrows {
        for start in stride(from: 0, to: self.count, by: count) {
            try body(Array(self[start..<Swift.min(start + count, self.count)]))
        }
    }
}
