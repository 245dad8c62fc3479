import CoreDataPredicates

/// A part of a statement that has a value.
package indirect enum SQLExpression: Equatable, Sendable {
    case column(alias: String, name: String)
    /// A value that is known now; it is bound, never written into the text.
    case value(SQLValue)
    /// A value that is given whenever the statement runs.
    case parameter
    case call(SQLFunction, [SQLExpression])
    case operation(SQLExpression, SQLOperator, SQLExpression)
    case complement(SQLExpression)
    /// The number as a floating-point one, so that a division keeps the fraction.
    case real(SQLExpression)
    case coalesce(SQLExpression, SQLExpression)
    case conditional(SQLCondition, SQLExpression, SQLExpression)
    case countRows
    case aggregate(SQLAggregate, SQLExpression, distinct: Bool)
    /// The only value of the only row of a select.
    case select(SQLSelect)

    static func integer(_ value: Int64) -> SQLExpression { .value(.integer(value)) }

    /// A column or a bound value: cheap and safe to write twice.
    var isSimple: Bool {
        switch self {
        case .column, .value: true
        default: false
        }
    }
}

/// The arithmetic of statements.
package enum SQLOperator: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case modulus = "%"
    case and = "&"
    case or = "|"
    case leftShift = "<<"
    case rightShift = ">>"
}

/// What gathers the rows of a select into one value; a dialect knows the names.
package enum SQLAggregate: Sendable {
    case count, sum, average, minimum, maximum
    case median, standardDeviation
    /// The values as one text, in the order in which the rows come, with commas between.
    case list
}

/// The functions of values; a dialect knows their names.
package enum SQLFunction: Equatable, Sendable {
    case uppercase, lowercase
    /// The number of UTF-16 units of a text.
    case length
    case absolute
    /// The text without what the options ignore.
    case fold(NSComparisonPredicate.Options)
    /// -1, 0 or 1 for two texts, by the options.
    case order(NSComparisonPredicate.Options)
    /// The place of the second text in the first, byte by byte; 0 if it isn't there.
    case position
    /// A function of the predicates' library by its selector, of numbers.
    case library(String)
    /// The first value, which is of that form in memory, as the type that the second one names.
    case cast(SQLValueForm)
    /// What the first value, a text, answers to the key that is the second one.
    case stringKey
}

/// What a stored value is in memory, where its stored form alone doesn't tell.
package enum SQLValueForm: Int64, Sendable {
    case natural = 0
    case date, decimal, uuid, uri
}
