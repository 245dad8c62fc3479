/// What keeps a store from saving: rows that somebody else has changed since the context fetched them, and values that
/// must be unique.
///
/// Sendable, since the rows are never changed.
struct StoreConflict: Error, @unchecked Sendable {
    struct Row {
        let layout: EntityLayout
        let key: Int64
        /// The version that the context saw.
        let version: Int32
        /// The row as it is now, nil if it was deleted.
        let persisted: RetainedRow?
    }

    /// Rows of the save, and perhaps one of the store, with the same values for a constraint.
    struct Violation {
        let constraint: UniquenessConstraint
        /// The rows of the save, in its order; keys may be temporary.
        let rows: [ObjectReference]
        /// The row of the store, which the save leaves as it is.
        let stored: RetainedRow?
    }

    var rows: [Row] = []
    var violations: [Violation] = []
}
