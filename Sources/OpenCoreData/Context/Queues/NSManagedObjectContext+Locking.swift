extension NSManagedObjectContext: NSLocking {
    /// Locks the context against other threads that lock it, as code did before contexts had queues; may be repeated,
    /// and `unlock()` then too.
    @available(*, deprecated, message: "Use a context with a queue, and perform(_:) or performAndWait(_:).")
    public final func lock() { contextLock.lock() }

    /// Takes back one `lock()` or successful `tryLock()` of this thread.
    @available(*, deprecated, message: "Use a context with a queue, and perform(_:) or performAndWait(_:).")
    public final func unlock() { contextLock.unlock() }

    /// Locks the context, unless another thread has.
    ///
    /// - Returns: whether the context is locked now.
    @available(*, deprecated, message: "Use a context with a queue, and perform(_:) or performAndWait(_:).")
    public final func tryLock() -> Bool { contextLock.try() }
}
