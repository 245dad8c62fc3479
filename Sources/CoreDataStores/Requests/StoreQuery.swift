// SPDX-License-Identifier: Apache-2.0

/// A fetch in neutral form: without objects and context. IDs replace the objects of the predicate.
package struct StoreQuery {
    package let layout: EntityLayout
    package var includesSubentities = true
    package var predicate: NSPredicate?
    package var sortDescriptors: [NSSortDescriptor] = []
    package var limit = 0
    package var offset = 0
    package var returnsDistinctResults = false
    /// The contents of dictionaries; nil for a fetch of objects.
    package var projection: Projection?
    /// The positions of the properties to read; nil for all.
    package var properties: Set<Int>?
    /// Cancels the fetch; nil for a fetch that can't be cancelled.
    package var control: FetchControl?

    package init(
        layout: EntityLayout, includesSubentities: Bool = true, predicate: NSPredicate? = nil,
        sortDescriptors: [NSSortDescriptor] = [], limit: Int = 0, offset: Int = 0, returnsDistinctResults: Bool = false,
        projection: Projection? = nil, properties: Set<Int>? = nil, control: FetchControl? = nil
    ) {
        self.layout = layout
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.sortDescriptors = sortDescriptors
        self.limit = limit
        self.offset = offset
        self.returnsDistinctResults = returnsDistinctResults
        self.projection = projection
        self.properties = properties
        self.control = control
    }

    /// The query with predicates that give in the process the same results as in SQL.
    package var asInSQL: StoreQuery {
        var query = self
        query.predicate = predicate?.asInSQL
        query.projection = projection?.asInSQL
        return query
    }
}

/// The rows of a query, as a stream: the reader works with the first rows while the store waits for its server.
package protocol RowStream: AnyObject {
    /// Waits for the next rows; nil after the last ones that fill a buffer.
    func next() throws -> RowArrival?
    /// All rows, at the end.
    var rows: RowList { get }
}

/// The next part of a stream of rows.
package enum RowArrival {
    /// The next full buffer of the stream's list.
    case rows(RowBuffer)
    /// The rows that came are void: after a failure the store reads all once more.
    case restart
}

/// The contents of one to-many relationship of many owners.
package struct StoreContents {
    /// The rows of the members, each once.
    package var rows: RowList
    /// The keys of owners with their members, grouped by owner, in the order of the relationship.
    package var members: [(owner: Int64, member: ObjectReference)] = []

    /// Whether `rows` has one row for each entry of `members`, in the same order.
    package var hasRowOfEachMember = false

    package init(rows: RowList, members: [(owner: Int64, member: ObjectReference)] = []) {
        self.rows = rows
        self.members = members
    }
}

/// The key and layout number of an object.
@usableFromInline package struct ObjectReference: Hashable, Sendable {
    @usableFromInline package let key: Int64
    /// The number of the layout of the object's own entity.
    @usableFromInline package let layout: UInt32

    @inlinable @inline(__always)
    package init(key: Int64, layout: UInt32) {
        self.key = key
        self.layout = layout
    }
}
