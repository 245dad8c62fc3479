// SPDX-License-Identifier: Apache-2.0

/// How the row with the values of a uniqueness constraint is read. Immutable; an open store makes one for each entity
/// and constraint.
package final class UniqueRowLookup {
    /// The columns of the constraint, without entity columns.
    package let columns: [RowWritePlan.Column]
    /// Reads rows of the entity that declares the constraint, and of its subentities.
    package let plan: RowPlan
    package let tableName: String
    /// Selects the columns of ``plan`` of one row. Parameters: ``columns``.
    let text: String

    init(columns: [RowWritePlan.Column], plan: RowPlan, write: RowWritePlan) {
        self.columns = columns
        self.plan = plan
        tableName = write.entity.tableName
        text = write.statements.select(
            plan.selectedColumns, from: write.entity.tableName, where: columns.map(\.name))
    }
}
