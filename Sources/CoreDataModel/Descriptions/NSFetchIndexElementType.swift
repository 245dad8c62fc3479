/// The kind of an index over one property.
public enum NSFetchIndexElementType: UInt, Sendable {
    /// An ordinary, ordered index.
    case binary = 0
    /// An index over ranges of numbers, for locations.
    case rTree = 1
}
