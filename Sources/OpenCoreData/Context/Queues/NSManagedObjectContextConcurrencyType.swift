/// Which queue a context's work runs on.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// The context has no queue and belongs to the thread or queue that made it: there is no `perform`.
    case confinementConcurrencyType = 0
    /// The context has a serial queue of its own.
    case privateQueueConcurrencyType = 1
    /// The context's queue is the main queue.
    case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
    /// Which queue a context's work runs on.
    public struct ConcurrencyType: Hashable, RawRepresentable, Sendable {
        /// The type as `concurrencyType` tells it.
        public let rawValue: NSManagedObjectContextConcurrencyType

        /// Makes a type of what `concurrencyType` tells.
        public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }

        /// The context has a serial queue of its own.
        public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
        /// The context's queue is the main queue.
        public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
    }

    /// When `perform(schedule:_:)` runs its block.
    public enum ScheduledTaskType: Hashable, Sendable {
        /// At once if the caller is on the context's queue, otherwise behind what waits there.
        case immediate
        /// Behind what waits on the context's queue.
        case enqueued
    }
}
