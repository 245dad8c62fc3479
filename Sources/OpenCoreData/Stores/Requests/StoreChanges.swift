/// What a save changes in one store: rows and relationship contents, no objects.
///
/// The cells are the context's own memory and stay as they are until the save has ended.
struct StoreChanges {
    var inserted: [InsertedRow] = []
    var updated: [UpdatedRow] = []
    var deleted: [DeletedRow] = []
    var links: [LinkChange] = []
    /// Rows that are not changed, but must still be as the context saw them.
    var checked: [CheckedRow] = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && links.isEmpty }

    /// The error of a row that names an object which no store has and this save doesn't insert.
    static var unknownReference: NSError {
        NSError(
            domain: NSCocoaErrorDomain, code: NSManagedObjectReferentialIntegrityError,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "The save refers to a new object that isn't saved with it. Insert both objects into one context."
            ])
    }

    struct InsertedRow {
        /// Layouts live for ever.
        unowned(unsafe) let layout: EntityLayout
        /// The temporary key, or the permanent one that the object got before.
        let key: Int64
        let cells: Cells
        /// Whether the row takes the place of one that somebody else has deleted.
        var isReplacement = false
    }

    struct UpdatedRow {
        unowned(unsafe) let layout: EntityLayout
        let key: Int64
        /// The version that the context saw.
        let version: Int32
        let cells: Cells
        let committed: Cells
    }

    struct DeletedRow {
        unowned(unsafe) let layout: EntityLayout
        let key: Int64
        let version: Int32
    }

    struct CheckedRow {
        unowned(unsafe) let layout: EntityLayout
        let key: Int64
        let version: Int32
    }

    /// The change of one to-many relationship of one object. Keys may be temporary.
    struct LinkChange {
        let layout: EntityLayout
        let property: Int
        let owner: Int64
        let added: [ObjectReference]
        let removed: [ObjectReference]
        /// The members that come last, for ordered relationships whose content isn't known: those added, and those
        /// removed and added again, whose links are as they were.
        let last: [ObjectReference]
        /// The whole content in order, for ordered relationships whose content is known.
        let order: [ObjectReference]?
    }
}

/// What a store says of a save that it has done.
struct StoreSaveResult {
    /// The permanent key of each inserted row, in the order of the rows.
    var keys: [Int64] = []
    /// Rows that the store changed by itself: derived attributes.
    var touched: [ObjectReference] = []
}
