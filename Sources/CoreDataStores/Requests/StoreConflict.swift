// SPDX-License-Identifier: Apache-2.0

/// The conflicts of a save in one store: rows that another context or process has changed since this context fetched
/// them, and values that must be unique.
///
/// Sendable: the rows never change.
package struct StoreConflict: Error, @unchecked Sendable {
    package struct Row {
        package let layout: EntityLayout
        package let key: Int64
        /// The version that the context fetched.
        package let version: Int32
        /// The row in the store; nil if it was deleted.
        package let persisted: RetainedRow?

        package init(layout: EntityLayout, key: Int64, version: Int32, persisted: RetainedRow?) {
            self.layout = layout
            self.key = key
            self.version = version
            self.persisted = persisted
        }
    }

    /// Rows of the save, and possibly a row of the store, with equal values for a uniqueness constraint.
    package struct Violation {
        package let constraint: UniquenessConstraint
        /// The rows of the save, in the order of the save. Keys may be temporary.
        package let rows: [ObjectReference]
        /// The conflicting row of the store, which the save doesn't change.
        package let stored: RetainedRow?
    }

    package var rows: [Row] = []
    package var violations: [Violation] = []

    package init(rows: [Row] = [], violations: [Violation] = []) {
        self.rows = rows
        self.violations = violations
    }
}
