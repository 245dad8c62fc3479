/// A context's queue that the code running on this thread holds: whoever else wants it waits until that code returns.
///
/// `DispatchQueue.sync` runs its block on the caller's thread, and for the main queue on another thread while the
/// caller waits. Either way the block may use all contexts whose queues its callers hold, without waiting for them,
/// which would be for ever. So each block of a context adds its own queue to the list of its thread, and takes with it
/// the list of the thread that waits for it.
struct HeldQueue {
    /// Whose block holds it: alive as long as that block runs.
    unowned(unsafe) let context: NSManagedObjectContext
    /// Whether the main queue is held here or further out, be it by no context's block.
    let holdsMainQueue: Bool
    /// What this thread held before.
    private let outer: UnsafePointer<HeldQueue>?
    /// What the thread held that waits for this block, where it is another one.
    private let waiting: UnsafePointer<HeldQueue>?

    private func holds(_ wanted: NSManagedObjectContext) -> Bool {
        context === wanted || outer?.pointee.holds(wanted) == true || waiting?.pointee.holds(wanted) == true
    }
}

extension HeldQueue {
    /// What a thread holds, for those that it waits for.
    ///
    /// Points into the stack of that thread, which is why it must wait; hence Sendable.
    struct List: @unchecked Sendable {
        fileprivate let innermost: UnsafePointer<HeldQueue>?
        fileprivate let holdsMainQueue: Bool

        /// Of a block that nobody waits for.
        static let none = List(innermost: nil, holdsMainQueue: false)
    }

    /// What this thread holds.
    static var list: List { List(innermost: current, holdsMainQueue: isMainQueueHeld) }

    /// Whether this thread holds the queue of a context that has one of its own.
    static func holds(_ context: NSManagedObjectContext) -> Bool { current?.pointee.holds(context) == true }

    /// Whether this thread, or somebody who waits for it, holds the main queue.
    ///
    /// The main thread does whatever it runs, a block of another queue too, as long as it is the one that runs the main
    /// queue; when it is that no longer, in an async main or by `dispatchMain()`, it runs nothing.
    static var isMainQueueHeld: Bool {
        current?.pointee.holdsMainQueue == true || MainQueue.isCurrent || Thread.isMainThread
    }

    /// The context whose block runs here; of several the innermost.
    static var currentContext: NSManagedObjectContext? { current?.pointee.context }

    /// Runs a block that has a context's queue.
    ///
    /// - Parameter waiting: what is held by who waits for the block.
    static func hold<T>(_ context: NSManagedObjectContext, waiting: List, _ block: () throws -> T) rethrows -> T {
        let outer = current
        let held = HeldQueue(
            context: context,
            holdsMainQueue: context.concurrencyType == .mainQueueConcurrencyType || waiting.holdsMainQueue
                || outer?.pointee.holdsMainQueue == true,
            outer: outer, waiting: waiting.innermost == outer ? nil : waiting.innermost)
        return try withUnsafePointer(to: held) { innermost in
            current = innermost
            defer { current = outer }
            return try block()
        }
    }

    // MARK: The thread

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "The process has no thread-specific keys left.")
        return key
    }()

    private static var current: UnsafePointer<HeldQueue>? {
        get { UnsafePointer(pthread_getspecific(key)?.assumingMemoryBound(to: HeldQueue.self)) }
        set { pthread_setspecific(key, UnsafeRawPointer(newValue)) }
    }
}
