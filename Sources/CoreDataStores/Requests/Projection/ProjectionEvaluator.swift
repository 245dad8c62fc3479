// SPDX-License-Identifier: Apache-2.0

/// Computes dictionary results in memory: for stores in memory, and from the rows of several stores.
///
/// The evaluator needs the values of some columns of each row, the ``sources``; it computes the results from them.
package struct ProjectionEvaluator {
    /// The columns whose values the evaluator needs.
    package let sources: [ProjectedColumn]
    private let projection: Projection
    private let aggregates: [RowAggregate]

    package init(_ projection: Projection, layout: EntityLayout) {
        self.projection = projection
        guard projection.isAggregated else {
            aggregates = []
            sources = projection.columns + projection.ordering.map(\.column)
            return
        }
        let expressions = ProjectedExpressions(layout: layout, grouping: projection.grouping.map(\.expression))
        var aggregates: [RowAggregate] = []
        func collect(_ expression: NSExpression) {
            if expressions.grouping.contains(where: { $0.structurallyEquals(expression) }) { return }
            guard let aggregate = expressions.rowAggregate(expression) else {
                return expression.node.children.forEach(collect)
            }
            if !aggregates.contains(where: { $0.expression.structurallyEquals(expression) }) {
                aggregates.append(aggregate)
            }
        }
        for column in projection.columns { collect(column.expression) }
        for order in projection.ordering { collect(order.column.expression) }
        projection.having?.expressions.forEach(collect)
        self.aggregates = aggregates
        sources =
            projection.grouping
            + aggregates.map { aggregate in
                let type = (try? expressions.type(of: aggregate.argument)) ?? .unknown
                return ProjectedColumn(
                    key: aggregate.expression.description, expression: aggregate.argument, natural: type, type: type)
            }
    }

    /// Appends the values of the sources for an object in memory.
    package func append(_ object: Any, to rows: inout ProjectedRows) {
        for source in sources {
            rows.values.append(source.type.value(of: source.expression.value(for: object, bindings: nil)))
        }
    }

    /// Computes the results from the values of the sources in all rows.
    package func results(of rows: ProjectedRows, for query: StoreQuery) -> ProjectedRows {
        arrange(projection.isAggregated ? grouped(rows) : rows, query)
    }

    // MARK: Groups

    /// Computes one row for each group, ordered by the keys of the groups: the columns, then the sort keys.
    private func grouped(_ rows: ProjectedRows) -> ProjectedRows {
        let keyCount = projection.grouping.count
        var groups: [[ValueKey]: Int] = [:]
        var keys: [ArraySlice<Any?>] = []
        var collected: [[[Any]]] = []
        func begin(_ row: ArraySlice<Any?>?) {
            keys.append(row?.prefix(keyCount) ?? [])
            collected.append([[Any]](repeating: [], count: aggregates.count))
        }
        // All rows are one group, even if there are none.
        if keyCount == 0 { begin(nil) }
        for index in 0..<rows.count {
            let row = rows[index]
            var group = 0
            if keyCount > 0 {
                let key = row.prefix(keyCount).map(ValueKey.init)
                group = groups[key] ?? keys.count
                if group == keys.count {
                    groups[key] = group
                    begin(row)
                }
            }
            for (index, value) in row.dropFirst(keyCount).enumerated() {
                if let value { collected[group][index].append(value) }
            }
        }
        var results = keys.indices.map { group in
            ProjectedResult(
                Array(keys[group])
                    + zip(aggregates, collected[group]).map { aggregate, values in
                        FunctionLibrary.aggregate(
                            aggregate.function, aggregate.isDistinct ? Values.distinct(values) : values)
                    })
        }
        let order = (0..<keyCount).map { NSSortDescriptor(key: String($0), ascending: true) }
        results = SortedObjects.sort(results.map { SortedResult(result: $0) }, by: order).map(\.result)
        if let having = projection.having?.replacingExpressions(resultKeyPath) {
            results = results.filter { having.evaluate(with: $0) }
        }
        let columns = (projection.columns + projection.ordering.map(\.column)).map {
            ($0.expression.replacing(resultKeyPath), $0.type)
        }
        var values = ProjectedRows(width: columns.count)
        for result in results {
            for (expression, type) in columns {
                values.values.append(type.value(of: expression.value(for: result, bindings: nil)))
            }
        }
        return values
    }

    /// The key path of the value of an expression in the result of a group.
    private func resultKeyPath(_ expression: NSExpression) -> NSExpression? {
        let index =
            projection.grouping.firstIndex { $0.expression.structurallyEquals(expression) }
            ?? aggregates.firstIndex { $0.expression.structurallyEquals(expression) }.map {
                $0 + projection.grouping.count
            }
        return index.map { NSExpression(forKeyPath: String($0)) }
    }

    // MARK: Order and limits

    /// Removes duplicate rows, sorts, applies offset and limit, and removes the sort keys.
    private func arrange(_ rows: ProjectedRows, _ query: StoreQuery) -> ProjectedRows {
        let width = projection.columns.count
        var order = Array(0..<rows.count)
        if query.returnsDistinctResults {
            var known: Set<[ValueKey]> = []
            order = order.filter { known.insert(rows[$0].prefix(width).map(ValueKey.init)).inserted }
        }
        if !projection.ordering.isEmpty {
            let descriptors = projection.ordering.enumerated().map { $1.descriptor.withKey(String(width + $0)) }
            order = SortedObjects.sort(
                order.map { SortedResult(result: ProjectedResult(Array(rows[$0])), index: $0) }, by: descriptors
            ).map(\.index)
        }
        order = Array(order.dropFirst(query.offset))
        if query.limit > 0 { order = Array(order.prefix(query.limit)) }
        var result = ProjectedRows(width: width)
        result.values.reserveCapacity(order.count * width)
        for index in order { result.values += rows[index].prefix(width) }
        return result
    }
}

/// A row of results as expressions see it: its values by their indexes.
private struct ProjectedResult: KeyValueCoding {
    let values: [Any?]

    init(_ values: [Any?]) { self.values = values }

    func value(forKey key: String) -> Any? { Int(key).flatMap { values.indices.contains($0) ? values[$0] : nil } }
}

/// A row of results as sort descriptors see it: objects are sorted by their keys, as in SQL.
private struct SortedResult: KeyValueCoding {
    let result: ProjectedResult
    var index = 0

    func value(forKey key: String) -> Any? {
        let value = result.value(forKey: key)
        return (value as? NSManagedObjectID).map { NumberObjects.integer($0.key) } ?? value
    }
}

extension NSSortDescriptor {
    /// The same descriptor for another key.
    fileprivate func withKey(_ key: String) -> NSSortDescriptor {
        needsEvaluation
            ? NSSortDescriptor(key: key, ascending: ascending, comparator: comparator)
            : NSSortDescriptor(key: key, ascending: ascending, selector: selector)
    }
}
