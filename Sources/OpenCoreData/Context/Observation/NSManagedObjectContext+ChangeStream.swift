extension NSManagedObjectContext {
    /// **Extension.** The changes of the context's objects from now on: one element for each
    /// `NSManagedObjectContextObjectsDidChange`, right after it.
    ///
    /// The elements hold IDs, so that they can be used in any task. The stream ends when the context goes, which it
    /// doesn't keep alive. May be called on any thread. Each call makes a stream for one reader.
    ///
    /// - Parameter bufferingPolicy: what becomes of changes that aren't read as fast as they come; by default all wait.
    public final func changeStream(
        bufferingPolicy: AsyncStream<ManagedObjectContextChange>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<ManagedObjectContextChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ManagedObjectContextChange.self, bufferingPolicy: bufferingPolicy)
        handle.observers.add(continuation)
        return stream
    }
}
