// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// A node of a statement that has a value.
package indirect enum SQLExpression: Equatable, Sendable {
    case column(alias: String, name: String)
    /// A known value. The generator binds it and never writes it into the text.
    case value(SQLValue)
    /// The key that is bound at each run of the statement.
    case keyParameter
    case call(SQLFunction, [SQLExpression])
    case operation(SQLExpression, SQLOperator, SQLExpression)
    case bitwiseNot(SQLExpression)
    case conversion(SQLExpression, to: SQLConversion)
    case coalesce(SQLExpression, SQLExpression)
    case conditional(SQLCondition, SQLExpression, SQLExpression)
    case countRows
    case aggregate(SQLAggregate, SQLExpression, distinct: Bool)
    /// The only value of the only row of a select.
    case select(SQLSelect)

    static func integer(_ value: Int64) -> SQLExpression { .value(.integer(value)) }

    /// The number as a floating-point number, so that a division preserves the fraction.
    static func real(_ operand: SQLExpression) -> SQLExpression { .conversion(operand, to: .real) }

    /// Whether the expression is cheap and free of side effects, so that a statement may contain it twice.
    var isSimple: Bool {
        switch self {
        case .column, .value: true
        case .conversion(let operand, to: .seconds), .conversion(let operand, to: .date): operand.isSimple
        default: false
        }
    }
}

/// A change of a value's type. A dialect knows how its engine stores each type.
package enum SQLConversion: Sendable {
    /// A number to a floating-point number.
    case real
    /// A number to a decimal number.
    case decimal
    /// An integer to the widest integer type, and a floating-point number to the widest floating-point type. Without
    /// the conversion an engine may compute in the type of a narrow column.
    case wideInteger, wideReal
    /// A date to its seconds since the reference date of Foundation.
    case seconds
    /// Seconds since the reference date to a date.
    case date
}

/// An arithmetic operator.
package enum SQLOperator: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case modulus = "%"
    case bitwiseAnd = "&"
    case bitwiseOr = "|"
    case leftShift = "<<"
    case rightShift = ">>"
}

/// An aggregate function. A dialect knows its name.
package enum SQLAggregate: Sendable {
    case count, sum, average, minimum, maximum
    case median, standardDeviation
    /// The values as one text, separated by commas, in the order of the rows.
    case concatenation
}

/// A scalar function. A dialect knows its name.
package enum SQLFunction: Equatable, Sendable {
    case uppercase, lowercase
    /// The number of UTF-16 units of a text.
    case length
    case absolute
    /// The text without the differences that the options ignore.
    case fold(NSComparisonPredicate.Options)
    /// -1, 0 or 1: the order of two texts under the options.
    case order(NSComparisonPredicate.Options)
    /// The position of the second text in the first, compared byte by byte, counted from 1; 0 if it isn't there.
    case position
    /// A numeric function of the predicate library, by its selector.
    case library(String)
    /// The first value, whose type in memory is given, as the type that the second value names.
    case cast(SQLValueForm)
    /// The value of a text for the key that is the second value.
    case stringKey
}

/// The type of a stored value in memory, where the stored value alone doesn't determine it.
package enum SQLValueForm: Int64, Sendable {
    /// The type that the stored value has by itself.
    case natural = 0
    case date, decimal, uuid
}
