/// How a set is changed, as custom accessors of to-many relationships tell it before and after.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
    /// Objects are added.
    case union = 1
    /// Objects are removed.
    case minus = 2
    /// All but some objects are removed.
    case intersect = 3
    /// The whole content is replaced.
    case set = 4
}
