/// A fetch as a store sees it: no objects, no context. Objects in the predicate have become their IDs.
struct StoreQuery {
    let layout: EntityLayout
    var includesSubentities = true
    var predicate: NSPredicate?
    var sortDescriptors: [NSSortDescriptor] = []
    var limit = 0
    var offset = 0
    var returnsDistinctResults = false
    /// What dictionaries hold; nil for a fetch of objects.
    var projection: Projection?
    /// Positions of the properties whose values are wanted; nil for all.
    var properties: Set<Int>?
    /// Lets go of the fetch before its end; nil if nobody may.
    var control: FetchControl?
}

/// The objects of one to-many relationship of many owners.
struct StoreContents {
    /// The rows of the objects, each once.
    var rows: RowList
    /// Owners' keys and their objects, in the relationship's order; those of one owner follow one another.
    var members: [(owner: Int64, member: ObjectReference)] = []
}

/// An object that a row refers to.
struct ObjectReference: Hashable {
    let key: Int64
    /// Number of the actual entity's layout.
    let layout: UInt32
}
