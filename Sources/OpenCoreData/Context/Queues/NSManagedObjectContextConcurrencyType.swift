// SPDX-License-Identifier: Apache-2.0

/// The queue that a context's work runs on.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// The context has no queue and belongs to the thread or queue that created it. It can't use `perform`.
    case confinementConcurrencyType = 0
    /// The context has a private serial queue.
    case privateQueueConcurrencyType = 1
    /// The context's queue is the main queue.
    case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
    /// The queue that a context's work runs on.
    public struct ConcurrencyType: Hashable, RawRepresentable, Sendable {
        /// The type that `concurrencyType` returns.
        public var rawValue: NSManagedObjectContextConcurrencyType

        /// Creates a type from a value of `concurrencyType`.
        ///
        /// - Parameter rawValue: the type that `concurrencyType` returns.
        public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }

        /// The context has a private serial queue.
        public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
        /// The context's queue is the main queue.
        public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
    }

    /// Makes a context.
    ///
    /// ```swift
    /// let background = NSManagedObjectContext(.privateQueue)
    /// background.persistentStoreCoordinator = coordinator
    /// ```
    ///
    /// - Parameter type: the kind of the context's queue.
    public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.rawValue) }

    /// The time when `perform(schedule:_:)` runs its block.
    public enum ScheduledTaskType: Hashable, Sendable {
        /// At once if the caller is on the context's queue, otherwise like `enqueued`.
        case immediate
        /// After the blocks that wait on the context's queue already.
        case enqueued
    }
}
