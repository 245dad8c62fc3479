// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The parts of SQL that each engine writes differently.
package protocol SQLDialect: Sendable {
    // MARK: Parameters

    /// The text of a parameter, as `?` or `$1`.
    ///
    /// - Parameter number: the number of the parameter in the statement, from 1.
    func placeholder(_ number: Int) -> String

    /// Whether a statement may contain the placeholder of one parameter several times.
    ///
    /// If not, each occurrence is a separate parameter.
    var canRepeatPlaceholders: Bool { get }

    /// Whether a statement can bind a value. A predicate with a value that it can't bind is evaluated in the process.
    func canBind(_ value: SQLValue) -> Bool

    /// The largest number of parameters in a statement.
    var maximumParameterCount: Int { get }

    // MARK: Lists

    /// The longest list whose values are bound one by one although the engine could bind them as one parameter.
    var maximumListCount: Int { get }

    /// A list of values as one parameter; nil if the engine can't bind these values as a list.
    func list(_ values: [SQLValue]) -> SQLListParameter?

    /// A list of keys as the value of one parameter.
    func list(ofKeys keys: [Int64]) -> SQLValue

    /// The text after a value that tests whether the value is in the list of keys of a parameter.
    func keyMembership(_ placeholder: String) -> String

    /// Whether a statement that writes keys runs once for many rows, with a list of keys as each parameter.
    var bindsKeyLists: Bool { get }

    /// The rows that the lists of the first parameters make, as a source of a select.
    func keyLists(count: Int) -> String

    /// The text after a source of rows that a statement inserts into a table.
    func sourceSuffix(insertingInto table: String) -> String

    // MARK: Texts of statements

    /// The name of a table, with the name of its schema where the engine needs it.
    func table(_ name: String) -> String

    /// The texts between and after the operands of an arithmetic operation.
    func operation(_ symbol: SQLOperator) -> (infix: String, suffix: String)

    /// Whether distinct rows can be ordered by the selected values only.
    var ordersDistinctRowsBySelectedValues: Bool { get }

    /// A condition that is always true or always false.
    func constant(_ value: Bool) -> String

    /// The operator of an equality in which two NULLs are equal, and the operator of its negation.
    var nullSafeEqualOperator: String { get }
    var nullSafeNotEqualOperator: String { get }

    /// The text after a term of ORDER BY that puts NULLs first where the order ascends, and last where it descends.
    func nullOrder(isAscending: Bool) -> String

    /// The limit that stands for no limit, where an offset needs one.
    var unlimited: String { get }

    /// The texts before and after an expression that convert its value.
    func conversion(to type: SQLConversion) -> (prefix: String, suffix: String)

    /// A statement that inserts a row, and leaves the row as it is if the table has it already.
    ///
    /// - Parameters:
    ///   - target: the table's name with the list of columns.
    ///   - values: the `VALUES` clause.
    func insertIfAbsent(into target: String, values: String) -> String

    // MARK: Functions

    // A function that an engine doesn't have is evaluated in the process: see `SQLUnavailable`.

    /// The name of a function, and the constants that follow its arguments; nil if the engine has none.
    func function(_ function: SQLFunction) -> (name: String, constants: [Int64])?

    /// The name of an aggregate function; nil if the engine has none.
    func name(of aggregate: SQLAggregate) -> String?

    /// The name of the function for a test of two texts, and the constants that follow them; nil if the engine has
    /// none.
    func function(
        _ test: SQLTextTest, options: NSComparisonPredicate.Options
    ) -> (name: String, constants: [Int64])?

    /// The collation for a comparison method; nil for an unknown method.
    func collation(forSelector selector: String) -> SQLCollation?
}

/// A part of a query that an engine can't evaluate, although SQL can express it. The store then reads the rows that the
/// rest of the query leaves, and evaluates the query in the process.
package struct SQLUnavailable: Error, Equatable {
    /// The function, order or clause.
    package let part: String

    package init(part: String) { self.part = part }
}

/// An order of texts.
package enum SQLCollation: Sendable, Equatable {
    /// The collation of the column.
    case columnDefault
    case named(String)
    /// The engine doesn't have the order.
    case unavailable
}

/// A list of values that is bound as one parameter.
package struct SQLListParameter: Sendable {
    package let value: SQLValue
    /// The text after a value that tests whether the value is in the list.
    ///
    /// - Parameter placeholder: the text of the list's parameter.
    let membership: @Sendable (_ placeholder: String) -> String

    package init(value: SQLValue, membership: @escaping @Sendable (_ placeholder: String) -> String) {
        self.value = value
        self.membership = membership
    }
}

extension SQLDialect {
    package func canBind(_ value: SQLValue) -> Bool { true }
    package var bindsKeyLists: Bool { false }
    package func keyLists(count: Int) -> String { "" }
    package func sourceSuffix(insertingInto table: String) -> String { "" }
}
