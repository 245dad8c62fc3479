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
}

/// An object that a row refers to.
struct ObjectReference: Hashable {
    let key: Int64
    /// Number of the actual entity's layout.
    let layout: UInt32
}
