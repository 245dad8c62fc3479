/// The results of a dictionary fetch: columns, grouping and order.
///
/// A store computes them, in SQL or by a ``ProjectionEvaluator``. All expressions are normalized: aggregates over rows
/// are functions (`max:(year)`) whose argument is a value of one row, aggregates over a to-many relationship are key
/// paths with an operator (`songs.@max.year`), and expressions replace the names of columns.
package struct Projection {
    var columns: [ProjectedColumn]
    /// The columns that have one value in all rows of a group; empty for no groups.
    var grouping: [ProjectedColumn] = []
    /// The condition on groups.
    var having: NSPredicate?
    var ordering: [ProjectedOrder] = []
    /// Whether a result is computed from several rows: those of a group, or all.
    var isAggregated = false
    /// Whether the columns are values of one store's rows, from which results of several stores are computed.
    var isPart = false
}

/// One value of each dictionary.
struct ProjectedColumn {
    /// The key in the dictionary.
    let key: String
    let expression: NSExpression
    /// The type of the expression.
    let natural: ProjectedType
    /// The type of the value in the dictionary.
    let type: ProjectedType
}

/// A part of the order of dictionaries.
struct ProjectedOrder {
    let descriptor: NSSortDescriptor
    /// The sort key.
    let column: ProjectedColumn
}

/// The values of dictionaries, row after row.
struct ProjectedRows {
    /// The number of values in a row.
    let width: Int
    var values: [Any?] = []

    var count: Int { width == 0 ? 0 : values.count / width }

    subscript(row: Int) -> ArraySlice<Any?> { values[row * width..<(row + 1) * width] }
}
