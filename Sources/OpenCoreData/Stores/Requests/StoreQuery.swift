/// A fetch in neutral form: without objects and context. IDs replace the objects of the predicate.
struct StoreQuery {
    let layout: EntityLayout
    var includesSubentities = true
    var predicate: NSPredicate?
    var sortDescriptors: [NSSortDescriptor] = []
    var limit = 0
    var offset = 0
    var returnsDistinctResults = false
    /// The contents of dictionaries; nil for a fetch of objects.
    var projection: Projection?
    /// The positions of the properties to read; nil for all.
    var properties: Set<Int>?
    /// Cancels the fetch; nil for a fetch that can't be cancelled.
    var control: FetchControl?
}

/// The contents of one to-many relationship of many owners.
struct StoreContents {
    /// The rows of the members, each once.
    var rows: RowList
    /// The keys of owners with their members, grouped by owner, in the order of the relationship.
    var members: [(owner: Int64, member: ObjectReference)] = []
}

/// The key and layout number of an object.
struct ObjectReference: Hashable {
    let key: Int64
    /// The number of the layout of the object's own entity.
    let layout: UInt32
}
