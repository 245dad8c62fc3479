// SPDX-License-Identifier: Apache-2.0

/// The context queues that the current thread owns: as long as its block runs, no other thread can enter them.
///
/// `DispatchQueue.sync` runs its block on the caller's thread, or, for the main queue, on the main thread while the
/// caller waits. In both cases the block may use all contexts whose queues its callers own. It must not wait for these
/// queues, because that would be a deadlock. So each block of a context adds its queue to the list of its thread, and
/// links the list of the thread that waits for it.
struct QueueOwnership {
    /// The context whose block runs. The block keeps it alive.
    unowned(unsafe) let context: NSManagedObjectContext
    /// Whether this thread, or a thread that waits for it, owns the main queue, by a block of a context or by any other
    /// block.
    let ownsMainQueue: Bool
    /// The previous entry of this thread.
    private let outer: UnsafePointer<QueueOwnership>?
    /// The entries of the thread that waits for this block, if it is another thread.
    private let waiting: UnsafePointer<QueueOwnership>?

    private func contains(_ wanted: NSManagedObjectContext) -> Bool {
        context === wanted || outer?.pointee.contains(wanted) == true || waiting?.pointee.contains(wanted) == true
    }
}

extension QueueOwnership {
    /// The entries of a thread that waits for a block.
    ///
    /// Sendable though it points into the stack of that thread: the thread waits until the block has run.
    struct Chain: @unchecked Sendable {
        fileprivate let innermost: UnsafePointer<QueueOwnership>?
        fileprivate let ownsMainQueue: Bool

        /// For a block that no thread waits for.
        static let none = Chain(innermost: nil, ownsMainQueue: false)
    }

    /// The entries of the current thread.
    static var currentChain: Chain { Chain(innermost: current, ownsMainQueue: ownsMainQueueNow) }

    /// Whether the current thread, or one that waits for it, owns the private queue of a context.
    static func ownsQueue(of context: NSManagedObjectContext) -> Bool { current?.pointee.contains(context) == true }

    /// Whether the current thread, or one that waits for it, owns the main queue.
    ///
    /// The main thread owns the main queue in every block that it runs, because only it runs the main queue's blocks.
    /// In programs with an async main, or with `dispatchMain()`, the main thread runs nothing.
    static var ownsMainQueueNow: Bool {
        current?.pointee.ownsMainQueue == true || MainQueue.isCurrent || OperatingSystem.isMainThread
    }

    /// The context of the innermost block that the current thread runs.
    static var currentContext: NSManagedObjectContext? { current?.pointee.context }

    /// Runs a block on behalf of a context. The caller must be on the context's queue.
    ///
    /// - Parameter waiting: the entries of the thread that waits for the block.
    static func run<T>(_ context: NSManagedObjectContext, waiting: Chain, _ block: () throws -> T) rethrows -> T {
        let outer = current
        let entry = QueueOwnership(
            context: context,
            ownsMainQueue: context.queue.type == .mainQueueConcurrencyType || waiting.ownsMainQueue
                || outer?.pointee.ownsMainQueue == true,
            outer: outer, waiting: waiting.innermost == outer ? nil : waiting.innermost)
        return try withUnsafePointer(to: entry) { innermost in
            current = innermost
            defer { current = outer }
            return try block()
        }
    }

    // MARK: The thread's list

    private static let threadEntry = OperatingSystem.ThreadLocalPointer()

    /// The innermost entry of the current thread.
    private static var current: UnsafePointer<QueueOwnership>? {
        get { UnsafePointer(threadEntry.value?.assumingMemoryBound(to: QueueOwnership.self)) }
        set { threadEntry.value = UnsafeMutableRawPointer(mutating: UnsafeRawPointer(newValue)) }
    }
}
