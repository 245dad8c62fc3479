// SPDX-License-Identifier: Apache-2.0

/// The contents of a result row of a query.
package enum SQLSelection {
    /// The header columns of the table, and then these columns in this order.
    case columns([SQLColumn])
    /// `Z_PK` and `Z_ENT`: without the latter an index might give the keys in another order than the table.
    case identifiers
    /// One row with the number of objects.
    case count
    /// The values of dictionaries.
    case values(Projection)
    /// One row with the number of dictionaries.
    case valueCount(Projection)
}
