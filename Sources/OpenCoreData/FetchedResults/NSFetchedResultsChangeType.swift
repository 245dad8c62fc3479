/// What happened to an object or a section of fetched results.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// The object matches now, or the section has got its first object.
    case insert = 1
    /// The object was deleted or no longer matches, or the section has lost its last object.
    case delete = 2
    /// The object has changed and stands elsewhere now: its place among the others, or its section, is another one.
    case move = 3
    /// The object has changed and stands where it stood.
    case update = 4
}
