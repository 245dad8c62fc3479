// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

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
