// SPDX-License-Identifier: Apache-2.0

/// A select: a complete statement, or an inner select.
package struct SQLSelect: Equatable, Sendable {
    package indirect enum Source: Equatable, Sendable {
        case table(String, alias: String)
        case select(SQLSelect, alias: String)
        /// The distinct rows of several selects. The first one names the columns.
        case union([SQLSelect], alias: String)
    }

    var isDistinct = false
    /// Empty for a select that only tests whether a row exists.
    package var columns: [SQLExpression] = []
    package var source: Source
    package var joins: [SQLTableJoin] = []
    package var condition: SQLCondition = .constant(true)
    /// The values that define a group of rows. If empty, there are no groups, or one group of all rows if the columns
    /// are aggregates.
    package var grouping: [SQLExpression] = []
    package var having: SQLCondition = .constant(true)
    package var ordering: [SQLOrderTerm] = []
    /// The largest number of rows, and the number of rows before the first one; nil for none.
    package var limit: SQLValue?
    package var offset: SQLValue?

    package init(source: Source) {
        self.source = source
    }

    /// Takes the limit and the offset of a query. Its 0 is none.
    mutating func limit(to query: StoreQuery) {
        limit = query.limit > 0 ? .integer(Int64(query.limit)) : nil
        offset = query.offset > 0 ? .integer(Int64(query.offset)) : nil
    }
}

/// A joined table of a select.
package struct SQLTableJoin: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case inner = "JOIN"
        case leftOuter = "LEFT OUTER JOIN"
    }

    package let kind: Kind
    package let table: String
    let alias: String
    package let condition: SQLCondition
}

/// A term of the ordering of a select's rows. NULL is less than every value.
package struct SQLOrderTerm: Equatable, Sendable {
    package let expression: SQLExpression
    package let isAscending: Bool
    /// The name of the collation; nil for the collation of the column.
    package var collation: String?
}
