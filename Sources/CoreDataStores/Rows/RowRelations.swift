// SPDX-License-Identifier: Apache-2.0

/// Finds the rows that relationships of other rows lead to.
package protocol RowRelations: AnyObject {
    var identity: StoreIdentity { get }
    /// The row to which another row refers.
    func row(layout: EntityLayout, key: Int64) -> EvaluatedRow?
    /// The rows of a to-many relationship.
    func contentRows(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) -> [EvaluatedRow]
}
