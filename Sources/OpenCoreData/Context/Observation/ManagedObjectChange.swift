// SPDX-License-Identifier: Apache-2.0

/// **Extension.** The change of one object in one change event, from
/// ``NSManagedObject/changeStream(bufferingPolicy:)``.
public struct ManagedObjectChange: Sendable, Hashable {
    /// The kind of a change.
    public enum Kind: Sendable {
        /// The object was inserted.
        case inserted
        /// The object's values were changed in its context.
        case updated
        /// The object has new values from the store, or its unsaved changes were discarded.
        case refreshed
        /// The object was deleted.
        case deleted
    }

    /// The object's current ID: a temporary one until the object is saved.
    public let objectID: NSManagedObjectID
    /// The kind of the change.
    public let kind: Kind
    /// The names of the properties whose values differ from their values after the previous event; empty for a deleted
    /// object.
    public let keys: Set<String>
}

/// **Extension.** The changes of a context's objects in one change event, from
/// ``NSManagedObjectContext/changeStream(bufferingPolicy:)``.
///
/// The IDs of objects that were never saved are temporary.
public struct ManagedObjectContextChange: Sendable, Hashable {
    /// The objects that were inserted, or that a merge has added.
    public var inserted: Set<NSManagedObjectID> = []
    /// The objects whose values were changed in the context.
    public var updated: Set<NSManagedObjectID> = []
    /// The objects that were deleted.
    public var deleted: Set<NSManagedObjectID> = []
    /// The objects that have new values from the store, or whose unsaved changes were discarded.
    public var refreshed: Set<NSManagedObjectID> = []
    /// Whether the context was reset, and has no objects left.
    public var isReset = false
}

extension NSManagedObjectContext {
    /// **Extension.** Returns a stream of the changes of the context's objects: one element for each
    /// `NSManagedObjectContextObjectsDidChange`, directly after it.
    ///
    /// The elements contain IDs, so they can be used in any task. The stream does not retain the context and ends when
    /// the context is deallocated. Each call returns another stream, for one reader. May be called on any thread.
    ///
    /// ```swift
    /// for await change in context.changeStream() {
    ///     print(change.inserted.count, change.deleted.count)
    /// }
    /// ```
    ///
    /// - Parameter bufferingPolicy: which changes wait for a slow reader; by default all.
    public final func changeStream(
        bufferingPolicy: AsyncStream<ManagedObjectContextChange>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<ManagedObjectContextChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ManagedObjectContextChange.self, bufferingPolicy: bufferingPolicy)
        handle.observers.add(continuation)
        return stream
    }
}
