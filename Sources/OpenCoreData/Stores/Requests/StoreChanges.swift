/// The changes that a save makes in one store: rows and relationships, no objects.
///
/// The cells are memory of the context, which doesn't change them before the save has ended.
struct StoreChanges {
    var inserted: [InsertedRow] = []
    var updated: [UpdatedRow] = []
    var deleted: [DeletedRow] = []
    var relationships: [RelationshipChange] = []
    /// Rows that are not changed, but must have the versions that the context saw.
    var checked: [CheckedRow] = []
    /// Who makes the changes.
    var origin = ChangeOrigin()
    /// The objects of the rows, for stores whose public API passes objects.
    var objects: ChangedObjects?

    struct ChangedObjects {
        /// The context that saves.
        let context: NSManagedObjectContext
        let inserted: [NSManagedObject]
        let updated: [NSManagedObject]
        let deleted: [NSManagedObject]
        /// The objects of the checked rows.
        var locked: [NSManagedObject] = []
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && relationships.isEmpty }

    /// The error of a row that refers to a new object which this save doesn't insert.
    static var unknownReference: NSError {
        CoreDataErrors.error(
            NSManagedObjectReferentialIntegrityError, "The objects can't be saved.",
            reason: "The save refers to a new object that isn't saved with it.",
            suggestion: "Insert both objects into one context.")
    }

    struct InsertedRow {
        /// Layouts live as long as the process.
        unowned(unsafe) let layout: EntityLayout
        /// The temporary key, or the permanent one of an object that was saved before.
        let key: Int64
        let cells: Cells
        /// Whether the row replaces one that another context or process has deleted.
        var isReplacement = false
        /// The version of the row: that of another store for a copied row.
        var version: Int32 = 1
    }

    struct UpdatedRow {
        unowned(unsafe) let layout: EntityLayout
        let key: Int64
        /// The version that the context saw.
        let version: Int32
        let cells: Cells
        /// The committed snapshot, which has that version.
        let committed: Cells
    }

    struct DeletedRow {
        unowned(unsafe) let layout: EntityLayout
        let key: Int64
        /// The version that the context saw, 0 if it has not read the row.
        let version: Int32
    }

    struct CheckedRow {
        unowned(unsafe) let layout: EntityLayout
        let key: Int64
        /// The version that the context saw.
        let version: Int32
    }

    /// The change of one to-many relationship of one object. Keys may be temporary.
    struct RelationshipChange {
        let layout: EntityLayout
        /// The position of the property in the layout.
        let property: Int
        let owner: Int64
        let added: [ObjectReference]
        let removed: [ObjectReference]
        /// The members that come last, for ordered relationships whose contents aren't loaded: added members, and those
        /// that were removed and added again.
        let last: [ObjectReference]
        /// All members in order, for ordered relationships whose contents are loaded.
        let order: [ObjectReference]?
    }
}

/// The result of a save in one store.
struct StoreSaveResult {
    /// The permanent key of each inserted row, in the order of the rows.
    var keys: [Int64] = []
    /// Rows whose derived attributes the store has changed.
    var affected: [ObjectReference] = []
    /// The number of the save among the transactions of the store's history; nil if the store doesn't record it.
    var transaction: Int64?
}
