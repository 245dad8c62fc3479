/// What the rows of a dictionary fetch hold: columns, grouping, and the order in which they come.
///
/// A store computes it, in SQL or by a ``ProjectionEvaluator``. All expressions are in one form: aggregates over rows
/// are functions (`max:(year)`) whose argument is a value of one row, aggregates over a to-many relationship are key
/// paths with an operator (`songs.@max.year`), and names of columns are replaced by what they stand for.
package struct Projection {
    var columns: [ProjectedColumn]
    /// What the rows of a group have in common; empty for no groups.
    var grouping: [ProjectedColumn] = []
    /// What a group must fulfil.
    var having: NSPredicate?
    var ordering: [ProjectedOrder] = []
    /// Whether a result stands for several rows: for those of a group, or for all.
    var isAggregated = false
}

/// One value of each dictionary.
struct ProjectedColumn {
    /// The key in the dictionary.
    let key: String
    let expression: NSExpression
    /// What the expression gives.
    let natural: ProjectedType
    /// What the dictionary holds.
    let type: ProjectedType
}

/// A part of the order of dictionaries.
struct ProjectedOrder {
    let descriptor: NSSortDescriptor
    /// What is sorted by.
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
