/// A select: a whole statement, or one inside another.
package struct SQLSelect: Equatable, Sendable {
    package indirect enum Source: Equatable, Sendable {
        case table(String, alias: String)
        case select(SQLSelect, alias: String)
        /// The different rows of several selects, whose columns have the names of the first one's.
        case union([SQLSelect], alias: String)
    }

    var isDistinct = false
    /// Empty for a select that only asks whether there is a row.
    var columns: [SQLExpression] = []
    var source: Source
    var joins: [SQLTableJoin] = []
    var condition: SQLCondition = .constant(true)
    /// What the rows of a group have in common; empty for no groups, or for one group of all rows where columns are
    /// aggregates.
    var grouping: [SQLExpression] = []
    var having: SQLCondition = .constant(true)
    var ordering: [SQLOrderTerm] = []
    /// 0 for none.
    var limit = 0
    var offset = 0

    init(source: Source) {
        self.source = source
    }
}

/// A further table of a select.
package struct SQLTableJoin: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case inner = "JOIN"
        case leftOuter = "LEFT OUTER JOIN"
    }

    let kind: Kind
    let table: String
    let alias: String
    let condition: SQLCondition
}

/// A part of the order of a select's rows. A missing value comes first where the order rises.
package struct SQLOrderTerm: Equatable, Sendable {
    let expression: SQLExpression
    let isAscending: Bool
    /// The name of the collation; `nil` for the natural order.
    var collation: String?
}
