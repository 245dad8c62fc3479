import CoreDataPredicates

/// What differs between SQL engines.
package protocol SQLDialect: Sendable {
    /// The operators of an equality in which two NULLs are equal, and of its negation.
    var sameOperator: String { get }
    var notSameOperator: String { get }

    /// What stands for no limit where an offset needs one.
    var unlimited: String { get }

    /// The greatest number of bound values in a statement.
    var maximumParameterCount: Int { get }

    /// The longest list of values that is bound one by one where they could be packed into one.
    var maximumListCount: Int { get }

    /// The name of a function, and the constants that follow its arguments.
    func function(_ function: SQLFunction) -> (name: String, constants: [Int64])

    func name(of aggregate: SQLAggregate) -> String

    /// The name of the function for a test of two texts, and the constants that follow them.
    func function(
        _ test: SQLTextTest, options: NSComparisonPredicate.Options
    ) -> (name: String, constants: [Int64])

    /// The order that a comparison method stands for; `nil` if there is none.
    func collation(forSelector selector: String) -> SQLCollation?

    /// Many values as one that is bound; `nil` if they can't be packed.
    func packed(_ values: [SQLValue]) -> SQLPackedList?

    /// The keys of rows as one value to bind to the parameter in ``keyListSource``.
    func packed(keys: [Int64]) -> SQLValue

    /// A select of the keys in a packed list, with one parameter.
    var keyListSource: String { get }
}

/// An order of texts.
package enum SQLCollation: Sendable, Equatable {
    /// That of the column.
    case natural
    case named(String)
}

/// Many values in one.
package struct SQLPackedList: Sendable {
    /// A select of the values with one parameter.
    package let source: String
    package let value: SQLValue
}
