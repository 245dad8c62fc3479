// SPDX-License-Identifier: Apache-2.0

/// The results of a dictionary fetch: columns, grouping and order.
///
/// A store computes them, in SQL or by a ``ProjectionEvaluator``. All expressions are normalized: aggregates over rows
/// are functions (`max:(year)`) whose argument is a value of one row, aggregates over a to-many relationship are key
/// paths with an operator (`songs.@max.year`), and expressions replace the names of columns.
package struct Projection {
    package var columns: [ProjectedColumn]
    /// The columns that have one value in all rows of a group; empty for no groups.
    package var grouping: [ProjectedColumn] = []
    /// The condition on groups.
    package var having: NSPredicate?
    package var ordering: [ProjectedOrder] = []
    /// Whether a result is computed from several rows: the rows of a group, or all rows.
    package var isAggregated = false
    /// Whether the columns are values of one store's rows, from which results of several stores are computed.
    package var isPart = false

    package init(
        columns: [ProjectedColumn], grouping: [ProjectedColumn] = [], having: NSPredicate? = nil,
        ordering: [ProjectedOrder] = [], isAggregated: Bool = false, isPart: Bool = false
    ) {
        self.columns = columns
        self.grouping = grouping
        self.having = having
        self.ordering = ordering
        self.isAggregated = isAggregated
        self.isPart = isPart
    }

    /// The projection with predicates that give in the process the same results as in SQL.
    var asInSQL: Projection {
        Projection(
            columns: columns.map(\.asInSQL), grouping: grouping.map(\.asInSQL), having: having?.asInSQL,
            ordering: ordering.map { ProjectedOrder(descriptor: $0.descriptor, column: $0.column.asInSQL) },
            isAggregated: isAggregated, isPart: isPart)
    }
}

/// One value of each dictionary.
package struct ProjectedColumn {
    /// The key in the dictionary.
    package let key: String
    package let expression: NSExpression
    /// The type of the expression.
    let natural: ProjectedType
    /// The type of the value in the dictionary.
    package let type: ProjectedType

    package init(key: String, expression: NSExpression, natural: ProjectedType, type: ProjectedType) {
        self.key = key
        self.expression = expression
        self.natural = natural
        self.type = type
    }

    fileprivate var asInSQL: ProjectedColumn {
        ProjectedColumn(key: key, expression: expression.asInSQL, natural: natural, type: type)
    }
}

/// A part of the order of dictionaries.
package struct ProjectedOrder {
    let descriptor: NSSortDescriptor
    /// The sort key.
    let column: ProjectedColumn

    package init(descriptor: NSSortDescriptor, column: ProjectedColumn) {
        self.descriptor = descriptor
        self.column = column
    }
}

/// The values of dictionaries, row after row.
package struct ProjectedRows {
    /// The number of values in a row.
    let width: Int
    package var values: [Any?] = []

    package init(width: Int, values: [Any?] = []) {
        self.width = width
        self.values = values
    }

    package var count: Int { width == 0 ? 0 : values.count / width }

    package subscript(row: Int) -> ArraySlice<Any?> { values[row * width..<(row + 1) * width] }
}
