// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Which value of a query a parameter of a compiled statement gets.
package enum SQLQueryValue: Sendable, Hashable {
    /// The constant of the predicate with this number.
    case constant(Int)
    case limit
    case offset
}

/// A constant of a predicate whose statement is compiled: ``SQLConstants`` makes a parameter of it.
final class SQLQueryConstant: NSObject {
    let index: Int
    /// The constant of the query that is compiled. All queries of its shape have a constant of its type.
    let constant: Any

    init(index: Int, _ constant: Any) {
        self.index = index
        self.constant = constant
    }
}
