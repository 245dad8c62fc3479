// SPDX-License-Identifier: Apache-2.0

/// The changes that a save makes in one store: rows and relationships, no objects.
///
/// The cells are memory of the context, which doesn't change them before the save has ended. The changes retain the
/// layouts of the model, so that no row needs to retain its layout.
package struct StoreChanges {
    private let layouts: ModelLayout
    package var inserted: [InsertedRow] = []
    package var updated: [UpdatedRow] = []
    package var deleted: [DeletedRow] = []
    package var relationships: [RelationshipChange] = []
    /// Rows that are not changed, but must have the versions that the context saw.
    package var checked: [CheckedRow] = []
    /// The origin of the changes: the author and the name of the context.
    package var origin = ChangeOrigin()
    /// The objects of the rows, for stores whose public API passes objects.
    package var objectsOfRows: AnyObject?

    /// Changes of objects of a model.
    package init(_ layouts: ModelLayout) { self.layouts = layouts }

    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && relationships.isEmpty }

    /// The error of a row that refers to a new object which this save doesn't insert.
    static var unknownReference: NSError {
        CoreDataErrors.error(
            NSManagedObjectReferentialIntegrityError, "The objects can't be saved.",
            reason: "The save refers to a new object that isn't saved with it.",
            suggestion: "Insert both objects into one context.")
    }

    /// The error of a changed object whose key belongs to a row of another entity.
    static func misnamedRow(_ layout: EntityLayout, _ key: Int64) -> NSError {
        CoreDataErrors.error(
            NSManagedObjectReferentialIntegrityError, "The objects can't be saved.",
            reason: "The row \(key) is not one of the entity \(layout.name), but of another one of its hierarchy.",
            suggestion: "Refresh the object, or find it by a fetch: its ID names another entity.")
    }

    package struct InsertedRow {
        package unowned(unsafe) let layout: EntityLayout
        /// The temporary key, or the permanent one of an object that was saved before.
        package let key: Int64
        package let cells: Cells
        /// Whether the row replaces a row that another context or process has deleted.
        var isReplacement = false
        /// The version of the row. A copied row keeps its version from the source store.
        package var version: Int32 = 1

        package init(
            layout: EntityLayout, key: Int64, cells: Cells, isReplacement: Bool = false, version: Int32 = 1
        ) {
            self.layout = layout
            self.key = key
            self.cells = cells
            self.isReplacement = isReplacement
            self.version = version
        }
    }

    package struct UpdatedRow {
        package unowned(unsafe) let layout: EntityLayout
        package let key: Int64
        /// The version that the context saw.
        package let version: Int32
        package let cells: Cells
        /// The committed snapshot, which has that version.
        let committed: Cells

        package init(layout: EntityLayout, key: Int64, version: Int32, cells: Cells, committed: Cells) {
            self.layout = layout
            self.key = key
            self.version = version
            self.cells = cells
            self.committed = committed
        }
    }

    package struct DeletedRow {
        package unowned(unsafe) let layout: EntityLayout
        package let key: Int64
        /// The version that the context saw, 0 if it has not read the row.
        package let version: Int32

        package init(layout: EntityLayout, key: Int64, version: Int32) {
            self.layout = layout
            self.key = key
            self.version = version
        }
    }

    package struct CheckedRow {
        package unowned(unsafe) let layout: EntityLayout
        package let key: Int64
        /// The version that the context saw.
        package let version: Int32

        package init(layout: EntityLayout, key: Int64, version: Int32) {
            self.layout = layout
            self.key = key
            self.version = version
        }
    }

    /// The change of one to-many relationship of one object. Keys may be temporary.
    package struct RelationshipChange {
        let layout: EntityLayout
        /// The position of the property in the layout.
        let property: Int
        let owner: Int64
        let added: [ObjectReference]
        let removed: [ObjectReference]
        /// The members that come last, for ordered relationships whose contents aren't loaded: added members, and
        /// members that were removed and added again.
        let last: [ObjectReference]
        /// All members in order, for ordered relationships whose contents are loaded.
        let order: MemberList?
        /// The members that were added or moved, for stores that number the members. Nil if any member may have moved.
        var placements: [Placement]?

        package init(
            layout: EntityLayout, property: Int, owner: Int64, added: [ObjectReference], removed: [ObjectReference],
            last: [ObjectReference], order: MemberList?, placements: [Placement]? = nil
        ) {
            self.layout = layout
            self.property = property
            self.owner = owner
            self.added = added
            self.removed = removed
            self.last = last
            self.order = order
            self.placements = placements
        }
    }

    /// The members of an ordered relationship in order. The list is made when a store asks for it: most saves need the
    /// placements alone.
    package struct MemberList {
        private let make: () -> [ObjectReference]

        package init(_ make: @escaping () -> [ObjectReference]) { self.make = make }
        package init(_ references: [ObjectReference]) { make = { references } }

        var references: [ObjectReference] { make() }
    }

    /// Members that follow one another, and were added or moved there. The other members have the order among
    /// themselves that the context has read.
    package struct Placement {
        let members: [ObjectReference]
        /// The member before them, which has not moved; nil at the beginning.
        let previous: ObjectReference?
        /// The member after them, which has not moved; nil at the end.
        package let next: ObjectReference?

        package init(members: [ObjectReference], previous: ObjectReference?, next: ObjectReference?) {
            self.members = members
            self.previous = previous
            self.next = next
        }
    }
}

/// The result of a save in one store.
package struct StoreSaveResult {
    /// The permanent key of each inserted row, in the order of the rows.
    package var keys: [Int64] = []
    /// Rows whose derived attributes the store has changed.
    package var affected: [ObjectReference] = []
    /// The number of the save among the transactions of the store's history, or a smaller number, so that a reader
    /// which continues after it misses no transaction that ends later. Nil if the store doesn't record its history.
    package var transaction: Int64?
    /// The generation of the store's row cache before the save.
    package var rowCacheGeneration = 0

    package init(keys: [Int64] = [], affected: [ObjectReference] = [], transaction: Int64? = nil) {
        self.keys = keys
        self.affected = affected
        self.transaction = transaction
    }
}
