/// What happens to the destination of a relationship when the source is deleted.
public enum NSDeleteRule: UInt, Sendable {
    /// Nothing: the program keeps the object graph consistent itself.
    case noActionDeleteRule = 0
    /// The inverse relationship of the destination is set to nil (or loses the object).
    case nullifyDeleteRule = 1
    /// The destination is deleted too.
    case cascadeDeleteRule = 2
    /// The deletion fails on save while there is a destination.
    case denyDeleteRule = 3
}
