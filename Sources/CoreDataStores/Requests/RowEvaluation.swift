// SPDX-License-Identifier: Apache-2.0

/// Evaluates queries on rows in the process: for stores in memory, and for the parts of a query that the engine of a
/// store can't evaluate.
package enum RowEvaluation {
    /// The rows that satisfy the predicate of a query, in their order.
    package static func filter(_ rows: [EvaluatedRow], _ query: StoreQuery) throws -> [EvaluatedRow] {
        guard let predicate = query.predicate else { return rows }
        try PredicateCheck.check(predicate, layout: query.layout)
        guard let relations = rows.first?.relations else { return rows }
        let evaluated = predicate.replacingExpressions { elements(of: $0, as: relations) }
        return try rows.filter { row in
            if let control = query.control, control.isCancelled { throw control.cancelledError }
            return evaluated.evaluate(with: row)
        }
    }

    /// A subquery of the rows of objects in place of one of their IDs, which have no values; nil for other expressions.
    /// An object without a row is no element.
    private static func elements(of expression: NSExpression, as relations: any RowRelations) -> NSExpression? {
        guard expression.node.type == .subquery, let node = expression.node as? SubqueryNode,
            let constant = node.collection.node as? ConstantNode, let elements = Values.elements(of: constant.value),
            elements.contains(where: { $0 is NSManagedObjectID })
        else { return nil }
        let rows = elements.compactMap { element -> Any? in
            guard let id = element as? NSManagedObjectID else { return element }
            return id.storeIdentity === relations.identity ? relations.row(layout: id.layout, key: id.key) : nil
        }
        return NSExpression(
            node: SubqueryNode(
                collection: NSExpression(forConstantValue: rows as NSArray), variable: node.variable,
                predicate: node.predicate.replacingExpressions { self.elements(of: $0, as: relations) }))
    }

    /// The rows that a query returns: sorted, then limited.
    package static func arrange(_ rows: [EvaluatedRow], _ query: StoreQuery) throws -> [EvaluatedRow] {
        try PredicateCheck.check(query.sortDescriptors, layout: query.layout)
        var rows = rows
        if !query.sortDescriptors.isEmpty { rows = SortedObjects.sort(rows, by: query.sortDescriptors) }
        if query.offset > 0 { rows = Array(rows.dropFirst(query.offset)) }
        if query.limit > 0 { rows = Array(rows.prefix(query.limit)) }
        try query.control?.report(rowCount: rows.count)
        return rows
    }

    /// The dictionary values of a query.
    package static func values(_ rows: [EvaluatedRow], _ query: StoreQuery) -> ProjectedRows {
        guard let projection = query.projection else { return ProjectedRows(width: 0) }
        let evaluator = ProjectionEvaluator(projection, layout: query.layout)
        var values = ProjectedRows(width: evaluator.sources.count)
        for row in rows { evaluator.append(row, to: &values) }
        return evaluator.results(of: values, for: query)
    }
}

/// The relationships of rows that a source has, read when a predicate asks for them, each once. Used by one thread.
package final class ReadRowRelations: RowRelations {
    private let source: any SnapshotSource
    private var rows: [ObjectReference: EvaluatedRow] = [:]
    /// The first error of a read: a predicate can't throw.
    package private(set) var error: (any Error)?

    package init(_ source: any SnapshotSource) { self.source = source }

    package var identity: StoreIdentity { source.identity }

    package func row(layout: EntityLayout, key: Int64) -> EvaluatedRow? {
        let reference = ObjectReference(key: key, layout: layout.root)
        if let known = rows[reference] { return known }
        guard let retained = read({ try source.snapshot(layout: layout, key: key) }) ?? nil else { return nil }
        let row = EvaluatedRow(retained, relations: self)
        rows[reference] = row
        return row
    }

    package func contentRows(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) -> [EvaluatedRow] {
        guard let contents = read({ try source.contents(of: slot, ownerLayout: ownerLayout, keys: [key]) }) else {
            return []
        }
        var members: [Int64: EvaluatedRow] = [:]
        for buffer in contents.rows.buffers {
            for index in 0..<buffer.count {
                let row = EvaluatedRow(RetainedRow(buffer: buffer, row: buffer[index]), relations: self)
                members[buffer[index].primaryKey] = row
                let root = buffer.layouts[buffer[index].layoutNumber].root
                rows[ObjectReference(key: buffer[index].primaryKey, layout: root)] = row
            }
        }
        return contents.members.compactMap { members[$0.member.key] }
    }

    private func read<Value>(_ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            self.error = self.error ?? error
            return nil
        }
    }
}
