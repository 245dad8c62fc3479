/// The conflicts of a save in one store: rows that another context or process has changed since this context fetched
/// them, and values that must be unique.
///
/// Sendable: the rows never change.
struct StoreConflict: Error, @unchecked Sendable {
    struct Row {
        let layout: EntityLayout
        let key: Int64
        /// The version that the context fetched.
        let version: Int32
        /// The row in the store; nil if it was deleted.
        let persisted: RetainedRow?
    }

    /// Rows of the save, and possibly a row of the store, with equal values for a uniqueness constraint.
    struct Violation {
        let constraint: UniquenessConstraint
        /// The rows of the save, in the order of the save. Keys may be temporary.
        let rows: [ObjectReference]
        /// The conflicting row of the store, which the save doesn't change.
        let stored: RetainedRow?
    }

    var rows: [Row] = []
    var violations: [Violation] = []
}
