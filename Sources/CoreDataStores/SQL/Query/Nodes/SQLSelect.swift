// SPDX-License-Identifier: Apache-2.0

/// A select: a complete statement, or an inner select.
package struct SQLSelect: Equatable, Sendable {
    indirect enum Source: Equatable, Sendable {
        case table(String, alias: String)
        case select(SQLSelect, alias: String)
        /// The distinct rows of several selects. The first one names the columns.
        case union([SQLSelect], alias: String)
    }

    var isDistinct = false
    /// Empty for a select that only tests whether a row exists.
    var columns: [SQLExpression] = []
    var source: Source
    var joins: [SQLTableJoin] = []
    var condition: SQLCondition = .constant(true)
    /// The values that define a group of rows. If empty, there are no groups, or one group of all rows if the columns
    /// are aggregates.
    var grouping: [SQLExpression] = []
    var having: SQLCondition = .constant(true)
    var ordering: [SQLOrderTerm] = []
    /// The largest number of rows, and the number of rows before the first one; nil for none.
    var limit: SQLValue?
    var offset: SQLValue?

    init(source: Source) {
        self.source = source
    }

    /// Takes the limit and the offset of a query. Its 0 is none.
    mutating func limit(to query: StoreQuery) {
        limit = query.limit > 0 ? .integer(Int64(query.limit)) : nil
        offset = query.offset > 0 ? .integer(Int64(query.offset)) : nil
    }
}

/// A joined table of a select.
struct SQLTableJoin: Equatable, Sendable {
    enum Kind: String, Sendable {
        case inner = "JOIN"
        case leftOuter = "LEFT OUTER JOIN"
    }

    let kind: Kind
    let table: String
    let alias: String
    let condition: SQLCondition
}

/// A term of the ordering of a select's rows. NULL is less than every value.
struct SQLOrderTerm: Equatable, Sendable {
    let expression: SQLExpression
    let isAscending: Bool
    /// The name of the collation; nil for the collation of the column.
    var collation: String?
}
