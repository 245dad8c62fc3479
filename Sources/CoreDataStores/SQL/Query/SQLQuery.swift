import CoreDataModel
import CoreDataPredicates

/// A fetch from one SQL store, as a value.
package struct SQLQuery {
    /// The contents of a result row.
    package enum Selection {
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

    package var entity: NSEntityDescription
    package var includesSubentities: Bool
    package var predicate: NSPredicate?
    package var sortDescriptors: [NSSortDescriptor]
    /// The maximum number of rows; 0 for no limit.
    package var limit: Int
    /// The number of rows to skip.
    package var offset: Int
    /// Whether equal rows are returned once.
    package var isDistinct: Bool
    package var selection: Selection

    package init(
        entity: NSEntityDescription, includesSubentities: Bool = true, predicate: NSPredicate? = nil,
        sortDescriptors: [NSSortDescriptor] = [], limit: Int = 0, offset: Int = 0, isDistinct: Bool = false,
        selection: Selection = .identifiers
    ) {
        self.entity = entity
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.sortDescriptors = sortDescriptors
        self.limit = limit
        self.offset = offset
        self.isDistinct = isDistinct
        self.selection = selection
    }

    package init(_ query: StoreQuery, selecting selection: Selection = .identifiers) {
        self.init(
            entity: query.layout.entity, includesSubentities: query.includesSubentities, predicate: query.predicate,
            sortDescriptors: query.sortDescriptors, limit: query.limit, offset: query.offset,
            isDistinct: query.returnsDistinctResults, selection: selection)
    }
}
