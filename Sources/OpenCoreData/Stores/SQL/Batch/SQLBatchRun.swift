import CoreDataPredicates

/// The execution of one batch request on a connection of an open SQL store, inside one transaction.
package protocol SQLBatchRun: AnyObject {
    var plans: SQLPlans { get }
    var layouts: ModelLayout { get }
    var translator: SQLQueryTranslator { get }
    var dialect: any SQLDialect { get }
    /// Nil if the store doesn't record its history.
    var history: BatchHistory? { get }
    var log: BatchRowLog { get set }

    /// Runs a statement for the rows of a query.
    ///
    /// - Returns: the number of changed rows.
    func run(_ statement: SQLBatchStatement) throws -> Int
    /// Runs a statement whose parameters are all the same list of keys, for all keys.
    ///
    /// - Returns: the number of changed rows.
    @discardableResult
    func run(_ text: String, _ keys: [Int64]) throws -> Int
    /// Calls a block for the rows of a select whose parameters are all the same list of keys: with the key in a column,
    /// and the entity number in the next one if there is one. Rows without a key are left out.
    func readKeys(_ text: String, _ keys: [Int64], column: Int32, _ body: (Int64, Int64?) throws -> Void) throws
    /// The rows of a query.
    func references(_ query: StoreQuery) throws -> [ObjectReference]
    /// Calls a block for the rows of a query, grouped by entity, with bounded lists of keys.
    func forEachList(_ query: StoreQuery, _ body: (EntityLayout, [Int64]) throws -> Void) throws
    /// Called before rows are deleted.
    func willDelete(_ plan: RowWritePlan, _ keys: [Int64]) throws
    /// Records that triggers have changed derived attributes of rows, and forgets which rows.
    ///
    /// - Parameter isRecorded: whether the history has a row already, or the row is deleted.
    func recordRowsChangedByTriggers(isRecorded: (ObjectReference) -> Bool) throws
}

extension SQLBatchRun {
    package func recordRowsChangedByTriggers() throws { try recordRowsChangedByTriggers { _ in false } }

    package func query(_ query: StoreQuery) -> SQLQuery {
        SQLQuery(
            entity: query.layout.entity, includesSubentities: query.includesSubentities, predicate: query.predicate,
            sortDescriptors: query.sortDescriptors, limit: query.limit, offset: query.offset)
    }

    /// The keys of rows, grouped by entity.
    package func keysByLayout(_ references: [ObjectReference]) -> [(layout: EntityLayout, keys: [Int64])] {
        var keys: [UInt32: [Int64]] = [:]
        for reference in references { keys[reference.layout, default: []].append(reference.key) }
        return keys.sorted { $0.key < $1.key }.map { (layouts[$0.key], $0.value) }
    }

    /// The entity of a request and its subentities, as far as a query includes them.
    package func layouts(of query: StoreQuery) -> [EntityLayout] {
        let layout = query.layout
        guard query.includesSubentities, layout.span > 0 else { return [layout] }
        return (layout.number...(layout.number + layout.span)).map { layouts[$0] }
    }

    /// The derived attributes of an entity that no trigger maintains.
    package func computedProperties(_ layout: EntityLayout) throws -> [PropertySlot] {
        guard !layout.derivedProperties.isEmpty else { return [] }
        let entity = try plans.entity(layout)
        return layout.derivedProperties.map { layout.properties[$0] }.filter {
            entity.attribute($0.name)?.derivation?.isMaintainedByTriggers == false
        }
    }
}
