import CoreDataModel
import CoreDataPredicates

/// A value that is bound to a statement.
package typealias SQLValue = SQLiteValue

/// What a fetch asks of a store: a value, made from a fetch request.
package struct SQLQuery {
    /// What each row of the result holds.
    package enum Selection {
        /// `Z_PK`, `Z_ENT`, `Z_OPT`, and then these columns in this order.
        case columns([SQLColumn])
        /// `Z_PK` and `Z_ENT`.
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
    /// The greatest number of rows; 0 for no limit.
    package var limit: Int
    /// The number of rows to skip.
    package var offset: Int
    /// Whether equal rows are returned once.
    package var distinct: Bool
    package var selection: Selection

    package init(
        entity: NSEntityDescription, includesSubentities: Bool = true, predicate: NSPredicate? = nil,
        sortDescriptors: [NSSortDescriptor] = [], limit: Int = 0, offset: Int = 0, distinct: Bool = false,
        selection: Selection = .identifiers
    ) {
        self.entity = entity
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.sortDescriptors = sortDescriptors
        self.limit = limit
        self.offset = offset
        self.distinct = distinct
        self.selection = selection
    }
}

/// A statement ready to run.
package struct SQLQueryPlan: Sendable, Equatable {
    package let text: String
    /// The values of the statement's parameters in order.
    package let bindings: [SQLValue]
    /// Where the values of dictionaries are, for a query that asks for them.
    var results: [SQLResultColumn] = []

    package init(text: String, bindings: [SQLValue]) {
        self.text = text
        self.bindings = bindings
    }
}
